//! What clients are told outside of any request: that sessions ended (OpenID Connect Back-Channel Logout
//! 1.0), and that an account was deleted.

use crate::shared::{DeliveryId, SessionId, UserId, timestamp};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// What a client is told, which is the kind of its receiver. Its name is in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum NoticeKind {
    /// Sessions ended: logout tokens, at the client's `backchannelLogoutUri`.
    Logout,
    /// Accounts were deleted: webhooks, at its `webhookUrl`.
    Account,
}

/// Sessions of a person ended, for one client. This is the body of a delivery as it is stored; a logout token
/// is made of it at each attempt, because such a token is valid for two minutes only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogoutNotice {
    pub client_id: String,
    pub user: UserId,
    /// The session; `None`: all sessions of the person ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
}

/// Who deleted an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Deleter {
    User,
    Admin,
}

/// The event of a deleted account.
pub const USER_DELETED: &str = "user.deleted";

/// An account was deleted, for one client: the body of the webhook, the same on every attempt. It has no
/// address: what is gone is not told once more.
#[derive(Debug, Clone, Serialize)]
pub struct AccountDeleted<'a> {
    action: &'static str,
    user_id: UserId,
    legacy_sub: Option<&'a str>,
    email_hash: Option<&'a str>,
    initiated_by: Deleter,
    client_id: &'a str,
    delivery_id: String,
    #[serde(serialize_with = "timestamp::serialize")]
    timestamp: Timestamp,
}

impl<'a> AccountDeleted<'a> {
    /// The body for a client. `gone` is the account, with the subject that it had in the system that it was
    /// imported from.
    pub fn new(gone: (UserId, Option<&'a str>), by: Deleter, client_id: &'a str, delivery: DeliveryId, at: Timestamp) -> Self {
        let (user_id, legacy_sub) = gone;
        Self {
            action: USER_DELETED,
            user_id,
            legacy_sub,
            email_hash: None,
            initiated_by: by,
            client_id,
            delivery_id: delivery.to_string(),
            timestamp: at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AccountDeleted, Deleter, DeliveryId, LogoutNotice, NoticeKind, SessionId, UserId};
    use uuid::Uuid;

    #[test]
    fn a_webhook_has_its_members_in_this_order_and_no_address() {
        let (user, delivery) = (UserId(Uuid::from_u128(1)), DeliveryId(Uuid::from_u128(2)));
        let body = AccountDeleted::new((user, None), Deleter::User, "web-app", delivery, "2026-11-21T08:00:00Z".parse().unwrap());
        assert_eq!(
            serde_json::to_string(&body).unwrap(),
            concat!(
                r#"{"action":"user.deleted","user_id":"00000000-0000-0000-0000-000000000001","legacy_sub":null,"email_hash":null,"#,
                r#""initiated_by":"user","client_id":"web-app","delivery_id":"whd_00000000000000000000000000000002","#,
                r#""timestamp":"2026-11-21T08:00:00.000Z"}"#
            )
        );
    }

    #[test]
    fn a_stored_notice_is_read_as_it_was_written() {
        for session in [None, Some(SessionId(Uuid::from_u128(2)))] {
            let notice = LogoutNotice { client_id: "web-app".to_owned(), user: UserId(Uuid::from_u128(1)), session };
            let text = serde_json::to_string(&notice).unwrap();
            assert_eq!(serde_json::from_str::<LogoutNotice>(&text).unwrap(), notice);
        }
    }

    #[test]
    fn a_kind_is_known_by_its_name() {
        for (kind, name) in [(NoticeKind::Logout, "logout"), (NoticeKind::Account, "account")] {
            assert_eq!((kind.into_str(), name.parse()), (name, Ok(kind)));
        }
        assert!("login".parse::<NoticeKind>().is_err());
    }
}
