//! The variables of the OpenID provider.

use super::reader::{Problem, Reader};
use domain::identity::oidc::Clients;
use secrecy::{ExposeSecret, SecretString};

const CLIENTS: &str = "APP_OIDC_CLIENTS_JSON";

/// The clients; none while there is a fault in any of them, and every fault is noted.
pub(super) fn clients(reader: &Reader<'_>) -> Result<Clients, Problem> {
    let Some(json) = reader.optional::<SecretString>(CLIENTS)? else { return Ok(Clients::default()) };
    Ok(Clients::parse(json.expose_secret()).unwrap_or_else(|faults| {
        reader.note_each(CLIENTS, faults.iter().map(ToString::to_string));
        Clients::default()
    }))
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Environment};
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
    fn clients_may_come_from_a_file() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp/clients-file.json");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "[\n  {\"clientId\": \"web\", \"redirectUris\": [\"https://a.example/cb\"]}\n]\n").unwrap();
        let config = read(&[("APP_OIDC_CLIENTS_JSON_FILE", file.to_str().unwrap())]).unwrap();
        assert!(config.identity.settings.clients.find("web").is_some());
        assert!(read(&[]).unwrap().identity.settings.clients.is_empty());
    }
}
