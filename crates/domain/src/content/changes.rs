//! The audit entries and events of a command. They are written by the transaction that makes the change.

use crate::shared::StoryId;
use serde_json::{Value, json};
use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};
use uuid::Uuid;

/// The target of an audit entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeTarget {
    /// `story`, `component`, `token` …
    pub kind: &'static str,
    /// Its id as text.
    pub id: String,
    /// A name that a person recognises.
    pub label: String,
}

/// One entry of the audit log. Actor, time and request come from the command.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// Dotted: `story.publish`, `token.create`.
    pub action: &'static str,
    pub target: ChangeTarget,
    /// Details, an object. Never content, never a secret.
    pub meta: Value,
}

/// The events that webhooks can subscribe to, named as on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[strum(const_into_str)]
pub enum EventKind {
    /// The story was published, by hand, by a flag of a save or by schedule.
    #[strum(serialize = "story.published")]
    Published,
    /// The story was unpublished.
    #[strum(serialize = "story.unpublished")]
    Unpublished,
    /// The story was soft-deleted.
    #[strum(serialize = "story.deleted")]
    Deleted,
    /// The full slug of the story changed.
    #[strum(serialize = "story.moved")]
    Moved,
}

/// An event of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryEvent {
    /// The kind of event.
    pub kind: EventKind,
    pub story_id: StoryId,
    pub uuid: Uuid,
    /// Its path after the event.
    pub full_slug: String,
    /// Its path before the event, for [`EventKind::Moved`].
    pub old_full_slug: Option<String>,
}

/// What a command changed, as others are told of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Entries of the audit log, in order.
    pub audit: Vec<AuditEntry>,
    /// Events for webhooks, in order.
    pub events: Vec<StoryEvent>,
    /// Whether a published read can see the change, so that `cv` must move.
    pub public: bool,
}

impl Changes {
    /// These changes and then those.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        self.audit.extend(later.audit);
        self.events.extend(later.events);
        self.public |= later.public;
        self
    }

    /// One audit entry without details.
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
        self.audit.push(AuditEntry { action, target: ChangeTarget { kind, id: id.to_string(), label: label.into() }, meta });
        self
    }

    /// Marks the changes as ones that published reads can see.
    #[must_use]
    pub fn visible(mut self) -> Self {
        self.public = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;
    use serde_json::json;

    #[test]
    fn later_changes_follow_earlier_ones_and_one_visible_change_makes_all_visible() {
        let one = Changes::audited("createTag", "tag", 7, "red");
        let other = Changes::audited("deleteTag", "tag", 8, "blue").visible();
        let actions = |changes: &Changes| changes.audit.iter().map(|entry| entry.action).collect::<Vec<_>>();
        let both = one.clone().and(other.clone());
        assert_eq!((actions(&both), both.public), (vec!["createTag", "deleteTag"], true));
        assert!(other.and(one.clone()).public);
        assert!(!one.clone().and(one.clone()).public);
        let target = &one.audit[0].target;
        assert_eq!((target.kind, target.id.as_str(), target.label.as_str(), &one.audit[0].meta), ("tag", "7", "red", &json!({})));
    }
}
