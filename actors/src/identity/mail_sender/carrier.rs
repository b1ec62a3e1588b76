//! A carrier: mail after mail, until nothing is due or the mail server takes none.

use super::{
    desk::{Desk, Present},
    metrics::Outcome as Tried,
};
use domain::{
    identity::{
        letter::Envelope,
        mailing::{self, Next, Trouble},
    },
    shared::{Fault, MailId},
};
use egress::mail::{Conversation, Failure, Message};
use jiff::{SignedDuration, Timestamp};
use secrecy::ExposeSecret;
use std::{sync::Arc, time::Duration};
use storage::{
    Error, TxOperation,
    identity::mails::{self, GaveUp, Mail, PutOff, Sent},
    queue::{self, Fence, MAIL, Outcome},
};
use tokio::time::{Instant, sleep};

/// How long a lease holds. It is held on to for as long as its mail is under way.
const LEASE: Duration = Duration::from_secs(30);
const HOLD: Duration = Duration::from_secs(10);
/// For how long it is tried to write down what became of a mail, and how often.
const WRITE: Duration = Duration::from_mins(1);
const WRITE_AGAIN: Duration = Duration::from_millis(250);
/// When a mail is looked at again that only a newer version of us can read.
const UNREADABLE: SignedDuration = SignedDuration::from_mins(5);

/// Starts one.
pub(super) fn start(desk: Arc<Desk>) {
    let tasks = desk.runtime.tasks().clone();
    // Present at once: the actor may look again before the task has begun.
    let carrier = Carrier { present: Present::new(desk.clone()), desk, open: None };
    tasks.spawn("mail.carry", carrier.carry());
}

struct Carrier {
    present: Present,
    desk: Arc<Desk>,
    open: Option<Box<dyn Conversation>>,
}

/// What is claimed.
struct Claimed {
    fence: Fence,
    attempts: u32,
    mail: Mail,
}

/// How a try ended, if it did.
enum Ended {
    Tried(Result<(), Failure>),
    /// The process stops.
    Stopped,
    /// Somebody else has the mail.
    Lost,
}

impl Carrier {
    async fn carry(mut self) {
        while self.desk.may_go_on() {
            match self.claim().await {
                Ok(Some(claimed)) => self.carry_one(claimed).await,
                Ok(None) => {
                    // Before it leaves: who comes next may want it.
                    self.put_down().await;
                    if self.present.leave() {
                        return;
                    }
                }
                Err(error) => {
                    self.desk.count(|desk| desk.failures += 1);
                    tracing::warn!(%error, "mails are put off");
                    break;
                }
            }
        }
        self.put_down().await;
    }

    /// Leaves the conversation to the next carrier, or ends it.
    async fn put_down(&mut self) {
        if let Some(open) = self.open.take()
            && let Some(open) = self.desk.keep(open)
        {
            open.close().await;
        }
    }

    /// The next mail that is due; jobs without one are done.
    async fn claim(&self) -> storage::Result<Option<Claimed>> {
        let connection = self.desk.store.connection("mail.claim").await?;
        loop {
            let now = self.desk.clock.now();
            let leased = queue::claim(&connection, MAIL, 1, LEASE, now).await?;
            let Some(lease) = leased.into_iter().next() else { return Ok(None) };
            let found = match lease.job().key.parse::<MailId>() {
                Ok(id) => mails::find(&connection, id).await,
                Err(_) => Ok(None),
            };
            match found {
                Ok(Some(mail)) => {
                    let attempts = u32::try_from(lease.job().attempt).unwrap_or(u32::MAX);
                    return Ok(Some(Claimed { fence: lease.fence(), attempts, mail }));
                }
                // Gone with its account. Should the lease be lost, it is somebody else's to find that out.
                Ok(None) => {
                    let _done = lease.finish(&connection, now).await?;
                }
                Err(Error::Internal(what)) => {
                    tracing::error!(what, job.id = %lease.job().id, "a mail cannot be read");
                    let later = now.checked_add(UNREADABLE).unwrap_or(now);
                    let _put_off = lease.reschedule(&connection, later, Some("unreadable")).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn carry_one(&mut self, claimed: Claimed) {
        let desk = self.desk.clone();
        let Mail { id, template, created_at, .. } = claimed.mail;
        if !mailing::is_useful(template, created_at, desk.clock.now()) {
            return self.give_up(&claimed, "expired", None).await;
        }
        let message = match self.message(&claimed.mail) {
            Ok(message) => message,
            Err(fault) => {
                tracing::error!(mail.id = %id, cause = fault.cause.as_deref(), "a letter cannot be opened");
                return self.give_up(&claimed, "unreadable", None).await;
            }
        };
        let ended = self.send(&claimed, &message).await;
        self.present.is_slow(false);
        match ended {
            Ended::Tried(Ok(())) => {
                desk.went_well();
                desk.metrics.tried(template, Tried::Sent);
                desk.count(|desk| desk.sent += 1);
                self.write(&Sent { fence: claimed.fence, mail: id, at: desk.clock.now() }).await;
            }
            Ended::Tried(Err(failure)) => {
                desk.went_wrong(&failure);
                self.failed(&claimed, failure).await;
            }
            Ended::Stopped => self.put_off(&claimed, desk.clock.now(), "stopped", None).await,
            Ended::Lost => desk.count(|desk| desk.lost += 1),
        }
    }

    /// The mail in words.
    fn message(&self, mail: &Mail) -> Result<Message, Fault> {
        let settings = &self.desk.settings;
        let opened = settings.seal.open(&Envelope::sealed_for(mail.id), &mail.sealed)?;
        let envelope = Envelope::from_bytes(opened.expose_secret())?;
        let rendered = settings.stationery.render(&envelope, &mail.locale, &settings.base_url);
        Ok(Message {
            id: mail.id,
            from: settings.from.clone(),
            to: envelope.to,
            subject: rendered.subject,
            text: rendered.text,
            html: rendered.html,
            at: mail.created_at,
        })
    }

    /// Sends, and holds on to the lease meanwhile.
    async fn send(&mut self, claimed: &Claimed, message: &Message) -> Ended {
        let desk = self.desk.clone();
        let mut sending = Box::pin(hand_over(&desk, &mut self.open, message));
        let began = Instant::now();
        let mut hold_at = began + HOLD;
        let mut is_slow = false;
        let ended = loop {
            tokio::select! {
                tried = &mut sending => break Ended::Tried(tried),
                () = desk.stopped() => break Ended::Stopped,
                () = tokio::time::sleep_until(began + desk.settings.slow_after), if !is_slow => {
                    is_slow = true;
                    self.present.is_slow(true);
                }
                () = tokio::time::sleep_until(hold_at) => {
                    hold_at += HOLD;
                    if hold(&desk, claimed.fence).await == Some(Outcome::Lost) {
                        break Ended::Lost;
                    }
                }
            }
        };
        drop(sending);
        if !matches!(ended, Ended::Tried(_)) {
            // Nobody knows where that conversation is.
            self.open = None;
        }
        ended
    }

    /// Writes down that it failed, and what follows.
    async fn failed(&self, claimed: &Claimed, failure: Failure) {
        let Claimed { mail, attempts, .. } = claimed;
        let tried = mailing::Tried {
            template: mail.template,
            written_at: mail.created_at,
            attempts: *attempts,
            deferrals: u32::try_from(mail.deferrals).unwrap_or_default(),
        };
        match mailing::next(failure.trouble, tried, self.desk.runtime.jitter_seed(), self.desk.clock.now()) {
            Next::Again(at) => {
                let reason = if failure.trouble == Trouble::Away { "away" } else { "deferred" };
                self.put_off(claimed, at, reason, Some(&failure)).await;
            }
            Next::Dead(reason) => self.give_up(claimed, reason, Some(&failure)).await,
        }
    }

    async fn put_off(&self, claimed: &Claimed, due_at: Timestamp, reason: &'static str, failure: Option<&Failure>) {
        self.desk.metrics.tried(claimed.mail.template, Tried::PutOff);
        self.desk.count(|desk| desk.deferred += 1);
        let put_off = PutOff {
            fence: claimed.fence,
            mail: claimed.mail.id,
            due_at,
            reason,
            deferrals: failure.map_or(0, |failure| failure.trouble.deferrals()),
            answer: failure.map(ToString::to_string),
        };
        self.write(&put_off).await;
    }

    async fn give_up(&self, claimed: &Claimed, reason: &'static str, failure: Option<&Failure>) {
        let mail = &claimed.mail;
        self.desk.metrics.tried(mail.template, Tried::Dead);
        self.desk.count(|desk| desk.dead += 1);
        tracing::warn!(mail.id = %mail.id, mail.template = mail.template.name(), reason, "a mail is given up");
        let gave_up = GaveUp {
            fence: claimed.fence,
            mail: mail.id,
            user: mail.user,
            template: mail.template,
            reason,
            answer: failure.map(ToString::to_string),
            code: failure.and_then(|failure| failure.reply.as_ref()).map(|failure| failure.code),
            at: self.desk.clock.now(),
        };
        self.write(&gave_up).await;
    }

    /// Writes down what became of a mail, for as long as that may take: what is not written happens once more.
    async fn write(&self, work: &impl TxOperation<Output = Outcome>) {
        let until = Instant::now() + WRITE;
        loop {
            match self.desk.store.transact(work).await {
                Ok(Outcome::Written) => return,
                Ok(Outcome::Lost) => return self.desk.count(|desk| desk.lost += 1),
                Err(error) if Instant::now() < until => {
                    self.desk.count(|desk| desk.failures += 1);
                    tracing::warn!(%error, "what became of a mail cannot be written down yet");
                }
                Err(error) => return tracing::error!(%error, "what became of a mail was not written down; it is tried once more"),
            }
            tokio::select! {
                () = sleep(WRITE_AGAIN) => {}
                () = self.desk.stopped() => return,
            }
        }
    }
}

/// Hands a mail over in the conversation at hand, and keeps that one if it can be gone on with.
async fn hand_over(desk: &Desk, open: &mut Option<Box<dyn Conversation>>, message: &Message) -> Result<(), Failure> {
    let mut talk = if let Some(talk) = open.take() { talk } else { conversation(desk).await? };
    let sent = talk.send(message).await;
    if talk.is_usable() {
        *open = Some(talk);
    }
    sent
}

/// The conversation that is kept, if the server is still there, or a new one.
async fn conversation(desk: &Desk) -> Result<Box<dyn Conversation>, Failure> {
    if let Some(mut kept) = desk.take()
        && kept.is_alive().await
    {
        return Ok(kept);
    }
    let open = desk.settings.relay.connect().await?;
    desk.count(|desk| desk.conversations += 1);
    Ok(open)
}

async fn hold(desk: &Desk, fence: Fence) -> Option<Outcome> {
    let held = async { fence.extend(&desk.store.connection("mail.hold").await?, LEASE).await };
    match held.await {
        Ok(outcome) => Some(outcome),
        Err(error) => {
            tracing::warn!(%error, "a mail's lease cannot be held");
            None
        }
    }
}
