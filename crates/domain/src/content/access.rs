//! Rights in a space, and the roles of management tokens that grant them.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The role of a management token. Its name is on the wire and in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(const_into_str, serialize_all = "lowercase")]
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
    /// Whether a token of this role has the right.
    pub fn may(self, right: Right) -> bool {
        match right {
            Right::Read => true,
            Right::WriteContent => self != Self::Viewer,
            Right::Administer => self == Self::Admin,
        }
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
