//! Who did it, and from where: what every audit entry records.

use std::net::IpAddr;
use uuid::Uuid;

/// The one who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// `user`, `token` or `system`.
    pub kind: &'static str,
    /// The user's UUID or the token's number; empty for the system.
    pub id: String,
    /// A name a person recognises: the token's name. Never a mail address.
    pub label: String,
}

impl Actor {
    /// The server itself: schedules, retention.
    pub fn system(label: &str) -> Self {
        Self { kind: "system", id: String::new(), label: label.to_owned() }
    }
}

/// The request that carried it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin {
    /// The caller's address, behind trusted proxies.
    pub ip: Option<IpAddr>,
    /// The request's id, as answered in `X-Request-Id`.
    pub request_id: Option<Uuid>,
}
