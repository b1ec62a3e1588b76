//! `/admin/mail/retry` and `/admin/workers/{name}/retry`: the page before everything that is dead in a queue
//! is tried again.

use super::{
    Console, Section,
    confirmation::{self, Confirmation},
    counted,
    operations_text::OperationsText,
    workers,
};
use crate::{Problems, account::proof::Proof};
use maud::html;

/// What is tried again, and how much of it there is.
#[derive(Debug, Clone, Copy)]
pub enum RetryAll {
    /// The mails that were given up.
    Mails { dead: i64 },
    /// The work of a queue that was given up.
    Queue {
        /// The name of the queue.
        name: &'static str,
        dead: i64,
    },
}

impl RetryAll {
    /// The page that it was asked for at, and that says how it went.
    pub fn back(self) -> String {
        match self {
            Self::Mails { .. } => "/admin/mail".to_owned(),
            Self::Queue { name, .. } => format!("/admin/workers/{name}"),
        }
    }

    /// The page that asks.
    pub(super) fn path(self) -> String {
        format!("{}/retry", self.back())
    }
}

/// The page.
pub fn retry_all_page(console: &Console<'_>, problems: &Problems, proof: Proof, what: RetryAll) -> String {
    let t = |text: OperationsText| console.t(text);
    let (section, title, dead, means) = match what {
        RetryAll::Mails { dead } => {
            let title = t(OperationsText::SendAllAgain).to_owned();
            (Section::Mail, title, dead, [OperationsText::MailsGoOut, OperationsText::MailsTooLate])
        }
        RetryAll::Queue { name, dead } => {
            let title = format!("{}: {}", t(OperationsText::RetryAll), t(workers::name(name)));
            (Section::Workers, title, dead, [OperationsText::WorkGoesOut, OperationsText::WorkCountsAnew])
        }
    };
    let count = counted(console, dead, [OperationsText::DeadNone, OperationsText::DeadOne, OperationsText::DeadMore]);
    let consequences = [count].into_iter().chain(means.map(|text| t(text).to_owned())).collect();
    let confirmation = Confirmation {
        section,
        title: &title,
        consequences,
        is_harmful: true,
        action: &what.path(),
        fields: html! {},
        button: t(OperationsText::RetryAll),
        back: &what.back(),
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}
