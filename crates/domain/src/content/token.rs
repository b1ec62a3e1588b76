//! Tokens: who may read a space's delivery API, and who may manage it (decisions 10). A secret is seen once, when it is made.

use super::{Role, checks::Checks};
use crate::shared::{Fault, TokenId};
use jiff::Timestamp;
use serde::Deserialize;

/// How many live tokens of each sort a space may have.
pub const MAX_TOKENS: i64 = 200;

/// What a delivery token opens.
///
/// The hosted service knows `public`, and `private` for what its interface calls preview tokens. Here `access` names our three kinds
/// one to one: who asks for `private` as on the hosted service gets what that word promises there, a token that reads drafts too.
/// `preview` reads the same; it is the one to give to a preview site, so that the server's own `private` one never has to leave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryKind {
    /// Published content only.
    Public,
    /// Drafts and published content, for previews.
    Preview,
    /// Drafts and published content, for servers.
    Private,
}

impl DeliveryKind {
    /// Every kind, in the order of the answer to a new space.
    pub const ALL: [Self; 3] = [Self::Public, Self::Preview, Self::Private];

    /// The name on the wire (`access`) and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Preview => "preview",
            Self::Private => "private",
        }
    }

    /// What its tokens start with.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Public => "sbpub_",
            Self::Preview => "sbprev_",
            Self::Private => "sbpriv_",
        }
    }

    /// The name of a token that was given none.
    pub fn default_name(self) -> &'static str {
        match self {
            Self::Public => "Public",
            Self::Preview => "Preview",
            Self::Private => "Private",
        }
    }

    /// Whether a text can be a token of any kind: who looks it up may ask this first. As `crypto::token::generate` makes them, 40
    /// hexadecimal characters follow the prefix.
    pub fn is_token(text: &str) -> bool {
        let secret = Self::ALL.iter().find_map(|kind| text.strip_prefix(kind.prefix()));
        secret.is_some_and(|secret| secret.len() == 40 && secret.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
    }

    /// Whether it reads drafts.
    pub fn reads_drafts(self) -> bool {
        self != Self::Public
    }

    /// The kind of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A delivery token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryToken {
    /// Its number.
    pub id: TokenId,
    /// What it opens.
    pub kind: DeliveryKind,
    /// The name people see.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a caller sends for a new delivery token.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NewDeliveryToken {
    access: Option<String>,
    name: Option<String>,
}

impl NewDeliveryToken {
    /// Kind and name of the token.
    pub fn checked(&self) -> Result<(DeliveryKind, String), Fault> {
        let kind = self.access.as_deref().and_then(DeliveryKind::of);
        let mut checks = Checks::default();
        if kind.is_none() {
            checks.refuse("access", "invalid", "must be public, preview or private");
        }
        checks.text("name", self.name.as_deref(), 255);
        checks.finish()?;
        let kind = kind.unwrap_or(DeliveryKind::Public);
        let name = self.name.as_deref().map(str::trim).filter(|name| !name.is_empty()).unwrap_or(kind.default_name());
        Ok((kind, name.to_owned()))
    }
}

/// The two formats of management tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ManagementKind {
    /// `sbmgmt_`: always admin.
    Legacy,
    /// `sbmcp_`: of one role.
    Role,
}

impl ManagementKind {
    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Role => "role",
        }
    }

    /// What its tokens start with.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Legacy => "sbmgmt_",
            Self::Role => "sbmcp_",
        }
    }

    /// The kind of a name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::Legacy, Self::Role].into_iter().find(|kind| kind.name() == name)
    }
}

/// A management token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagementToken {
    /// Its number.
    pub id: TokenId,
    /// Its format.
    pub kind: ManagementKind,
    /// What it may do.
    pub role: Role,
    /// The name people see.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last presented, to the minute.
    pub last_used_at: Option<Timestamp>,
}

/// What a caller sends for a new management token.
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
    /// A token of the kind `role` says which role; there is no default, so that nobody makes an admin by leaving a word out. The kind
    /// defaults to `role`. A legacy token is admin: another role is 422.
    pub fn checked(&self) -> Result<(ManagementKind, Role, String), Fault> {
        let name = self.name.as_deref().unwrap_or_default().trim();
        let mut checks = Checks::default();
        checks.required("name", name, 255);
        let kind = ManagementKind::of(self.kind.as_deref().unwrap_or("role"));
        let role = match (kind, self.role.as_deref()) {
            (Some(ManagementKind::Legacy), None) => Some(Role::Admin),
            (_, named) => named.and_then(Role::of),
        };
        if kind.is_none() {
            checks.refuse("kind", "invalid", "must be role or legacy");
        }
        match role {
            None => checks.refuse("role", "invalid", "must be admin, editor or viewer"),
            Some(Role::Editor | Role::Viewer) if kind == Some(ManagementKind::Legacy) => {
                checks.refuse("role", "invalid", "must be admin: a legacy token always is");
            }
            Some(_) => {}
        }
        checks.finish()?;
        match (kind, role) {
            (Some(kind), Some(role)) => Ok((kind, role, name.to_owned())),
            // Not reached: both were noted above.
            _ => Err(Fault::invalid("role", "invalid", "must be admin, editor or viewer")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ManagementKind, NewManagementToken};
    use crate::content::Role;

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
}
