//! Sending links.

use crate::{
    Executor, Result, Tx, TxOperation,
    identity::{
        Outcome, Source, audit,
        mails::{self, NewMail},
        one_time::{self, NewOneTime},
    },
    queue,
};
use domain::{identity::one_time::Kind, shared::UserId};

/// A link, and the mail that carries it; no mail while mail is off.
#[derive(Debug, Clone)]
pub struct MailedLink {
    /// The link.
    pub link: NewOneTime,
    /// The mail.
    pub mail: Option<NewMail>,
}

impl MailedLink {
    /// Adds both.
    pub async fn add(&self, tx: &Tx<'_>) -> Result<()> {
        one_time::add(tx, &self.link).await?;
        mails::add_if(tx, self.mail.as_ref()).await
    }
}

/// Sends a link to an account that was found.
pub struct SendLink {
    /// Whose.
    pub user: UserId,
    /// What is sent.
    pub sent: MailedLink,
    /// What was asked for.
    pub event: &'static str,
    /// What came of that, apart from the link.
    pub outcome: Outcome,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for SendLink {
    type Output = ();

    const NAME: &'static str = "account.send_link";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        // Of two at the same time the second waits, and burns what the first has sent.
        let kept = tx.row_opt("select id from users where id = $1 for no key update", &[/* id */ &self.user.0]).await?;
        if kept.is_none() {
            // Deleted since it was found.
            return Ok(());
        }
        if self.sent.link.kind == Kind::Verification {
            // Of those only the newest counts; of the others all, until one is used.
            one_time::expire_all(tx, Kind::Verification, self.user, self.source.at).await?;
        }
        self.sent.add(tx).await?;
        audit::record(tx, self.event, self.outcome, self.source.attempt(Some(self.user))).await
    }
}

/// What is done instead when there is nobody to send a link to: as much work of the same kinds, so that the answer takes as long.
pub struct Decoy {
    /// A link that is nobody's, and that nobody gets.
    pub link: NewOneTime,
    /// What was asked for.
    pub event: &'static str,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for Decoy {
    type Output = ();

    const NAME: &'static str = "account.send_nothing";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        let nobody = UserId(self.link.id);
        tx.row_opt("select id from users where id = $1 for no key update", &[/* id */ &nobody.0]).await?;
        if self.link.kind == Kind::Verification {
            one_time::expire_all(tx, Kind::Verification, nobody, self.source.at).await?;
        }
        let link = NewOneTime { user: None, ..self.link.clone() };
        one_time::add(tx, &link).await?;
        // In the place of the mail and its job: a row that goes again, and a nudge.
        one_time::consume(tx, link.kind, &link.hash, self.source.at).await?;
        one_time::remove(tx, link.id).await?;
        queue::notify(tx, queue::MAIL).await?;
        audit::record(tx, self.event, Outcome::Failure("notSent"), self.source.attempt(None)).await
    }
}
