//! Reading the audit log.

use crate::shared::SpaceId;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use std::net::IpAddr;
use uuid::Uuid;

/// One line as it is stored and read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditRecord {
    /// 1, 2, 3 … without a gap.
    pub id: i64,
    /// The space.
    pub space_id: SpaceId,
    /// `user`, `token` or `system`, its id, its name at that time.
    pub actor: Party,
    /// Dotted: `story.publish`.
    pub action: String,
    /// What was acted on.
    pub target: Party,
    /// Further facts, an object.
    pub meta: Value,
    /// From where.
    pub ip: Option<IpAddr>,
    /// By which request.
    pub request_id: Option<Uuid>,
    /// When.
    #[serde(serialize_with = "crate::shared::timestamp::serialize")]
    pub created_at: Timestamp,
}

/// Somebody or something, as it was named when the line was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Party {
    /// Which sort of thing.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id as text.
    pub id: String,
    /// Its name.
    pub label: String,
}

/// Which lines are wanted; empty wants all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Not before.
    pub created_at_gte: Option<Timestamp>,
    /// Not after.
    pub created_at_lte: Option<Timestamp>,
    /// One of these actions.
    pub types: Vec<String>,
    /// The action holds this text.
    pub key_like: Option<String>,
    /// By one of these actors.
    pub by_owner_ids: Vec<String>,
}
