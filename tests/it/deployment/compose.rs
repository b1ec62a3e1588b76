//! `docker-compose.yml` and `ops/secrets.sh`.

use std::os::unix::fs::PermissionsExt;
use support::{prelude::*, server};

const FILE: &str = "docker-compose.yml";

fn compose() -> Value {
    tools::yaml(&tools::repository(FILE))
}

/// The text with the default of each variable, as on a machine where none is set. A variable without a
/// default fails.
fn with_defaults(text: &str) -> String {
    let mut parts = text.split("${");
    let mut result = parts.next().unwrap().to_owned();
    for part in parts {
        let (variable, rest) = part.split_once('}').unwrap();
        let (_, default) = variable.split_once(":-").unwrap_or_else(|| panic!("{text} has to be set for a trial"));
        result.push_str(default);
        result.push_str(rest);
    }
    result
}

/// Every text of a value.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all.iter().flat_map(texts).collect(),
        Value::Object(all) => all.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn make_secrets(directory: &Path) {
    tools::printed(tools::run(&tools::repository("ops/secrets.sh"), [directory]));
}

fn secrets_of(directory: &Path) -> Vec<(String, String)> {
    let mut all: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn the_file_follows_the_published_schema() {
    let checked = tools::run(
        &tools::of_python("check-jsonschema"),
        ["--builtin-schema".as_ref(), "vendor.compose-spec".as_ref(), tools::repository(FILE).as_os_str()],
    );
    tools::printed(checked);
}

#[test]
fn what_the_services_name_exists() {
    let file = compose();
    let names = |key: &str| -> BTreeSet<&str> { file[key].as_object().unwrap().keys().map(String::as_str).collect() };
    let (services, volumes, networks) = (names("services"), names("volumes"), names("networks"));
    let secrets = scratch();
    make_secrets(secrets.path());
    let secrets: BTreeSet<String> = secrets_of(secrets.path()).into_iter().map(|(name, _)| name).collect();
    let mut used = BTreeSet::new();
    for (name, service) in file["services"].as_object().unwrap() {
        for mount in texts(&service["volumes"]) {
            let source = mount.split(':').next().unwrap();
            match source.strip_prefix("./") {
                Some(path) => assert!(tools::repository(path).exists() && mount.ends_with(":ro"), "{name}: {mount}"),
                None => assert!(volumes.contains(source), "{name}: {mount}"),
            }
            used.insert(source.to_owned());
        }
        for network in texts(&service["networks"]) {
            assert!(networks.contains(network.as_str()), "{name}: {network}");
        }
        let needed = service["depends_on"].as_object().into_iter().flat_map(serde_json::Map::keys);
        for needed in needed {
            assert!(services.contains(needed.as_str()), "{name}: {needed}");
        }
        for text in texts(service).iter().flat_map(|text| text.split([' ', '"', ')'])) {
            if let Some(secret) = text.strip_prefix("/run/lectern/").filter(|secret| !secret.is_empty()) {
                assert!(secrets.contains(secret), "{name}: {text}");
                assert!(texts(&service["volumes"]).iter().any(|mount| mount.starts_with("secrets:/run/lectern")), "{name}: {text}");
            }
        }
        for port in texts(&service["ports"]) {
            assert!(port.starts_with("127.0.0.1:"), "{name} publishes {port} to everybody");
        }
    }
    assert!(volumes.iter().all(|volume| used.contains(*volume)), "{volumes:?}");
}

/// A deployment of it without any change has no secret that others know.
#[test]
fn no_secret_stands_in_the_file() {
    for (name, service) in compose()["services"].as_object().unwrap() {
        for (variable, value) in service["environment"].as_object().into_iter().flatten() {
            let is_secret =
                ["PASSWORD", "SECRET", "TOKEN", "ACCESS_KEY", "DATABASE_URL"].iter().any(|word| variable.contains(word));
            let value = with_defaults(value.as_str().unwrap());
            assert!(!is_secret || variable.ends_with("_FILE") || value.is_empty(), "{name}: {variable}");
        }
    }
}

#[tokio::test]
async fn the_servers_settings_are_right_without_any_variable() {
    let (file, secrets, data) = (compose(), scratch(), scratch());
    make_secrets(secrets.path());
    for name in ["migrate", "server-1", "server-2"] {
        let service = &file["services"][name];
        assert_eq!((&service["read_only"], &service["cap_drop"][0]), (&Value::Bool(true), &Value::from("ALL")), "{name}");
        let environment = service["environment"].as_object().unwrap();
        let settings: Vec<(String, String)> = environment
            .iter()
            .map(|(name, value)| {
                (name.clone(), with_defaults(value.as_str().unwrap()).replace("/run/lectern", secrets.path().to_str().unwrap()))
            })
            .collect();
        let mut variables: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        variables.push(("APP_DATA_DIR", data.path().to_str().unwrap()));
        let checked = server::run(&["check-config"], &variables).await;
        assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
        let grace = service["stop_grace_period"].as_str().unwrap().trim_end_matches('s').parse::<u32>().unwrap();
        let delay = environment["APP_STOP_DELAY"].as_str().unwrap().parse::<u32>().unwrap();
        assert!(grace > delay + 30 + 13, "the time to stop, and that of running requests and actors");
    }
}

#[test]
fn secrets_are_random_and_made_once() {
    let (one, other) = (scratch(), scratch());
    make_secrets(one.path());
    make_secrets(other.path());
    let first = secrets_of(one.path());
    make_secrets(one.path());
    assert_eq!(secrets_of(one.path()), first);
    for ((name, secret), (_, foreign)) in first.iter().zip(secrets_of(other.path())) {
        assert!(secret.trim().len() >= 20 && *secret != foreign, "{name}");
        assert_eq!(fs::metadata(one.path().join(name)).unwrap().permissions().mode() & 0o777, 0o400, "{name}");
    }
    let get = |name: &str| first.iter().find(|(file, _)| file == name).unwrap().1.trim().to_owned();
    assert_eq!(get("metrics_token"), get("prometheus_token"));
    assert_eq!(get("database_url"), format!("postgres://lectern:{}@database/lectern", get("database_password")));
}
