//! The keys of objects.

use crate::shared::{Entropy, SpaceId};
use jiff::{SignedDuration, Timestamp};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// The key of one object, never used twice. It contains the time of its creation, so that the age of an
/// object does not depend on the clock of an object store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectKey {
    /// The space of the asset.
    pub space: SpaceId,
    /// Version 7 (RFC 9562, section 5.7): the time, and 74 random bits.
    pub id: Uuid,
}

impl ObjectKey {
    /// How long an object may exist without a row. After that the janitor takes it for the remainder of a
    /// failed upload.
    pub const UNCLAIMED_FOR: SignedDuration = SignedDuration::from_hours(24);

    /// A new key.
    pub fn new(space: SpaceId, now: Timestamp, entropy: &dyn Entropy) -> Self {
        let mut random = [0; 10];
        entropy.fill(&mut random);
        let millis = u64::try_from(now.as_millisecond()).unwrap_or_default();
        Self { space, id: uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid() }
    }

    /// The part of the key that public paths contain.
    pub fn hash(self) -> uuid::fmt::Simple {
        self.id.simple()
    }

    /// The time of its creation.
    pub fn created_at(self) -> Timestamp {
        let (seconds, nanos) = self.id.get_timestamp().map_or((0, 0), |timestamp| timestamp.to_unix());
        let (seconds, nanos) = (i64::try_from(seconds).unwrap_or(i64::MAX), i32::try_from(nanos).unwrap_or_default());
        Timestamp::new(seconds, nanos).unwrap_or(Timestamp::MAX)
    }

    /// Whether the janitor may remove the object when no row names it.
    pub fn is_overdue(self, now: Timestamp) -> bool {
        now.duration_since(self.created_at()) > Self::UNCLAIMED_FOR
    }

    /// Whether a row may still be written for the object. The limit is an hour before the janitor's, so that
    /// the two never race.
    pub fn is_fresh(self, now: Timestamp) -> bool {
        now.duration_since(self.created_at()) < Self::UNCLAIMED_FOR - SignedDuration::from_hours(1)
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f/{}/{}", self.space, self.hash())
    }
}

impl FromStr for ObjectKey {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (space, id) = text.strip_prefix("f/").and_then(|s| s.split_once('/')).ok_or(())?;
        let key = Self { space: space.parse().map_err(|_| ())?, id: id.parse().map_err(|_| ())? };
        // Other spellings of a UUID parse as well, and are no keys.
        if key.to_string() == text && key.id.get_version_num() == 7 { Ok(key) } else { Err(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::ObjectKey;
    use crate::shared::{Entropy, SpaceId};
    use jiff::{SignedDuration, Timestamp};

    struct Same;

    impl Entropy for Same {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0xcd);
        }
    }

    #[test]
    fn a_key_tells_its_age_and_reads_back() {
        let now: Timestamp = "2026-11-21T12:00:00.123Z".parse().unwrap();
        let key = ObjectKey::new(SpaceId(3), now, &Same);
        assert_eq!(key.created_at(), now);
        assert_eq!(key.to_string().parse(), Ok(key));
        let after = |hours| now + SignedDuration::from_hours(hours);
        assert!(key.is_fresh(after(22)) && !key.is_fresh(after(23)) && !key.is_overdue(after(24)) && key.is_overdue(after(25)));
    }

    #[test]
    fn what_is_not_ours_is_no_key() {
        for text in [
            "f/3/0192d3b0-0000-7000-8000-000000000000",
            "f/03/0192d3b0000070008000000000000000",
            "f/3/0192D3B0000070008000000000000000",
            "f/3/0192d3b0000040008000000000000000",
            "g/3/0192d3b0000070008000000000000000",
            "f/3",
            "f/3/../x",
        ] {
            assert_eq!(text.parse::<ObjectKey>(), Err(()), "{text}");
        }
        assert!("f/3/0192d3b0000070008000000000000000".parse::<ObjectKey>().is_ok());
    }
}
