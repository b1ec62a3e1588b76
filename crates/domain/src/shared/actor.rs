//! On whose behalf something is done, and by which request: what every audit entry records.

use super::UserId;
use std::net::IpAddr;
use uuid::Uuid;

/// The person, token or part of the server that acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// `user`, `token` or `system`.
    pub kind: &'static str,
    /// The user's UUID or the token's number; empty for the system.
    pub id: String,
    /// A name that a person recognises, such as the token's. Never a mail address.
    pub label: String,
}

impl Actor {
    /// A part of the server itself, such as the scheduler.
    pub fn system(label: &str) -> Self {
        Self { kind: "system", id: String::new(), label: label.to_owned() }
    }

    /// Its id and its label, as records name their author.
    pub fn signature(&self) -> (&str, &str) {
        (&self.id, &self.label)
    }
}

/// Who made a record, as its row names them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Authorship {
    /// [`Actor::id`].
    pub id: String,
    /// [`Actor::label`], at the time of the record.
    pub label: String,
}

impl Authorship {
    /// The person; `None` for a token and for the system.
    pub fn person(&self) -> Option<UserId> {
        // Only the ids of accounts are UUIDs.
        self.id.parse().ok().map(UserId)
    }

    /// The id and the label.
    pub fn signature(&self) -> (&str, &str) {
        (&self.id, &self.label)
    }
}

/// The address and the id of the request that caused an audited change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestOrigin {
    /// The caller's address, behind trusted proxies.
    pub ip: Option<IpAddr>,
    /// The request's id, as answered in `X-Request-Id`.
    pub request_id: Option<Uuid>,
}
