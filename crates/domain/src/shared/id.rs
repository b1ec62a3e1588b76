//! Identifiers as types: a story's number cannot be passed where a space's is wanted, in statements too:
//! PostgreSQL gets the number or UUID itself.

use postgres_types::{FromSql, ToSql};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::{Uuid, fmt::Hyphenated};

/// An identifier that is a number, for code that serves several kinds of things.
pub trait NumericId: fmt::Debug + fmt::Display + Copy + Ord + Send + Sync + 'static {
    /// The identifier with a number.
    fn of(number: i64) -> Self;

    /// The number.
    fn number(self) -> i64;
}

/// Makes a number assigned by PostgreSQL into a type of its own. On the wire it is a JSON integer below 2^53.
macro_rules! numeric_id {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSql, FromSql)]
        #[serde(transparent)]
        #[postgres(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }

        impl NumericId for $name {
            fn of(number: i64) -> Self {
                Self(number)
            }

            fn number(self) -> i64 {
                self.0
            }
        }
    )+};
}

/// Makes a UUID into a type of its own.
macro_rules! uuid_id {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSql, FromSql)]
        #[serde(transparent)]
        #[postgres(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            /// Only with its hyphens: the other forms that a UUID can be written in would be further names of
            /// one thing.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(|id: Hyphenated| Self(id.into_uuid()))
            }
        }
    )+};
}

numeric_id! {
    /// A space: the tenant that every content row belongs to.
    SpaceId;
    /// A story or a folder.
    StoryId;
    /// A component definition.
    ComponentId;
    /// A component group.
    GroupId;
    /// A component preset.
    PresetId;
    /// A datasource: a list of entries to choose from.
    DatasourceId;
    /// A dimension of a datasource: a second value for each entry, most often a language.
    DimensionId;
    /// An entry of a datasource.
    EntryId;
    /// A delivery or management token (never the secret itself).
    TokenId;
    /// An asset: a file with its metadata.
    AssetId;
    /// A folder of assets.
    AssetFolderId;
    /// A job of the queue.
    JobId;
    /// An import of a whole space.
    ImportId;
    /// A webhook of a space.
    WebhookId;
    /// A receiver outside to which deliveries are sent.
    ReceiverId;
    /// A scheduled publish of a story.
    SchedulingId;
    /// A membership of a space, or an invitation, which becomes one.
    MemberId;
    /// A tag that editors put on assets or components.
    InternalTagId;
}

impl UserId {
    /// The number under which Storyblok's clients know a person: the last 52 bits of the UUID, which are
    /// random in every version of UUIDs that is used here.
    pub fn number(self) -> i64 {
        i64::try_from(self.0.as_u128() & ((1 << 52) - 1)).unwrap_or_default()
    }
}

impl StoryId {
    /// The `parent_id` of stories at the top of a space; Storyblok's lists write it as 0, too.
    pub const ROOT: Self = Self(0);
}

uuid_id! {
    /// An account; it is the OIDC `sub`.
    UserId;
    /// A person's session, named by the cookie's `sid`.
    SessionId;
    /// A passkey; its WebAuthn credential id is another one.
    PasskeyId;
    /// A mail to a person; its Message-ID contains this.
    MailId;
}

#[cfg(test)]
mod tests {
    use super::UserId;
    use uuid::Uuid;

    #[test]
    fn the_number_of_a_person_is_the_last_52_bits_of_the_uuid() {
        let number = |bits: u128| UserId(Uuid::from_u128(bits)).number();
        assert_eq!(number(u128::MAX), 4_503_599_627_370_495);
        assert_eq!(number(0xabcd_ef01_2345_6789_0fed_cba9_8765_4321), 0xd_cba9_8765_4321);
        assert_eq!(number(1 << 52), 0);
        assert_eq!(number(5), 5);
    }
}
