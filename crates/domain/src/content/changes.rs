//! What a write announces: audit entries and events. They are written by the transaction that makes the change, or not at all.

use crate::shared::StoryId;
use serde_json::{Value, json};
use uuid::Uuid;

/// What an audit entry is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// `story`, `component`, `token` …
    pub kind: &'static str,
    /// Its id as text.
    pub id: String,
    /// A name a person recognises.
    pub label: String,
}

/// One line of the audit log. Actor, time and request come from the write that records it.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// Dotted: `story.publish`, `token.create`.
    pub action: &'static str,
    /// What was acted on.
    pub target: Target,
    /// Further facts, an object. Never content, never a secret.
    pub meta: Value,
}

/// The events that webhooks can subscribe to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A publish, by hand, by flag or by schedule.
    Published,
    /// Taken offline.
    Unpublished,
    /// Soft-deleted.
    Deleted,
    /// Its full slug changed.
    Moved,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Published, Self::Unpublished, Self::Deleted, Self::Moved];

    /// The kind of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "story.published",
            Self::Unpublished => "story.unpublished",
            Self::Deleted => "story.deleted",
            Self::Moved => "story.moved",
        }
    }
}

/// Something happened to a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryEvent {
    /// What.
    pub kind: EventKind,
    /// To which story.
    pub story_id: StoryId,
    /// Its UUID.
    pub uuid: Uuid,
    /// Where it stands now.
    pub full_slug: String,
    /// Where it stood, for [`EventKind::Moved`].
    pub old_full_slug: Option<String>,
}

/// Everything a write announces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Lines for the audit log, in order.
    pub audit: Vec<AuditEntry>,
    /// Events for the outbox, in order.
    pub events: Vec<StoryEvent>,
    /// Whether a published read can see the change, so that `cv` has to move (decisions 9).
    pub public: bool,
}

impl Changes {
    /// One audit entry without further facts.
    pub fn audited(action: &'static str, kind: &'static str, id: impl ToString, label: impl Into<String>) -> Self {
        Self::default().and_audit(action, kind, id, label, json!({}))
    }

    /// Adds an audit entry.
    #[must_use]
    pub fn and_audit(
        mut self,
        action: &'static str,
        kind: &'static str,
        id: impl ToString,
        label: impl Into<String>,
        meta: Value,
    ) -> Self {
        self.audit.push(AuditEntry { action, target: Target { kind, id: id.to_string(), label: label.into() }, meta });
        self
    }

    /// Marks the change as one that published reads can see.
    #[must_use]
    pub fn visible(mut self) -> Self {
        self.public = true;
        self
    }
}
