//! The rules, as functions from facts to the lines that tell what is broken.

/// The longest a file may be, tests included.
const MAX_LINES: usize = 800;

/// A package of the workspace.
pub struct Crate {
    pub name: String,
    /// Its dependencies, but for those of its tests.
    pub needs: Vec<String>,
    /// The text of each of its files.
    pub source: Vec<String>,
}

/// Who may depend on whom.
const EDGES: &[(&str, &[&str])] = &[
    ("lectern-domain", &[]),
    ("lectern-crypto", &["lectern-domain"]),
    ("lectern-egress", &["lectern-domain"]),
    ("lectern-storage", &["lectern-domain"]),
    ("lectern-services", &["lectern-domain", "lectern-storage", "lectern-crypto"]),
    ("lectern-actors", &["lectern-domain", "lectern-storage", "lectern-egress", "lectern-crypto", "lectern-services"]),
    ("lectern-routes", &["lectern-domain", "lectern-storage", "lectern-crypto", "lectern-actors", "lectern-services"]),
    (
        "lectern",
        &[
            "lectern-domain",
            "lectern-storage",
            "lectern-egress",
            "lectern-crypto",
            "lectern-actors",
            "lectern-routes",
            "lectern-services",
        ],
    ),
    ("lectern-load", &[]),
    ("lectern-vendor-stand-in", &[]),
];

/// Where a library lives.
const HOMES: &[(&str, &[&str])] = &[
    ("warp", &["lectern-routes"]),
    ("ractor", &["lectern-actors"]),
    ("tokio-postgres", &["lectern-storage"]),
    ("tokio-postgres-rustls", &["lectern-storage"]),
    ("deadpool-postgres", &["lectern-storage"]),
    ("refinery", &["lectern-storage"]),
    ("reqwest", &["lectern-egress"]),
    // The one inside of minio, which is given its TLS there.
    ("reqwest012", &["lectern-storage"]),
    ("minio", &["lectern-storage"]),
    ("multer", &["lectern-routes"]),
    ("lettre", &["lectern-egress"]),
    ("hickory-resolver", &["lectern-egress"]),
    ("tokio-rustls", &["lectern-egress"]),
    ("argon2", &["lectern-crypto"]),
    ("hkdf", &["lectern-crypto"]),
    ("hmac", &["lectern-crypto"]),
    // Storage measures what it keeps; secrets are the business of crypto.
    ("sha2", &["lectern-crypto", "lectern-storage"]),
    ("subtle", &["lectern-crypto"]),
    ("totp-rs", &["lectern-crypto"]),
    ("rand", &["lectern-crypto"]),
    ("jsonwebtoken", &["lectern-crypto"]),
    ("webauthn-rs", &["lectern-crypto"]),
    ("webauthn-rs-proto", &["lectern-crypto"]),
    ("anyhow", &["lectern", "lectern-load"]),
    ("clap", &["lectern", "lectern-load"]),
    ("nix", &["lectern"]),
    ("rustix", &["lectern-crypto"]),
    ("tracing-subscriber", &["lectern"]),
];

/// Words that begin a statement, as they stand at the beginning of a string.
const SQL: &[&str] =
    &["select ", "insert into ", "update ", "delete from ", "create table ", "create database ", "alter ", "drop ", "with "];

/// Dependencies of ours that are not on the list.
pub fn edges(it: &Crate) -> Vec<String> {
    let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == it.name) else {
        return vec![format!("{} is not in the list of crates", it.name)];
    };
    let ours = it.needs.iter().filter(|need| EDGES.iter().any(|(name, _)| name == need));
    ours.filter(|need| !allowed.contains(&need.as_str())).map(|need| format!("{} may not depend on {need}", it.name)).collect()
}

/// Libraries that live somewhere else.
pub fn homes(it: &Crate) -> Vec<String> {
    let strays =
        HOMES.iter().filter(|(library, homes)| it.needs.iter().any(|need| need == library) && !homes.contains(&it.name.as_str()));
    strays.map(|(library, homes)| format!("{} may not use {library}, which lives in {}", it.name, homes.join(", "))).collect()
}

/// Dependencies whose name does not occur.
pub fn unused(it: &Crate) -> Vec<String> {
    let is_used = |need: &str| {
        let name = need.strip_prefix("lectern-").unwrap_or(need).replace('-', "_");
        it.source.iter().any(|text| code(text).any(|line| mentions(line, &name)))
    };
    it.needs.iter().filter(|need| !is_used(need)).map(|need| format!("{} names {need} and does not use it", it.name)).collect()
}

/// SQL outside of storage.
pub fn sql(path: &str, text: &str) -> Vec<String> {
    if !is_rust(path) || path.starts_with("crates/storage/") || path.starts_with("tests/") {
        return Vec::new();
    }
    let is_sql = |line: &str| line.split('"').skip(1).step_by(2).any(|string| SQL.iter().any(|value| is_statement(string, value)));
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//") && is_sql(line));
    lines.map(|(number, line)| format!("{path}:{}: SQL outside of storage: {}", number + 1, line.trim())).collect()
}

/// A sentence may begin with such a word too, so it needs a second one.
fn is_statement(string: &str, begin: &str) -> bool {
    let string = string.trim_start().to_lowercase();
    let seconds: &[&str] = match begin {
        "select " => &[" from ", "select 1", "pg_"],
        "update " => &[" set "],
        "with " => &[" as (", " as materialized ("],
        "alter " | "drop " => &["table ", "database ", "index "],
        _ => &[""],
    };
    string.starts_with(begin) && seconds.iter().any(|second| string.contains(second))
}

/// One wing's name in the other wing.
pub fn wings(path: &str, text: &str) -> Vec<String> {
    if !is_rust(path) || path.starts_with("tests/") || path.starts_with("load/") || path.starts_with("src/") {
        return Vec::new();
    }
    let inside = |wing: &str| path.split('/').any(|part| part == wing || part == format!("{wing}.rs"));
    let other = match (inside("content"), inside("identity")) {
        (true, false) => "identity",
        (false, true) => "content",
        _ => return Vec::new(),
    };
    let names = |line: &str| line.contains(&format!("{other}::")) && mentions(line, other);
    code(text).filter(|line| names(line)).map(|line| format!("{path}: knows the wing {other}: {}", line.trim())).collect()
}

/// Files that are too long, and modules that hide behind `mod.rs`.
pub fn files(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().count();
    let long = (lines > MAX_LINES).then(|| format!("{path} has {lines} lines, {MAX_LINES} are enough"));
    let nameless = path.ends_with("/mod.rs").then(|| format!("{path}: call it by its folder's name"));
    long.into_iter().chain(nameless).collect()
}

fn is_rust(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|e| e == "rs")
}

/// The lines that are no comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// Whether the word stands in a line on its own.
fn mentions(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// Each rule finds what it is for, and lets pass what is right.
#[cfg(test)]
mod tests {
    use super::{Crate, edges, files, homes, sql, unused, wings};

    fn made_up(name: &str, needs: &[&str], source: &str) -> Crate {
        Crate {
            name: name.to_owned(),
            needs: needs.iter().map(|need| (*need).to_owned()).collect(),
            source: vec![source.to_owned()],
        }
    }

    #[test]
    fn an_edge_that_is_not_on_the_list_is_found() {
        assert_eq!(
            edges(&made_up("lectern-domain", &["lectern-storage", "serde"], "")),
            ["lectern-domain may not depend on lectern-storage"]
        );
        assert_eq!(edges(&made_up("lectern-load", &["lectern"], "")).len(), 1);
        assert_eq!(edges(&made_up("lectern-new", &[], "")), ["lectern-new is not in the list of crates"]);
        assert!(edges(&made_up("lectern-routes", &["lectern-actors", "warp"], "")).is_empty());
    }

    #[test]
    fn a_library_away_from_home_is_found() {
        assert_eq!(
            homes(&made_up("lectern-actors", &["warp", "ractor"], "")),
            ["lectern-actors may not use warp, which lives in lectern-routes"]
        );
        for library in ["ractor", "tokio-postgres", "reqwest", "anyhow"] {
            assert_eq!(homes(&made_up("lectern-routes", &[library], "")).len(), 1, "{library}");
        }
    }

    #[test]
    fn a_dependency_that_is_only_named_is_found() {
        let source = "// serde_json\nuse domain::shared;\nlet it = subtleties;";
        let broken = unused(&made_up("x", &["lectern-domain", "serde_json", "subtle"], source));
        assert_eq!(broken, ["x names serde_json and does not use it", "x names subtle and does not use it"]);
    }

    #[test]
    fn sql_outside_of_storage_is_found() {
        for line in [
            r#"tx.execute("update stories set name = $1")"#,
            r#"let it = "select id from users";"#,
            r#"" insert into jobs values (1)""#,
            r#""with moved as (select 1)""#,
        ] {
            assert_eq!(sql("routes/src/x.rs", line).len(), 1, "{line}");
            assert!(sql("crates/storage/src/x.rs", line).is_empty());
        }
        for line in ["// \"select id from users\"", r#""select what you like""#, r#""update the page""#, r#""with care""#] {
            assert!(sql("routes/src/x.rs", line).is_empty(), "{line}");
        }
    }

    #[test]
    fn a_wing_that_knows_the_other_is_found() {
        let line = "use crate::identity::Identity;";
        for path in ["routes/src/content/x.rs", "routes/src/content.rs", "crates/domain/src/content/story.rs"] {
            assert_eq!(wings(path, line).len(), 1, "{path}");
        }
        assert_eq!(wings("crates/storage/src/identity/users.rs", "use crate::{content::spaces, Tx};").len(), 1);
        assert!(wings("routes/src/dispatch.rs", line).is_empty());
        assert!(wings("routes/src/content/x.rs", "// see identity::Identity\nlet it = my_identity::of();").is_empty());
    }

    #[test]
    fn a_long_file_and_a_nameless_module_are_found() {
        assert_eq!(files("src/x.rs", &"\n".repeat(801)).len(), 1);
        assert!(files("src/x.rs", &"\n".repeat(800)).is_empty());
        assert_eq!(files("src/x/mod.rs", "").len(), 1);
    }
}
