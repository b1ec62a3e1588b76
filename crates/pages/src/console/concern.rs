//! What needs an administrator, as the overview leads with it: each in a sentence, with the way on.

use super::{Console, concern_text::ConcernText, number};
use crate::{account::time, text::Words};
use jiff::Timestamp;
use maud::{Markup, html};

/// Something that needs an administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Concern {
    /// The data directory was deleted while the server runs.
    DataGone,
    /// The disk is full, or nearly, with the bytes that are free, where that is known.
    LowDisk(Option<u64>),
    /// Nothing is sent until an operator resumes it.
    SendingPaused,
    /// The signing keys do not rotate, or this process has none.
    KeysStuck,
    /// So many mails were given up.
    MailsGivenUp(i64),
    /// Mails wait since this time, as when the mail server is away or its certificate is not valid.
    MailsLate(Timestamp),
    /// So many deliveries were given up that tell applications of people.
    NoticesGivenUp {
        /// The name of the queue.
        queue: &'static str,
        count: i64,
    },
    /// So many deliveries to webhooks of spaces were given up.
    DeliveriesGivenUp(i64),
    /// So many imports of spaces failed.
    ImportsGivenUp(i64),
    /// Receivers fail again and again, so that deliveries wait.
    ReceiversFail {
        count: i64,
        /// The hosts of some.
        hosts: Vec<String>,
    },
    /// No mail server is configured.
    MailOff,
    /// The address of the server leads to this machine only.
    LoopbackAddress,
}

impl Concern {
    /// Whether something is lost or stands still meanwhile. The rest is to be done before others use the
    /// server.
    fn is_urgent(&self) -> bool {
        !matches!(self, Self::MailOff | Self::LoopbackAddress)
    }

    /// Where it is looked after, and what that is called.
    fn way(&self) -> (String, ConcernText) {
        let (path, text) = match self {
            Self::DataGone => ("/docs/operations#backup-and-restore", ConcernText::ReadRestore),
            Self::LowDisk(_) => ("/docs/operations#the-disk-is-full", ConcernText::ReadDisk),
            Self::SendingPaused => ("/docs/operations#sending-is-paused", ConcernText::ReadSending),
            Self::KeysStuck => ("/admin/keys", ConcernText::LookAtKeys),
            Self::MailsGivenUp(_) => ("/admin/mail?state=dead", ConcernText::LookAtMails),
            Self::MailsLate(_) => ("/admin/mail?measure=true", ConcernText::TestMail),
            Self::NoticesGivenUp { queue, .. } => return (format!("/admin/workers/{queue}"), ConcernText::LookAtDead),
            Self::DeliveriesGivenUp(_) => ("/admin/workers/webhooks", ConcernText::LookAtDead),
            Self::ImportsGivenUp(_) => ("/admin/workers/imports", ConcernText::LookAtDead),
            Self::ReceiversFail { .. } => ("/docs/operations#deliveries-are-late", ConcernText::ReadDeliveries),
            Self::MailOff => ("/docs/operations#mail", ConcernText::SetUpMail),
            Self::LoopbackAddress => ("/docs/operations#before-it-serves-others", ConcernText::SetUpAddress),
        };
        (path.to_owned(), text)
    }

    fn sentence(&self, console: &Console<'_>) -> Markup {
        let counted = |count: i64, one: ConcernText, more: ConcernText| match count {
            1 => console.t(one).to_owned(),
            _ => console.fill(more, &[("count", &number(console.language, count))]),
        };
        let text = match self {
            Self::DataGone => console.t(ConcernText::DataGone).to_owned(),
            Self::LowDisk(Some(free)) => console.fill(ConcernText::LowDisk, &[("free", &(free >> 20).to_string())]),
            Self::LowDisk(None) => console.t(ConcernText::DiskFull).to_owned(),
            Self::SendingPaused => console.t(ConcernText::SendingPaused).to_owned(),
            Self::KeysStuck => console.t(ConcernText::KeysStuck).to_owned(),
            Self::MailsGivenUp(count) => counted(*count, ConcernText::MailGivenUp, ConcernText::MailsGivenUp),
            Self::MailsLate(since) => {
                let (before, after) = ConcernText::MailsLate.in_language(console.language).split_once("{time}").unwrap_or_default();
                return html! { (before) (time(console.language, *since)) (after) };
            }
            Self::NoticesGivenUp { count, .. } => counted(*count, ConcernText::NoticeGivenUp, ConcernText::NoticesGivenUp),
            Self::DeliveriesGivenUp(count) => counted(*count, ConcernText::DeliveryGivenUp, ConcernText::DeliveriesGivenUp),
            Self::ImportsGivenUp(count) => counted(*count, ConcernText::ImportGivenUp, ConcernText::ImportsGivenUp),
            Self::ReceiversFail { count, hosts } => {
                let text = counted(*count, ConcernText::ReceiverFails, ConcernText::ReceiversFail);
                return html! { (text) " " span .muted .address { (hosts.join(", ")) } };
            }
            Self::MailOff => console.t(ConcernText::MailOff).to_owned(),
            Self::LoopbackAddress => console.t(ConcernText::LoopbackAddress).to_owned(),
        };
        html! { (text) }
    }
}

/// The panel that the overview leads with.
pub(super) fn panel(console: &Console<'_>, concerns: &[Concern]) -> Markup {
    html! {
        section .panel .concerns {
            h2 { (console.t(ConcernText::NeedsYou)) }
            @if concerns.is_empty() { p { span .badge .good { (console.t(ConcernText::NothingNeedsYou)) } } } @else {
                ul .rows .tight {
                    @for concern in concerns {
                        @let (path, label) = concern.way();
                        li .urgent[concern.is_urgent()] {
                            span .row-text { span { (concern.sentence(console)) } }
                            a href=(path) { (console.t(label)) }
                        }
                    }
                }
            }
        }
    }
}
