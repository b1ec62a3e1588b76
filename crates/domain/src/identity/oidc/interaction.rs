//! An interaction: an authorization request that waits for a person, and what the person has done so far.

use super::{AuthorizationRequest, Scope};
use crate::shared::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// An interaction as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// What the client asked for.
    pub request: AuthorizationRequest,
    /// The keyed hash of the cookie of the browser that began it. No other browser may finish it.
    pub browser: String,
    /// What the person has done.
    pub progress: InteractionProgress,
}

/// What a person has done in an interaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InteractionProgress {
    /// When the interaction began. A sign-in since then is one that the client asked for.
    pub started_at: Timestamp,
    /// Whether the person refused.
    #[serde(default)]
    pub is_refused: bool,
    /// The account that the person confirmed, and the scopes that were consented to, if the person was asked
    /// for consent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Confirmation>,
}

/// What a person has confirmed, as the owner of one account. It says nothing about another account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    pub user: UserId,
    /// The scopes that were consented to in this interaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted: Option<Scope>,
    /// Whether the browser is to remember that, for requests that may show no page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remember: bool,
}

impl Confirmation {
    /// An account, and nothing consented to.
    pub fn of(user: UserId) -> Self {
        Self { user, granted: None, remember: false }
    }
}

impl InteractionProgress {
    /// The progress of an interaction that begins now.
    pub fn new(started_at: Timestamp) -> Self {
        Self { started_at, is_refused: false, confirmed: None }
    }

    /// What an account's owner has confirmed.
    pub fn confirmed_by(&self, user: UserId) -> Option<&Confirmation> {
        self.confirmed.as_ref().filter(|confirmation| confirmation.user == user)
    }
}
