//! What the documents name in the middle of a sentence exists: variables, endpoints, subcommands.

use super::documents;
use support::{prelude::*, server};

/// Every piece between backticks, of all documents, outside of blocks.
fn spans() -> BTreeSet<String> {
    let texts = documents().into_iter().map(|document| tools::text_of(&document));
    let spans = texts.flat_map(|text| {
        let lines: Vec<&str> = text.lines().collect();
        lines.iter().flat_map(|line| line.split('`').skip(1).step_by(2)).map(str::to_owned).collect::<Vec<_>>()
    });
    spans.collect()
}

#[test]
fn every_variable_is_one() {
    let known = tools::text_of("docs/configuration.md");
    let is_known = |name: &str| known.contains(&format!("## `{name}`"));
    for span in spans().iter().filter(|span| span.starts_with("APP_")) {
        let end = span.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')).unwrap_or(span.len());
        let (name, rest) = span.split_at(end);
        // `APP_S3_*` and `APP_EMAIL_NEW_LOGIN_…` are families, and a secret can be read from a file.
        let is_family = name.ends_with('_') && known.contains(&format!("## `{name}"));
        assert!(is_known(name) || name.strip_suffix("_FILE").is_some_and(is_known) || is_family, "{name}{rest}");
    }
}

#[tokio::test]
async fn every_endpoint_is_one() {
    let opened = [("APP_METRICS_TOKEN", "0123456789abcdef")];
    let app = TestApp::with_variables(&opened).await;
    let is_same = |path: &str, template: &str| {
        let (path, template): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), template.split('/').collect());
        // A parameter of a template may stand for a word, such as `publish`.
        path.len() == template.len() && path.iter().zip(&template).all(|(a, b)| a == b || b.starts_with('{'))
    };
    let mut count = 0;
    for span in spans() {
        let Some((method, path)) =
            span.split_once(" /").filter(|(method, _)| ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(method))
        else {
            continue;
        };
        let path = format!("/{}", path.split('?').next().unwrap());
        // The accounts that a token may make have endpoints only where there is such a token.
        if path.contains('…') || path.starts_with("/api/provisioning") {
            continue;
        }
        count += 1;
        let is_there = app.endpoints.iter().any(|endpoint| endpoint.method == method && is_same(&path, endpoint.template));
        assert!(is_there, "{span}");
    }
    assert!(count > 30, "{count}");
}

#[tokio::test]
async fn every_subcommand_is_one() {
    let mut count = 0;
    for span in spans().iter().filter_map(|span| span.strip_prefix("lectern ")) {
        let words: Vec<&str> =
            span.split(' ').take_while(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-')).collect();
        let arguments: Vec<&str> = words.into_iter().take_while(|word| !word.starts_with('-')).chain(["--help"]).collect();
        let help = server::run(&arguments, &[]).await;
        assert!(help.status.success(), "lectern {span}: {}", String::from_utf8_lossy(&help.stderr));
        count += 1;
    }
    assert!(count > 8, "{count}");
}
