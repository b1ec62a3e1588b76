//! Rights in a space, and the roles of members and of management tokens that grant them.

pub use crate::shared::Role;

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
    /// Whether the role has the right.
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
    use strum::VariantArray;

    #[test]
    fn the_lesser_role_may_what_both_may() {
        for (left, right) in Role::VARIANTS.iter().flat_map(|left| Role::VARIANTS.iter().map(move |right| (*left, *right))) {
            for needed in [Right::Read, Right::WriteContent, Right::Administer] {
                assert_eq!(left.lesser(right).may(needed), left.may(needed) && right.may(needed), "{left:?} {right:?}");
            }
        }
    }

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
