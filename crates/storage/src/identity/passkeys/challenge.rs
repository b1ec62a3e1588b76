//! Challenges, which authenticators sign: kinds of [`one_time`]. Only a hash of each is stored.

use crate::{
    Result, Tx, TxOperation,
    identity::one_time::{self, Hash, NewOneTime, OneTimeToken},
};
use domain::identity::one_time::Kind;
use jiff::Timestamp;

/// Asks.
pub struct Ask(pub NewOneTime);

impl TxOperation for Ask {
    type Output = ();

    const NAME: &'static str = "passkey.ask";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        one_time::add(tx, &self.0).await
    }
}

/// Uses a challenge up, before anybody looks at the answer to it.
pub struct Answered {
    /// What it was for.
    pub kind: Kind,
    /// Of the challenge.
    pub hash: Hash,
    /// When.
    pub at: Timestamp,
}

impl TxOperation for Answered {
    /// The challenge; `None` when it is over, or never was.
    type Output = Option<OneTimeToken>;

    const NAME: &'static str = "passkey.answered";

    async fn run(&self, tx: &Tx<'_>) -> Result<Option<OneTimeToken>> {
        one_time::consume(tx, self.kind, &self.hash, self.at).await
    }
}
