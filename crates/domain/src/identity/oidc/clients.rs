//! All clients, and the groups that share roles.

use super::{Client, RoleMode};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// The roles that clients of one `roleGroup` share.
#[derive(Debug, Clone)]
pub struct RoleGroup {
    /// The roles that any of the clients declares, in the order of the configuration.
    pub roles: Vec<String>,
    /// [`RoleMode::Single`] if any of the clients says so.
    pub mode: RoleMode,
    /// The ids of the clients, in the order of the configuration.
    pub clients: Vec<String>,
    /// The default roles of those clients that have some, each with the id of the client.
    pub defaults: Vec<(String, Vec<String>)>,
}

impl RoleGroup {
    /// What a person has in the group to whom nothing is assigned there: the default roles of all clients, in
    /// the order of the configuration. Each client only knows those that it declares, and takes only its own
    /// by default.
    pub fn default_roles(&self) -> Vec<String> {
        let is_default = |role: &&String| self.defaults.iter().any(|(_, roles)| roles.contains(role));
        self.roles.iter().filter(is_default).cloned().collect()
    }
}

/// The clients. Empty by default.
#[derive(Debug, Clone, Default)]
pub struct Clients {
    /// In the order of the configuration.
    all: Vec<Arc<Client>>,
    by_id: HashMap<String, Arc<Client>>,
    groups: BTreeMap<String, RoleGroup>,
}

impl Clients {
    pub(super) fn new(clients: Vec<Client>) -> Self {
        let mut groups: BTreeMap<String, RoleGroup> = BTreeMap::new();
        for client in &clients {
            let group = groups.entry(client.role_group().to_owned()).or_insert_with(|| RoleGroup {
                roles: Vec::new(),
                mode: RoleMode::Multiple,
                clients: Vec::new(),
                defaults: Vec::new(),
            });
            for role in &client.roles {
                if !group.roles.contains(role) {
                    group.roles.push(role.clone());
                }
            }
            if client.role_mode == RoleMode::Single {
                group.mode = RoleMode::Single;
            }
            if !client.default_roles.is_empty() {
                group.defaults.push((client.id.clone(), client.default_roles.clone()));
            }
            group.clients.push(client.id.clone());
        }
        let all: Vec<Arc<Client>> = clients.into_iter().map(Arc::new).collect();
        let by_id = all.iter().map(|client| (client.id.clone(), Arc::clone(client))).collect();
        Self { all, by_id, groups }
    }

    /// The client with this id.
    pub fn find(&self, id: &str) -> Option<&Arc<Client>> {
        self.by_id.get(id)
    }

    /// All clients, in the order of the configuration.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Client>> {
        self.all.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The group with this name.
    pub fn role_group(&self, name: &str) -> Option<&RoleGroup> {
        self.groups.get(name)
    }

    /// The names of all groups with the groups, sorted by name.
    pub fn role_groups(&self) -> impl Iterator<Item = (&str, &RoleGroup)> {
        self.groups.iter().map(|(name, group)| (name.as_str(), group))
    }
}

#[cfg(test)]
mod tests {
    use super::{Clients, RoleMode};

    #[test]
    fn clients_of_one_group_share_their_roles_and_the_strictest_mode() {
        let clients = Clients::parse(
            r#"[
                {"clientId":"web","redirectUris":["https://a.example/cb"],"roleGroup":"shop","roles":["viewer","editor"],"defaultRoles":["editor"]},
                {"clientId":"back","redirectUris":["https://b.example/cb"],"roleGroup":"shop","roles":["editor","admin"],"roleMode":"single","defaultRoles":["admin"]},
                {"clientId":"alone","redirectUris":["https://c.example/cb"],"roles":["x"]}
            ]"#,
        )
        .unwrap();
        let shop = clients.role_group("shop").unwrap();
        assert_eq!(shop.roles, ["viewer", "editor", "admin"]);
        assert_eq!((shop.mode, shop.clients.as_slice()), (RoleMode::Single, ["web".to_owned(), "back".to_owned()].as_slice()));
        assert_eq!(shop.default_roles(), ["editor", "admin"]);
        assert_eq!(shop.defaults.iter().map(|(client, _)| client.as_str()).collect::<Vec<_>>(), ["web", "back"]);
        assert_eq!(clients.role_group("alone").unwrap().mode, RoleMode::Multiple);
        assert!(clients.role_group("web").is_none(), "the client has another group");
        assert_eq!(clients.role_groups().map(|(name, _)| name).collect::<Vec<_>>(), ["alone", "shop"]);
        assert_eq!(clients.iter().map(|client| client.id.as_str()).collect::<Vec<_>>(), ["web", "back", "alone"]);
        assert_eq!(clients.find("back").map(|client| client.role_group()), Some("shop"));
        assert!(clients.find("Back").is_none());
    }

    #[test]
    fn a_configuration_without_clients_is_empty() {
        assert!(Clients::default().is_empty() && Clients::parse("[]").unwrap().is_empty());
        let one = Clients::parse(r#"[{"clientId":"web","redirectUris":["https://a.example/cb"]}]"#).unwrap();
        assert!(!one.is_empty());
    }
}
