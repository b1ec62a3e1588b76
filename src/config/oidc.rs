//! The variables of the OpenID provider and of provisioning.

use super::{
    problem::Problem,
    reader::Reader,
    variables::{accounts, oidc},
};
use crypto::{keys::Keys, oidc::client_secrets::ClientSecrets};
use domain::identity::{
    ProvisioningToken,
    oidc::{Client, Clients, client_config::ClientFault},
    provisioning::tokens,
};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// The configuration of the provider.
#[derive(Debug, Clone)]
pub struct OidcConfig {
    /// `APP_CLIENT_SECRET_MASTER`; when unset, it is derived from the root secret.
    pub secret_master: Option<SecretString>,
    /// `APP_CLIENT_SECRET_MASTER_PREVIOUS`.
    pub previous_secret_master: Option<SecretString>,
    /// `APP_OIDC_RESOURCE_AUDIENCE`.
    pub resource_audiences: Vec<String>,
    /// `APP_OIDC_JWT_ACCESS_TTL`.
    pub jwt_access_ttl: Duration,
    /// `APP_OIDC_REFRESH_GRACE`.
    pub refresh_grace: Duration,
}

impl OidcConfig {
    pub(super) fn from(reader: &Reader<'_>) -> Result<Self, Problem> {
        Ok(Self {
            secret_master: reader.optional(oidc::APP_CLIENT_SECRET_MASTER),
            previous_secret_master: reader.optional(oidc::APP_CLIENT_SECRET_MASTER_PREVIOUS),
            resource_audiences: reader.value(oidc::APP_OIDC_RESOURCE_AUDIENCE)?,
            jwt_access_ttl: reader.value(oidc::APP_OIDC_JWT_ACCESS_TTL)?,
            refresh_grace: reader.value(oidc::APP_OIDC_REFRESH_GRACE)?,
        })
    }

    /// The secrets of clients, derived from the configured master or else from the root secret.
    pub fn client_secrets(&self, keys: &Keys) -> ClientSecrets {
        let derived = keys.derive("client-secret-master/1");
        let master = self.secret_master.as_ref().map_or(&derived[..], |master| master.expose_secret().as_bytes());
        let previous = self.previous_secret_master.as_ref().map(|master| master.expose_secret().as_bytes());
        ClientSecrets::new(master, previous)
    }
}

/// The clients; none while there is a fault in any of them, and every fault is noted.
pub(super) fn clients(reader: &Reader<'_>) -> Result<Clients, Problem> {
    let Some(json) = reader.optional(oidc::APP_OIDC_CLIENTS_JSON) else { return Ok(Clients::default()) };
    let resources = reader.value(oidc::APP_OIDC_RESOURCE_AUDIENCE)?;
    let checked = Clients::parse(json.expose_secret()).and_then(|clients| {
        let faults = unknown_audiences(&clients, &resources);
        if faults.is_empty() { Ok(clients) } else { Err(faults) }
    });
    Ok(checked.unwrap_or_else(|faults| {
        reader.note_each(&oidc::APP_OIDC_CLIENTS_JSON.variable, faults.iter().map(ToString::to_string));
        Clients::default()
    }))
}

/// What clients may introspect though there is no such resource: a mistake that nothing would show later.
fn unknown_audiences(clients: &Clients, resources: &[String]) -> Vec<ClientFault> {
    let of_client = |client: &Client| {
        let id = format!("{:?}", client.id);
        let named = client.introspection_audiences.clone().unwrap_or_default().into_iter().enumerate();
        let unknown = named.filter(|(_, audience)| !resources.contains(audience));
        let fault = move |(index, _)| ClientFault {
            client: Some(id.clone()),
            attribute: Some(format!("introspectionAudiences[{index}]")),
            what: format!("is not in {}", oidc::APP_OIDC_RESOURCE_AUDIENCE.variable.name),
        };
        unknown.map(fault).collect::<Vec<_>>()
    };
    clients.iter().flat_map(|client| of_client(client)).collect()
}

/// The tokens of the provisioning API; none while there is a fault in any of them, and every fault is noted.
pub(super) fn provisioning_tokens(reader: &Reader<'_>) -> Vec<ProvisioningToken> {
    let Some(json) = reader.optional(accounts::APP_ADMIN_API_TOKENS_JSON) else { return Vec::new() };
    tokens::parse(json.expose_secret()).unwrap_or_else(|faults| {
        reader.note_each(&accounts::APP_ADMIN_API_TOKENS_JSON.variable, faults);
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Environment};
    use crypto::keys::Keys;
    use secrecy::ExposeSecret;
    use std::{fs, path::Path};

    fn read(pairs: &[(&str, &str)]) -> Result<Config, String> {
        Config::read(&Environment::of(pairs.iter().copied())).map_err(|error| error.to_string())
    }

    #[test]
    fn every_fault_of_every_client_is_a_line() {
        let json = r#"[{"clientId":"a","redirectUris":["http://a.example/"],"x":1},{"clientId":"b"}]"#;
        let problem = read(&[("APP_OIDC_CLIENTS_JSON", json), ("APP_LISTEN", "8080")]).err().unwrap();
        let lines: Vec<&str> = problem.lines().collect();
        assert_eq!(lines.iter().filter(|line| line.starts_with("APP_OIDC_CLIENTS_JSON: client \"a\": ")).count(), 2, "{problem}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("APP_OIDC_CLIENTS_JSON: client \"b\": ")).count(), 1, "{problem}");
        assert_eq!(lines.len(), 4, "{problem}");
    }

    #[test]
    fn an_audience_that_a_client_may_introspect_is_a_resource_of_this_server() {
        let json = r#"[{"clientId":"api","grantTypes":["client_credentials"],"introspectionAudiences":["urn:one","urn:two"]}]"#;
        let problem = read(&[("APP_OIDC_CLIENTS_JSON", json), ("APP_OIDC_RESOURCE_AUDIENCE", "urn:one")]).err().unwrap();
        let expected = "APP_OIDC_CLIENTS_JSON: client \"api\": introspectionAudiences[1] is not in APP_OIDC_RESOURCE_AUDIENCE";
        assert_eq!(problem, expected);
        assert!(read(&[("APP_OIDC_CLIENTS_JSON", json), ("APP_OIDC_RESOURCE_AUDIENCE", "urn:two,urn:one")]).is_ok());
    }

    #[test]
    fn every_fault_of_every_provisioning_token_is_a_line() {
        let json = r#"[{"id":"a","token":"too-short"},{"id":"B","token":"0123456789abcdef0123456789abcdef"}]"#;
        let problem = read(&[("APP_ADMIN_API_TOKENS_JSON", json)]).err().unwrap();
        assert_eq!(problem.lines().filter(|line| line.starts_with("APP_ADMIN_API_TOKENS_JSON: token ")).count(), 2, "{problem}");
        assert!(!problem.contains("too-short") && !problem.contains("0123456789abcdef"), "{problem}");
        let config = read(&[("APP_ADMIN_API_TOKENS_JSON", r#"[{"id":"a","token":"0123456789abcdef0123456789abcdef"}]"#)]).unwrap();
        assert_eq!(config.identity.settings.provisioning_tokens.len(), 1);
        assert!(!format!("{:?}", config.identity).contains("0123456789abcdef"));
        assert!(read(&[("APP_ADMIN_API_TOKENS_JSON", "[]")]).unwrap().identity.settings.provisioning_tokens.is_empty());
    }

    #[test]
    fn resources_are_listed_with_commas_or_in_a_json_array() {
        let resources = |text| read(&[("APP_OIDC_RESOURCE_AUDIENCE", text)]).map(|config| config.identity.oidc.resource_audiences);
        let both = ["https://api.example", "urn:reports/"].map(str::to_owned).to_vec();
        assert_eq!(resources("https://api.example, urn:reports/"), Ok(both.clone()));
        assert_eq!(resources(r#"["https://api.example", "urn:reports/"]"#), Ok(both));
        assert_eq!(read(&[]).unwrap().identity.oidc.resource_audiences, [""; 0]);
        for wrong in [
            "api.example",
            "https://api.example#x",
            "https://a b",
            "1x:y",
            "https:",
            r#"["https://a", 1]"#,
            r#"["https://a""#,
            "/api",
        ] {
            let problem = resources(wrong).unwrap_err();
            assert!(problem.starts_with("APP_OIDC_RESOURCE_AUDIENCE: ") && problem.lines().count() == 1, "{problem}");
        }
    }

    #[test]
    fn other_values_are_bounded_and_masters_are_not_repeated() {
        for (name, value) in [
            ("APP_CLIENT_SECRET_MASTER", "hunter2"),
            ("APP_CLIENT_SECRET_MASTER_PREVIOUS", "hunter2"),
            ("APP_OIDC_JWT_ACCESS_TTL", "9"),
            ("APP_OIDC_JWT_ACCESS_TTL", "86401"),
            ("APP_OIDC_REFRESH_GRACE", "61"),
            ("APP_RATE_LIMIT_CLIENT_FAILURES", "often"),
        ] {
            let problem = read(&[(name, value)]).err().unwrap();
            assert!(problem.starts_with(&format!("{name}: ")) && problem.lines().count() == 1, "{problem}");
            assert!(!problem.contains("hunter2"));
        }
    }

    #[test]
    fn without_a_master_the_secrets_of_clients_are_derived_from_the_root_secret() {
        let json = r#"[{"clientId":"web-app","redirectUris":["https://a.example/cb"]}]"#;
        let secret = |root: u8, pairs: &[(&str, &str)]| {
            let identity = read(&[pairs, &[("APP_OIDC_CLIENTS_JSON", json)]].concat()).unwrap().identity;
            let secrets = identity.oidc.client_secrets(&Keys::new(vec![root; 32].into()));
            secrets.secret(identity.settings.clients.find("web-app").unwrap()).expose_secret().to_owned()
        };
        assert_eq!(secret(1, &[]), secret(1, &[]));
        assert_ne!(secret(1, &[]), secret(2, &[]));
        let master = [("APP_CLIENT_SECRET_MASTER", "0123456789abcdef0123456789abcdef")];
        assert_eq!(
            (secret(1, &master), secret(2, &master)),
            ("5fMdDkFmFPIFh9FuXPrFqUzrdQa2qlM6XAn8Uno7hfs".into(), secret(1, &master))
        );
    }

    #[test]
    fn clients_may_come_from_a_file() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp/clients-file.json");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "[\n  {\"clientId\": \"web\", \"redirectUris\": [\"https://a.example/cb\"]}\n]\n").unwrap();
        let config = read(&[("APP_OIDC_CLIENTS_JSON_FILE", file.to_str().unwrap())]).unwrap();
        assert!(config.identity.settings.clients.find("web").is_some());
        assert!(read(&[]).unwrap().identity.settings.clients.is_empty());
    }
}
