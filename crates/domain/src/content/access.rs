//! Rights in a space, and the roles of management tokens that grant them.

use serde::{Deserialize, Serialize};

/// The role of a management token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Admin,
    /// Reads all but tokens, secrets and the audit log; writes stories, datasources and assets.
    Editor,
    /// Reads what an editor reads.
    Viewer,
}

/// What a management endpoint requires of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// Read content and its structure.
    Read,
    /// Write stories (publishing too), datasources and assets.
    WriteContent,
    /// Write components, settings, tokens and webhooks; read tokens and the audit log.
    Administer,
}

impl Role {
    /// Every role, from the one that may do most to the one that may do least.
    pub const ALL: [Self; 3] = [Self::Admin, Self::Editor, Self::Viewer];

    /// Whether a token of this role has the right.
    pub fn may(self, right: Right) -> bool {
        match right {
            Right::Read => true,
            Right::WriteContent => self != Self::Viewer,
            Right::Administer => self == Self::Admin,
        }
    }

    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Editor => "editor",
            Self::Viewer => "viewer",
        }
    }

    /// The role of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Right, Role};

    #[test]
    fn each_role_has_its_rights() {
        use Right::{Administer, Read, WriteContent};
        for (role, rights) in [
            (Role::Admin, [(Read, true), (WriteContent, true), (Administer, true)]),
            (Role::Editor, [(Read, true), (WriteContent, true), (Administer, false)]),
            (Role::Viewer, [(Read, true), (WriteContent, false), (Administer, false)]),
        ] {
            for (right, allowed) in rights {
                assert_eq!(role.may(right), allowed, "{role:?} {right:?}");
            }
        }
    }
}
