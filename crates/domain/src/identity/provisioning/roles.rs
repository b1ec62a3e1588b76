//! The roles of a row: `{"<client or role group>": ["<role>", …]}`.

use super::{RowCode, RowRefusal, request::shown};
use crate::identity::oidc::{Clients, RoleMode};
use std::collections::{BTreeMap, BTreeSet};

/// The roles as they were sent, by client or role group.
pub type SentRoles<'a> = Vec<(&'a str, Vec<&'a str>)>;

/// The roles to assign, by role group. A client may only be named with roles that it declares, a group with
/// those of any of its clients; a group whose mode is single takes one role, however it is named. The error
/// is `badRole`.
pub fn resolve(clients: &Clients, sent: &SentRoles<'_>) -> Result<Vec<(String, String)>, RowRefusal> {
    let bad = |message: String| RowRefusal::new(RowCode::BadRole, message);
    let mut assigned: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, roles) in sent {
        let group = clients.role_group(name).map(|group| (*name, group.roles.as_slice()));
        let client = || clients.find(name).map(|client| (client.role_group(), client.roles.as_slice()));
        let (group, declared) =
            group.or_else(client).ok_or_else(|| bad(format!("roles.{}: no client or role group", shown(name))))?;
        for role in roles {
            if !declared.iter().any(|declared| declared == role) {
                return Err(bad(format!("roles.{}: {} is not declared there", shown(name), shown(role))));
            }
            assigned.entry(group).or_default().insert(role);
        }
    }
    let is_single = |group: &str| clients.role_group(group).is_some_and(|group| group.mode == RoleMode::Single);
    if let Some((group, _)) = assigned.iter().find(|(group, roles)| roles.len() > 1 && is_single(group)) {
        return Err(bad(format!("roles.{}: takes one role only", shown(group))));
    }
    let pairs = assigned.iter().flat_map(|(group, roles)| roles.iter().map(|role| ((*group).to_owned(), (*role).to_owned())));
    Ok(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::resolve;
    use crate::identity::oidc::Clients;

    fn resolved(sent: &[(&str, &[&str])]) -> Result<Vec<String>, String> {
        let clients = Clients::parse(
            r#"[
                {"clientId":"web","redirectUris":["https://a.example/cb"],"roleGroup":"shop","roles":["viewer","editor"]},
                {"clientId":"back","redirectUris":["https://b.example/cb"],"roleGroup":"shop","roles":["admin"]},
                {"clientId":"alone","redirectUris":["https://c.example/cb"],"roles":["x","y"],"roleMode":"single"}
            ]"#,
        )
        .unwrap();
        let sent = sent.iter().map(|(name, roles)| (*name, roles.to_vec())).collect();
        let named = |(group, role)| format!("{group} {role}");
        resolve(&clients, &sent).map(|all| all.into_iter().map(named).collect()).map_err(|refusal| refusal.message.into_owned())
    }

    #[test]
    fn a_client_and_its_group_name_the_same_roles() {
        assert_eq!(
            resolved(&[("web", &["viewer", "viewer"]), ("shop", &["admin", "viewer"])]),
            Ok(vec!["shop admin".into(), "shop viewer".into()])
        );
        assert_eq!(resolved(&[("alone", &["y"]), ("web", &[])]), Ok(vec!["alone y".into()]));
    }

    #[test]
    fn what_is_not_declared_is_refused() {
        for (sent, part) in [
            (&[("web", &["admin"][..])][..], "roles.web: admin"),
            (&[("shop", &["owner"])], "roles.shop: owner"),
            (&[("none", &[])], "roles.none: no client"),
            (&[("alone", &["x", "y"])], "roles.alone: takes one"),
        ] {
            assert!(resolved(sent).unwrap_err().starts_with(part), "{sent:?}");
        }
    }
}
