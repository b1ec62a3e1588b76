//! The variables with their values, for administrators. No secret leaves this module.

use super::{
    environment::Environment,
    variables::{DefaultValue, GROUPS, Variable},
};
use routes::identity::admin::ConfigVariable;

/// What stands in the place of a secret.
const MASK: &str = "********";

/// Every variable as it was at the start.
pub(super) fn catalogue(environment: &Environment) -> Vec<ConfigVariable> {
    let of_group = |(group, rows): (&'static str, &'static [Variable])| rows.iter().map(move |row| entry(group, row, environment));
    GROUPS.into_iter().flat_map(of_group).collect()
}

fn entry(group: &'static str, variable: &Variable, environment: &Environment) -> ConfigVariable {
    let set = environment.get(variable.name);
    let is_set = set.is_some() || variable.secret && environment.get(&format!("{}_FILE", variable.name)).is_some();
    let default = match variable.default {
        DefaultValue::Text(text) => Some(text),
        DefaultValue::Depends(_) => None,
    };
    let value = if variable.secret { is_set.then(|| MASK.to_owned()) } else { set.or(default).map(masked) };
    ConfigVariable {
        name: variable.name,
        group,
        form: variable.form(),
        value,
        default,
        is_set,
        secret: variable.secret,
        required: false,
        description: variable.about,
        requires_restart: true,
    }
}

/// The text without user names and passwords in the URLs in it.
fn masked(text: &str) -> String {
    let mut parts = text.split("://");
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let authority = part.find(['/', ',', ' ', '?', '#']).unwrap_or(part.len());
        let (authority, rest) = part.split_at(authority);
        let host = authority.rsplit_once('@').map_or(authority.to_owned(), |(_, host)| format!("{MASK}@{host}"));
        masked.push_str("://");
        masked.push_str(&host);
        masked.push_str(rest);
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::{Environment, catalogue, masked};
    use crate::config::variables;
    use proptest::prelude::*;

    /// What the console marks up in a description, and no more: see crates/pages/src/console/markdown.rs.
    #[test]
    fn a_description_has_no_other_markdown_than_code_and_links_to_documents() {
        for variable in variables::all() {
            let mut text = String::new();
            for (at, part) in variable.about.split('`').enumerate() {
                text.push_str(if at % 2 == 0 { part } else { "code" });
            }
            assert!(variable.about.matches('`').count().is_multiple_of(2), "{}", variable.name);
            for link in text.split("](").skip(1) {
                let file = link.split([')', '#']).next().unwrap();
                let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
                assert!(path.is_file(), "{}: {file}", variable.name);
            }
            for mark in ["**", "* ", "__", "<", "\n", "!["] {
                assert!(!text.contains(mark), "{}: {mark} in {text}", variable.name);
            }
            // A document that is named is a link to it.
            let outside: String = text.split('[').map(|part| part.split_once(')').map_or(part, |(_, after)| after)).collect();
            assert!(!outside.contains(".md"), "{}: {outside}", variable.name);
        }
    }

    #[test]
    fn no_secret_is_shown() {
        let pairs: Vec<(&str, String)> =
            variables::all().map(|variable| (variable.name, format!("hidden-{}", variable.name))).collect();
        for variable in catalogue(&Environment::of(pairs)) {
            assert!(variable.is_set);
            let shown = variable.value.unwrap();
            assert_eq!(shown == "********", variable.secret, "{}: {shown}", variable.name);
        }
        let of_file = catalogue(&Environment::of([("APP_SMTP_PASSWORD_FILE", "/run/secrets/smtp")]));
        let password = of_file.iter().find(|variable| variable.name == "APP_SMTP_PASSWORD").unwrap();
        assert_eq!((password.is_set, password.value.as_deref()), (true, Some("********")));
    }

    #[test]
    fn an_unset_variable_shows_its_default() {
        let all = catalogue(&Environment::default());
        let find = |name| all.iter().find(|variable| variable.name == name).unwrap();
        assert_eq!((find("APP_DB_POOL_SIZE").value.as_deref(), find("APP_DB_POOL_SIZE").is_set), (Some("16"), false));
        assert_eq!((find("APP_SMTP_HOST").value.as_deref(), find("APP_SECRET").value.as_deref()), (None, None));
    }

    #[test]
    fn urls_lose_their_passwords() {
        assert_eq!(masked("https://user:p@ss@host:1/x?y=a@b"), "https://********@host:1/x?y=a@b");
        assert_eq!(masked("a,https://b.example,http://u@c"), "a,https://b.example,http://********@c");
        assert_eq!(masked("Lectern <a@example.org>"), "Lectern <a@example.org>");
    }

    proptest! {
        #[test]
        fn no_password_of_a_url_is_left(user in "[a-z]{1,8}", password in "[a-z0-9]{6,12}", tail in "[a-z/?&=]{0,12}") {
            let shown = masked(&format!("https://{user}:{password}@host.example/{tail}"));
            prop_assert!(shown.starts_with("https://********@host.example/"));
        }
    }
}
