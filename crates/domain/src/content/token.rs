//! Tokens of the delivery API and of the management API. A secret is shown once, when the token is created.

use super::{Role, checks::Checks, story_scope::StoryScope};
use crate::shared::{Fault, FieldCode, StoryId, TokenId};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The most valid tokens of each sort in a space.
pub const MAX_TOKENS: i64 = 200;

/// The content that a delivery token may read.
///
/// Storyblok knows `public`, and `private` for the tokens that its interface calls preview tokens. Here
/// `access` names three kinds: `private` is what it is at Storyblok, a token that reads drafts too. `preview`
/// reads the same, and is meant for preview sites, so that the `private` token of a server never has to leave
/// that server. Its name is on the wire (`access`) and in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum DeliveryKind {
    Public,
    /// Drafts and published content, for previews.
    Preview,
    /// Drafts and published content, for servers.
    Private,
}

impl DeliveryKind {
    /// The prefix of its tokens.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Public => "sbpub_",
            Self::Preview => "sbprev_",
            Self::Private => "sbpriv_",
        }
    }

    /// The name of a token that was created without one.
    pub fn default_name(self) -> &'static str {
        match self {
            Self::Public => "Public",
            Self::Preview => "Preview",
            Self::Private => "Private",
        }
    }

    /// Whether a text has the form of a token, so that a lookup is worth it: `crypto::token::generate` puts
    /// 40 hexadecimal characters behind the prefix.
    pub fn is_token(text: &str) -> bool {
        let secret = Self::VARIANTS.iter().find_map(|kind| text.strip_prefix(kind.prefix()));
        secret.is_some_and(|secret| secret.len() == 40 && secret.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
    }

    /// Whether its text is kept, sealed, because previews are signed with it.
    pub fn signs_previews(self) -> bool {
        self == Self::Preview
    }

    /// Whether it reads drafts.
    pub fn reads_drafts(self) -> bool {
        self != Self::Public
    }
}

/// A delivery token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryToken {
    pub id: TokenId,
    /// The content that it may read.
    pub kind: DeliveryKind,
    /// The name people see.
    pub name: String,
    /// The stories that it may read.
    pub scope: StoryScope,
    /// The time of its creation.
    pub created_at: Timestamp,
}

/// The body of a request for a new delivery token.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NewDeliveryToken {
    access: Option<String>,
    name: Option<String>,
    story_ids: Option<Vec<StoryId>>,
    branch_id: Value,
    release_ids: Value,
    min_cache: Value,
}

impl NewDeliveryToken {
    /// Whether it asks for a token that reads drafts.
    pub fn reads_drafts(&self) -> bool {
        self.access.as_deref().is_some_and(|name| name.parse().is_ok_and(DeliveryKind::reads_drafts))
    }

    /// Kind, name and scope of the token. 422 for a scope that does not exist here: a token must not read
    /// more than was asked for.
    pub fn checked(&self) -> Result<(DeliveryKind, String, StoryScope), Fault> {
        let kind = self.access.as_deref().and_then(|name| name.parse::<DeliveryKind>().ok());
        let mut checks = Checks::default();
        if kind.is_none() {
            checks.refuse("access", FieldCode::Invalid, "must be public, preview or private");
        }
        checks.text("name", self.name.as_deref(), 255);
        let scope = StoryScope::checked(self.story_ids.as_deref().unwrap_or_default(), &mut checks);
        for (field, value) in [("branch_id", &self.branch_id), ("release_ids", &self.release_ids), ("min_cache", &self.min_cache)] {
            if !is_unset(value) {
                checks.refuse(field, FieldCode::NotSupported, "is not supported; leave it out");
            }
        }
        checks.finish()?;
        let kind = kind.unwrap_or(DeliveryKind::Public);
        let name = self.name.as_deref().map(str::trim).filter(|name| !name.is_empty()).unwrap_or(kind.default_name());
        Ok((kind, name.to_owned(), scope))
    }
}

/// Whether a member asks for nothing, in the ways that Storyblok's own answers write it.
fn is_unset(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(values) => values.is_empty(),
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// The two formats of management tokens. Its name is on the wire and in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum ManagementKind {
    /// `sbmgmt_`: always admin.
    Legacy,
    /// `sbmcp_`: of one role.
    Role,
}

impl ManagementKind {
    /// The prefix of its tokens.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Legacy => "sbmgmt_",
            Self::Role => "sbmcp_",
        }
    }
}

/// A management token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagementToken {
    pub id: TokenId,
    pub kind: ManagementKind,
    /// Its role, which decides what it may do.
    pub role: Role,
    /// The name people see.
    pub name: String,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last use, to the minute.
    pub last_used_at: Option<Timestamp>,
}

/// The body of a request for a new management token.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NewManagementToken {
    name: Option<String>,
    role: Option<String>,
    kind: Option<String>,
}

impl NewManagementToken {
    /// Kind, role and name of the token.
    ///
    /// A token of the kind `role` must name its role: a default could create an admin token by mistake. The
    /// kind defaults to `role`. A legacy token is admin: another role is 422.
    pub fn checked(&self) -> Result<(ManagementKind, Role, String), Fault> {
        let name = self.name.as_deref().unwrap_or_default().trim();
        let mut checks = Checks::default();
        checks.required("name", name, 255);
        let kind = self.kind.as_deref().unwrap_or("role").parse().ok();
        let role = match (kind, self.role.as_deref()) {
            (Some(ManagementKind::Legacy), None) => Some(Role::Admin),
            (_, named) => named.and_then(|name| name.parse().ok()),
        };
        if kind.is_none() {
            checks.refuse("kind", FieldCode::Invalid, "must be role or legacy");
        }
        match role {
            None => checks.refuse("role", FieldCode::Invalid, "must be admin, editor or viewer"),
            Some(Role::Editor | Role::Viewer) if kind == Some(ManagementKind::Legacy) => {
                checks.refuse("role", FieldCode::Invalid, "must be admin: a legacy token always is");
            }
            Some(_) => {}
        }
        checks.finish()?;
        match (kind, role) {
            (Some(kind), Some(role)) => Ok((kind, role, name.to_owned())),
            // Not reached: both errors were added above.
            _ => Err(Fault::invalid("role", FieldCode::Invalid, "must be admin, editor or viewer")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DeliveryKind, ManagementKind, NewDeliveryToken, NewManagementToken};
    use crate::content::Role;

    #[test]
    fn a_scope_that_does_not_exist_is_refused_and_an_unset_one_is_none() {
        let verdict = |body: &str| {
            let new: NewDeliveryToken = serde_json::from_str(body).unwrap();
            new.checked().map(|(_, _, scope)| scope.ids()).map_err(|fault| fault.details[0].field.clone())
        };
        for unset in [
            r#"{"access":"public"}"#,
            r#"{"access":"public","story_ids":[],"branch_id":null,"release_ids":[],"min_cache":0}"#,
            r#"{"access":"public","story_ids":null,"branch_id":""}"#,
        ] {
            assert_eq!(verdict(unset), Ok(None), "{unset}");
        }
        assert_eq!(verdict(r#"{"access":"public","story_ids":[9,4]}"#), Ok(Some(vec![4, 9])));
        for (body, field) in [
            (r#"{"access":"public","branch_id":3}"#, "branch_id"),
            (r#"{"access":"public","release_ids":[3]}"#, "release_ids"),
            (r#"{"access":"public","min_cache":60}"#, "min_cache"),
            (r#"{"access":"public","min_cache":"60"}"#, "min_cache"),
        ] {
            assert_eq!(verdict(body), Err(field.to_owned()), "{body}");
        }
        let many: Vec<i64> = (1..=1_001).collect();
        assert_eq!(verdict(&format!(r#"{{"access":"public","story_ids":{many:?}}}"#)), Err("story_ids".to_owned()));
    }

    #[test]
    fn legacy_tokens_are_admin_and_roles_are_named() {
        let verdict = |body: &str| {
            let new: NewManagementToken = serde_json::from_str(body).unwrap();
            new.checked().map(|(kind, role, _)| (kind, role)).map_err(|fault| fault.details[0].field.clone())
        };
        assert_eq!(verdict(r#"{"name":"a","kind":"legacy"}"#), Ok((ManagementKind::Legacy, Role::Admin)));
        assert_eq!(verdict(r#"{"name":"a","kind":"legacy","role":"admin"}"#), Ok((ManagementKind::Legacy, Role::Admin)));
        assert_eq!(verdict(r#"{"name":"a","role":"viewer"}"#), Ok((ManagementKind::Role, Role::Viewer)));
        for (body, field) in [
            (r#"{"name":"a","kind":"legacy","role":"viewer"}"#, "role"),
            (r#"{"name":"a"}"#, "role"),
            (r#"{"name":"a","role":"root"}"#, "role"),
            (r#"{"name":"a","role":"admin","kind":"x"}"#, "kind"),
            (r#"{"name":" ","role":"admin"}"#, "name"),
        ] {
            assert_eq!(verdict(body), Err(field.to_owned()), "{body}");
        }
    }

    #[test]
    fn kinds_of_delivery_tokens_have_names_and_prefixes_and_all_but_public_read_drafts() {
        for (kind, name, label, prefix, reads_drafts) in [
            (DeliveryKind::Public, "public", "Public", "sbpub_", false),
            (DeliveryKind::Preview, "preview", "Preview", "sbprev_", true),
            (DeliveryKind::Private, "private", "Private", "sbpriv_", true),
        ] {
            assert_eq!(
                (kind.into_str(), kind.default_name(), kind.prefix(), kind.reads_drafts()),
                (name, label, prefix, reads_drafts)
            );
            assert_eq!(name.parse(), Ok(kind));
            let secret = "0123456789".repeat(4);
            let letters = "abcdef0123".repeat(4);
            assert!(DeliveryKind::is_token(&format!("{prefix}{secret}")) && DeliveryKind::is_token(&format!("{prefix}{letters}")));
            for wrong in
                [secret.trim_end_matches('9'), &format!("{secret}0"), &letters.to_uppercase(), &letters.replace('f', "g"), ""]
            {
                assert!(!DeliveryKind::is_token(&format!("{prefix}{wrong}")), "{wrong}");
            }
            assert!(!DeliveryKind::is_token(&secret));
        }
        assert!("secret".parse::<DeliveryKind>().is_err());
    }

    #[test]
    fn a_delivery_token_has_a_name_or_that_of_its_kind() {
        let checked = |body: &str| {
            let new: NewDeliveryToken = serde_json::from_str(body).unwrap();
            new.checked().map(|(kind, name, _)| (kind, name)).map_err(|fault| fault.details[0].field.clone())
        };
        for unnamed in [r#"{"access":"preview"}"#, r#"{"access":"preview","name":""}"#, r#"{"access":"preview","name":"  "}"#] {
            assert_eq!(checked(unnamed), Ok((DeliveryKind::Preview, "Preview".into())), "{unnamed}");
        }
        assert_eq!(checked(r#"{"access":"private","name":" site "}"#), Ok((DeliveryKind::Private, "site".into())));
        for wrong in ["{}", r#"{"access":"all"}"#, r#"{"access":"Public"}"#] {
            assert_eq!(checked(wrong), Err("access".into()), "{wrong}");
        }
    }

    #[test]
    fn kinds_of_management_tokens_have_names_and_prefixes() {
        for (kind, name, prefix) in [(ManagementKind::Legacy, "legacy", "sbmgmt_"), (ManagementKind::Role, "role", "sbmcp_")] {
            assert_eq!((kind.into_str(), kind.prefix(), name.parse()), (name, prefix, Ok(kind)));
        }
    }
}
