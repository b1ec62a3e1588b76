//! The syntax of `APP_OIDC_CLIENTS_JSON`: an array of objects, one for each client. It is strict, and every
//! fault is reported, so that a mistake is found at the start and not at a sign-in.

mod fields;
mod read;

use super::{Clients, RoleMode};
use crate::shared::json::Members;
use fields::Fields;
use serde_json::value::RawValue;
use std::{collections::HashSet, fmt};

/// A fault of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientFault {
    /// The client at fault: its id, or its place in the list where it has none. Absent for a fault of the
    /// whole.
    pub client: Option<String>,
    /// The attribute at fault. Absent for a fault of the whole client.
    pub attribute: Option<String>,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for ClientFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(client) = &self.client {
            write!(f, "client {client}: ")?;
        }
        if let Some(attribute) = &self.attribute {
            write!(f, "{attribute} ")?;
        }
        f.write_str(&self.what)
    }
}

impl Clients {
    /// Reads the JSON of `APP_OIDC_CLIENTS_JSON`; the error lists everything that is wrong with it. No value
    /// is repeated in a fault, because it may be a secret.
    pub fn parse(json: &str) -> Result<Self, Vec<ClientFault>> {
        let items: Vec<&RawValue> = serde_json::from_str(json).map_err(|error| {
            // The library's own message may repeat a part of the text.
            let what = format!("is no JSON array of objects (line {}, column {})", error.line(), error.column());
            vec![ClientFault { client: None, attribute: None, what }]
        })?;
        let mut faults = Vec::new();
        let mut ids = HashSet::new();
        let mut clients = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let place = format!("{} of {}", index + 1, items.len());
            let Some(members) = Members::parse(item) else {
                faults.push(ClientFault { client: Some(place), attribute: None, what: "is no object".to_owned() });
                continue;
            };
            let mut fields = Fields::new(place, members, &mut faults);
            let client = read::client(&mut fields);
            if !client.id.is_empty() && !ids.insert(client.id.clone()) {
                fields.fault("clientId", "is that of another client, too");
            }
            fields.finish();
            clients.push(client);
        }
        let clients = Self::new(clients);
        for client in clients.iter().filter(|client| client.default_roles.len() > 1) {
            if clients.role_group(client.role_group()).is_some_and(|group| group.mode == RoleMode::Single) {
                let what = "has more than one role, and the mode of its role group is single".to_owned();
                faults.push(ClientFault {
                    client: Some(format!("{:?}", client.id)),
                    attribute: Some("defaultRoles".to_owned()),
                    what,
                });
            }
        }
        if faults.is_empty() { Ok(clients) } else { Err(faults) }
    }
}

#[cfg(test)]
mod tests;
