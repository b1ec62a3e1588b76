//! Reading the audit log.

use crate::shared::{SpaceId, UserId};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use std::net::IpAddr;
use uuid::Uuid;

/// One entry of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditRecord {
    /// 1, 2, 3 … without a gap.
    pub id: i64,
    pub space_id: SpaceId,
    /// The user, token or part of the system that acted.
    pub actor: AuditActor,
    /// Dotted: `story.publish`.
    pub action: String,
    pub target: Party,
    pub meta: Value,
    /// The address of the client.
    pub ip: Option<IpAddr>,
    pub request_id: Option<Uuid>,
    /// The time of the command.
    #[serde(serialize_with = "crate::shared::timestamp::serialize")]
    pub created_at: Timestamp,
}

/// An actor: a person by the name of today, a token or a part of the system by the one of that time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditActor {
    /// `user`, `token` or `system`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id as text.
    pub id: String,
    /// `None` for a person whose account is gone.
    pub label: Option<String>,
}

/// A target, under the name that it had when the entry was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Party {
    /// The type of the target.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id as text.
    pub id: String,
    pub label: String,
}

/// The conditions of a list of entries; an empty one does not narrow it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only entries that were not made before this time.
    pub created_at_gte: Option<Timestamp>,
    /// Only entries that were not made after this time.
    pub created_at_lte: Option<Timestamp>,
    /// One of these actions.
    pub types: Vec<String>,
    /// The action holds this text.
    pub key_like: Option<String>,
    /// By one of these actors.
    pub by_owner_ids: Vec<String>,
}

/// An entry with the person behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    pub record: AuditRecord,
    /// Of a person's act that person, of a token's the one who made the token; `None` for acts of the server,
    /// and when the account is gone.
    pub person: Option<ActivePerson>,
}

/// A person in an activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePerson {
    pub id: UserId,
    pub email: String,
    /// The name that others see.
    pub name: String,
    /// Whether the account is not suspended.
    pub is_active: bool,
}

/// The conditions of a list of activities; an empty one does not narrow it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActivityFilter {
    /// Only entries that were not made before this time.
    pub created_at_gte: Option<Timestamp>,
    /// Only entries that were not made after this time.
    pub created_at_lte: Option<Timestamp>,
    /// The target is of one of these kinds.
    pub kinds: Vec<String>,
    /// The action holds this text.
    pub key_like: Option<String>,
    /// The target is one of these.
    pub by_trackable_ids: Vec<String>,
    /// By one of these people, see [`UserId::number`].
    pub by_owner_ids: Vec<i64>,
}
