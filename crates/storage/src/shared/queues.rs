//! The queues of both services, as administrators see them: what waits, runs and is dead, and how old it is.
//! Each figure is read from an index of unfinished work, so that it costs the same however much was done
//! before.

use strum::{EnumString, IntoStaticStr, VariantArray};

mod dead;
mod figures;

pub use dead::{DeadWork, find_dead_delivery, find_dead_job, list_dead, newest_job, redeliver_all, redeliver_one, redrive_all};
pub use figures::{QueueFigures, count_all};

/// A queue by the name that administrators know it by. Its name is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "camelCase")]
pub enum QueueName {
    Mail,
    /// Deliveries to webhooks of spaces.
    Webhooks,
    /// Logout tokens to clients of the OpenID provider (OpenID Connect Back-Channel Logout 1.0).
    Logouts,
    /// Deliveries to clients of the OpenID provider that tell of accounts.
    AccountWebhooks,
    Imports,
    /// Publishing and unpublishing at a time.
    Schedules,
    /// What the server does by itself now and then: clean-ups, and the rotation of signing keys.
    Maintenance,
}

/// Where the work of a queue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoryPlace {
    /// `mails`, with a job for each.
    Mails,
    /// `delivery_queue`, of receivers of this kind.
    Deliveries(&'static str),
    /// `jobs` of these queues.
    Jobs(&'static [&'static str]),
    /// Times of stories, and `story_schedulings`.
    Schedules,
}

impl QueueName {
    /// Whether its work can be given up. The rest is tried for ever.
    pub fn has_dead(self) -> bool {
        !matches!(self, Self::Schedules | Self::Maintenance)
    }

    /// Whether its work is sent to receivers.
    pub fn has_deliveries(self) -> bool {
        matches!(self.place(), StoryPlace::Deliveries(_))
    }

    pub(super) fn place(self) -> StoryPlace {
        match self {
            Self::Mail => StoryPlace::Mails,
            Self::Webhooks => StoryPlace::Deliveries("webhook"),
            Self::Logouts => StoryPlace::Deliveries("logout"),
            Self::AccountWebhooks => StoryPlace::Deliveries("account"),
            Self::Imports => StoryPlace::Jobs(&["import", "import.local"]),
            Self::Schedules => StoryPlace::Schedules,
            Self::Maintenance => StoryPlace::Jobs(&["janitor", "signing_keys"]),
        }
    }
}
