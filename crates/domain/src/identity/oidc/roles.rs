//! Roles: which a client is told of a person, and whether they let that person sign in to it.
//!
//! Roles are assigned to a person for a group ([`Client::role_group`]), so that clients of one group share
//! them. A person to whom nothing is assigned in the group has the client's default roles; they are not
//! stored, so a change of the configuration reaches everybody.

use super::{Client, RoleGroup, RoleMode};
use crate::shared::{Code, Detail, Fault, FieldCode};

/// The role that is stored for a person who was given no role of a group, so that the default roles do not
/// apply. No client can declare it.
pub const NONE: &str = "";

/// The roles that a person has at a client, sorted: of those `assigned` in the client's group, the ones that
/// the client declares; or its default roles, if none is assigned at all. This is the value of the claim
/// `roles`.
pub fn effective(client: &Client, assigned: &[String]) -> Vec<String> {
    let mut roles: Vec<String> = if assigned.is_empty() {
        client.default_roles.clone()
    } else {
        assigned.iter().filter(|role| client.declares_role(role)).cloned().collect()
    };
    roles.sort_unstable();
    roles.dedup();
    roles
}

/// The roles that a client sets for a person, sorted and each once: only roles that it declares, and one at
/// most where the group takes one. 400 `unknownRole` or `tooManyRoles` otherwise.
pub fn check_own(client: &Client, mode: RoleMode, mut sent: Vec<String>) -> Result<Vec<String>, Fault> {
    if !sent.iter().all(|role| client.declares_role(role)) {
        return Err(Fault::new(Code::UnknownRole, format!("The roles of this client are: {}", client.roles.join(", "))));
    }
    sent.sort_unstable();
    sent.dedup();
    if mode == RoleMode::Single && sent.len() > 1 {
        return Err(Fault::of(Code::TooManyRoles));
    }
    Ok(sent)
}

/// The roles that a person has in the group after a client has set its own. Those that only other clients of
/// the group declare stay; but where the group takes one role, a role that is set takes the place of any
/// other.
pub fn after_setting(client: &Client, mode: RoleMode, held: &[String], set: &[String]) -> Vec<String> {
    let others = held.iter().filter(|role| !client.declares_role(role));
    let kept = others.filter(|_| mode == RoleMode::Multiple || set.is_empty());
    kept.chain(set).cloned().collect()
}

/// Checks the roles that are to be assigned in a group: 400 `unknownRole` for one that no client of the group
/// declares, `duplicateRole` for one that is named twice, and `tooManyRoles` for more than one where a person
/// has one.
pub fn check_assignable(group: &RoleGroup, roles: &[String]) -> Result<(), Fault> {
    let wrong = |code, of_field, message| Err(Fault::fields(code, vec![Detail::new("roles", of_field, message)]));
    if roles.iter().any(|role| !group.roles.contains(role)) {
        return wrong(Code::UnknownRole, FieldCode::UnknownRole, "has a role that no client of the group declares");
    }
    // Each is one of the group's, so there are at most as many as those, or one is there twice.
    if roles.len() > group.roles.len() || roles.iter().enumerate().any(|(at, role)| roles.iter().take(at).any(|r| r == role)) {
        return wrong(Code::DuplicateRole, FieldCode::DuplicateRole, "names a role twice");
    }
    if group.mode == RoleMode::Single && roles.len() > 1 {
        return wrong(
            Code::TooManyRoles,
            FieldCode::TooManyRoles,
            "has more than the one role that a person can have in this group",
        );
    }
    Ok(())
}

/// Whether a person with these [`effective`] roles may sign in to the client: everybody, unless it has login
/// roles.
pub fn may_sign_in(client: &Client, effective: &[String]) -> bool {
    client.login_roles.is_empty() || effective.iter().any(|role| client.login_roles.contains(role))
}

#[cfg(test)]
mod tests {
    use super::{NONE, after_setting, check_assignable, check_own, effective, may_sign_in};
    use crate::identity::oidc::{Client, Clients, RoleMode};

    fn client(rest: &str) -> Client {
        let json =
            format!(r#"[{{"clientId":"web","redirectUris":["https://a.example/cb"],"roles":["viewer","editor","admin"]{rest}}}]"#);
        Client::clone(Clients::parse(&json).unwrap().find("web").unwrap())
    }

    fn roles(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_client_is_told_the_roles_that_it_declares_sorted() {
        let client = client("");
        assert_eq!(effective(&client, &roles(&["viewer", "owner", "admin"])), ["admin", "viewer"]);
        assert_eq!(effective(&client, &roles(&["owner"])), [""; 0]);
        assert_eq!(effective(&client, &[]), [""; 0]);
    }

    #[test]
    fn a_client_sets_roles_that_it_declares_and_leaves_the_others() {
        let client = client("");
        let sent = |names: &[&str], mode| check_own(&client, mode, roles(names)).map_err(|fault| fault.code.name());
        assert_eq!(sent(&["viewer", "admin", "viewer"], RoleMode::Multiple), Ok(roles(&["admin", "viewer"])));
        assert_eq!(sent(&["viewer", "owner"], RoleMode::Multiple), Err("unknownRole"));
        assert_eq!(sent(&["viewer", "admin"], RoleMode::Single), Err("tooManyRoles"));
        assert_eq!(sent(&["viewer", "viewer"], RoleMode::Single), Ok(roles(&["viewer"])));
        assert_eq!(sent(&[], RoleMode::Single), Ok(Vec::new()));

        let held = roles(&["owner", "viewer"]);
        let after = |mode, set: &[&str]| after_setting(&client, mode, &held, &roles(set));
        assert_eq!(after(RoleMode::Multiple, &["editor"]), ["owner", "editor"]);
        assert_eq!(after(RoleMode::Multiple, &[]), ["owner"]);
        assert_eq!(after(RoleMode::Single, &["editor"]), ["editor"]);
        assert_eq!(after(RoleMode::Single, &[]), ["owner"], "the role of another client is not taken away");
    }

    #[test]
    fn default_roles_are_for_people_to_whom_nothing_is_assigned_in_the_group() {
        let client = client(r#","defaultRoles":["viewer"]"#);
        assert_eq!(effective(&client, &[]), ["viewer"]);
        assert_eq!(effective(&client, &roles(&["editor"])), ["editor"]);
        assert_eq!(effective(&client, &roles(&["owner"])), [""; 0], "a role of another client of the group");
        assert_eq!(effective(&client, &roles(&[NONE])), [""; 0], "no role, by decision");
    }

    #[test]
    fn only_declared_roles_are_assignable_each_once_and_one_where_a_person_has_one() {
        let json = r#"[{"clientId":"one","redirectUris":["https://a.example/cb"],"roles":["viewer","editor"],"roleMode":"single"},
                       {"clientId":"many","redirectUris":["https://b.example/cb"],"roles":["viewer","editor"]}]"#;
        let clients = Clients::parse(json).unwrap();
        let check = |group: &str, names: &[&str]| {
            check_assignable(clients.role_group(group).unwrap(), &roles(names)).map_err(|fault| fault.code.name())
        };
        for names in [&[][..], &["editor"]] {
            assert_eq!((check("one", names), check("many", names)), (Ok(()), Ok(())), "{names:?}");
        }
        assert_eq!((check("one", &["viewer", "editor"]), check("many", &["viewer", "editor"])), (Err("tooManyRoles"), Ok(())));
        assert_eq!(check("many", &["viewer", "viewer"]), Err("duplicateRole"));
        assert_eq!(check("many", &vec!["viewer"; 10_000]), Err("duplicateRole"));
        for unknown in ["owner", NONE, "Viewer"] {
            assert_eq!(check("many", &["viewer", unknown]), Err("unknownRole"), "{unknown:?}");
        }
    }

    #[test]
    fn a_client_with_login_roles_is_for_people_with_one_of_them() {
        let client = client(r#","loginRoles":["editor","admin"]"#);
        for (held, may) in [(&["viewer"][..], false), (&["editor"], true), (&["viewer", "admin"], true), (&[], false)] {
            assert_eq!(may_sign_in(&client, &roles(held)), may, "{held:?}");
        }
        assert!(may_sign_in(&self::client(""), &[]), "no login roles");
    }
}
