//! Roles: which a client is told of a person, and whether they let that person sign in to it.
//!
//! Roles are assigned to a person for a group ([`Client::role_group`]), so that clients of one group share them. A person to whom nothing is assigned in
//! the group has the client's default roles; they are not stored, so a change of the configuration reaches everybody.

use super::Client;

/// The roles that a person has at a client, sorted: of those `assigned` in the client's group, the ones that the client declares; or its default roles, if
/// none is assigned at all. This is the value of the claim `roles`.
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

/// Whether a person with these [`effective`] roles may sign in to the client: everybody, unless it has login roles.
pub fn may_sign_in(client: &Client, effective: &[String]) -> bool {
    client.login_roles.is_empty() || effective.iter().any(|role| client.login_roles.contains(role))
}

#[cfg(test)]
mod tests {
    use super::{effective, may_sign_in};
    use crate::identity::oidc::{Client, Clients};

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
    fn default_roles_are_for_people_to_whom_nothing_is_assigned_in_the_group() {
        let client = client(r#","defaultRoles":["viewer"]"#);
        assert_eq!(effective(&client, &[]), ["viewer"]);
        assert_eq!(effective(&client, &roles(&["editor"])), ["editor"]);
        assert_eq!(effective(&client, &roles(&["owner"])), [""; 0], "a role of another client of the group");
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
