//! The rules, as functions from facts to lines that describe what is violated.

/// The longest a file may be, tests included.
const MAX_LINES: usize = 800;
/// How many columns a comment may have: what is read in one glance.
const MAX_COMMENT: usize = 110;

/// A package of the workspace.
pub struct Crate {
    pub name: String,
    /// Its normal dependencies, without those of its tests.
    pub dependencies: Vec<String>,
    /// The text of each of its files.
    pub sources: Vec<String>,
}

/// Which crate may depend on which.
const EDGES: &[(&str, &[&str])] = &[
    ("lectern-compression", &[]),
    ("lectern-domain", &[]),
    ("lectern-crypto", &["lectern-domain"]),
    ("lectern-egress", &["lectern-domain"]),
    ("lectern-images", &["lectern-domain"]),
    ("lectern-licenses", &[]),
    ("lectern-openapi", &[]),
    ("lectern-pages", &["lectern-domain", "lectern-licenses", "lectern-openapi"]),
    ("lectern-storage", &["lectern-domain"]),
    ("lectern-studio", &[]),
    ("lectern-services", &["lectern-domain", "lectern-storage", "lectern-crypto"]),
    ("lectern-actors", &["lectern-domain", "lectern-services", "lectern-storage", "lectern-egress", "lectern-crypto"]),
    (
        "lectern-routes",
        &[
            "lectern-domain",
            "lectern-images",
            "lectern-services",
            "lectern-storage",
            "lectern-crypto",
            "lectern-actors",
            "lectern-compression",
            "lectern-licenses",
            "lectern-openapi",
            "lectern-pages",
        ],
    ),
    (
        "lectern",
        &[
            "lectern-domain",
            "lectern-services",
            "lectern-storage",
            "lectern-egress",
            "lectern-crypto",
            "lectern-actors",
            "lectern-routes",
            "lectern-studio",
        ],
    ),
    ("lectern-load", &[]),
    ("lectern-vendor-stand-in", &[]),
    (
        "lectern-test-support",
        &[
            "lectern",
            "lectern-actors",
            "lectern-compression",
            "lectern-crypto",
            "lectern-domain",
            "lectern-egress",
            "lectern-openapi",
            "lectern-routes",
            "lectern-services",
            "lectern-storage",
        ],
    ),
    ("lectern-tests", &[]),
];

/// The crates that may use a library.
const HOMES: &[(&str, &[&str])] = &[
    ("warp", &["lectern-routes"]),
    ("ractor", &["lectern-actors"]),
    ("tokio-postgres", &["lectern-storage"]),
    ("tokio-postgres-rustls", &["lectern-storage"]),
    ("deadpool-postgres", &["lectern-storage"]),
    ("refinery-core", &["lectern-storage"]),
    ("reqwest", &["lectern-egress"]),
    // The client inside of minio, which is given its TLS there.
    ("reqwest012", &["lectern-storage"]),
    ("minio", &["lectern-storage"]),
    ("multer", &["lectern-routes"]),
    // The load generator writes a page of its own, and names its style by its hash.
    ("maud", &["lectern-load", "lectern-pages"]),
    ("rust-embed", &["lectern-pages"]),
    ("qrcodegen", &["lectern-pages"]),
    ("lettre", &["lectern-egress"]),
    ("hickory-resolver", &["lectern-egress"]),
    ("tokio-rustls", &["lectern-egress"]),
    // Timers that are precise, where a response must not tell by its time.
    ("async-io", &["lectern-services"]),
    ("argon2", &["lectern-crypto"]),
    ("bcrypt", &["lectern-crypto"]),
    ("pbkdf2", &["lectern-crypto"]),
    ("sha1", &["lectern-crypto"]),
    ("hkdf", &["lectern-crypto"]),
    ("hmac", &["lectern-crypto"]),
    // Storage takes checksums of files; everything about secrets is in crypto.
    ("sha2", &["lectern-crypto", "lectern-load", "lectern-storage"]),
    ("subtle", &["lectern-crypto"]),
    ("totp-rs", &["lectern-crypto"]),
    ("rand", &["lectern-crypto"]),
    ("jsonwebtoken", &["lectern-crypto"]),
    ("webauthn-rs", &["lectern-crypto"]),
    ("webauthn-rs-proto", &["lectern-crypto"]),
    ("anyhow", &["lectern", "lectern-load"]),
    ("clap", &["lectern", "lectern-load"]),
    ("nix", &["lectern"]),
    ("rustix", &["lectern-crypto", "lectern-images"]),
    ("fast_image_resize", &["lectern-images"]),
    ("gif", &["lectern-images"]),
    ("libwebp-sys", &["lectern-images"]),
    ("qcms", &["lectern-images"]),
    ("mozjpeg", &["lectern-images"]),
    ("png", &["lectern-images"]),
    ("rav1e", &["lectern-images"]),
    ("tracing-subscriber", &["lectern"]),
    // The wire and the actors stay out of the use cases: `http`, `hyper` and their like belong to those who
    // speak HTTP.
    ("http", &["lectern", "lectern-actors", "lectern-egress", "lectern-load", "lectern-routes", "lectern-vendor-stand-in"]),
    ("hyper", &["lectern", "lectern-egress", "lectern-load", "lectern-routes", "lectern-vendor-stand-in"]),
];

/// The libraries that this server was chosen to be built on, each with a crate that has to use it.
const CHOSEN: &[(&str, &str)] = &[
    ("ractor", "lectern-actors"),
    ("tokio", "lectern"),
    ("warp", "lectern-routes"),
    ("tokio-postgres", "lectern-storage"),
    ("deadpool-postgres", "lectern-storage"),
    ("serde", "lectern-routes"),
    ("argon2", "lectern-crypto"),
    ("bcrypt", "lectern-crypto"),
    ("pbkdf2", "lectern-crypto"),
    ("hmac", "lectern-crypto"),
    ("webauthn-rs", "lectern-crypto"),
    ("totp-rs", "lectern-crypto"),
    ("jsonwebtoken", "lectern-crypto"),
    ("lettre", "lectern-egress"),
    ("hyper", "lectern"),
    ("minio", "lectern-storage"),
    ("prometheus", "lectern-routes"),
    ("tracing", "lectern"),
];

/// The services. Neither imports the other.
const SERVICES: [&str; 2] = ["content", "identity"];

/// Files that belong to one service although they lie outside its folder, by the beginning of their paths.
const OWNED: &[(&str, &str)] = &[
    ("crates/crypto/src/codes", "identity"),
    ("crates/crypto/src/oidc", "identity"),
    ("crates/crypto/src/passkeys", "identity"),
    ("crates/egress/src/mail", "identity"),
    ("crates/images/src", "content"),
    ("crates/pages/src", "identity"),
    ("routes/src/pages", "identity"),
    ("routes/src/web/error_page", "identity"),
    ("crates/storage/src/blobs", "content"),
];

/// Files that put the two services together and so know both, by the beginning of their paths.
const WIRING: &[&str] = &[
    "actors/src/actor_system",
    "actors/src/notifications",
    "actors/src/maintenance/object_sweep.rs",
    "actors/src/maintenance/sweep.rs",
    "routes/src/dispatch.rs",
    "routes/src/studio",
    "routes/src/web/session.rs",
];

/// Where faults are told apart by their codes, by the beginning of the paths: the table of codes, and what
/// renders faults.
const KNOW_CODES: &[&str] = &["crates/domain/src/shared/fault", "crates/pages/src/error.rs", "crates/pages/src/fault_text.rs"];

/// Words that begin a statement, as they stand at the beginning of a string.
const SQL: &[&str] =
    &["select ", "insert into ", "update ", "delete from ", "create table ", "create database ", "alter ", "drop ", "with "];

/// Dependencies on crates of the workspace that are not on the list.
pub fn edges(package: &Crate) -> Vec<String> {
    let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == package.name) else {
        return vec![format!("{} is not in the list of crates", package.name)];
    };
    let ours = package.dependencies.iter().filter(|dependency| EDGES.iter().any(|(name, _)| name == dependency));
    let forbidden = ours.filter(|dependency| !allowed.contains(&dependency.as_str()));
    forbidden.map(|dependency| format!("{} may not depend on {dependency}", package.name)).collect()
}

/// Libraries that are used outside of their homes. The fixtures of the tests are the other side of every
/// wire, and may use all of them.
pub fn homes(package: &Crate) -> Vec<String> {
    if package.name == "lectern-test-support" {
        return Vec::new();
    }
    let is_used = |library: &str| package.dependencies.iter().any(|dependency| dependency == library);
    let strays = HOMES.iter().filter(|(library, homes)| is_used(library) && !homes.contains(&package.name.as_str()));
    strays.map(|(library, homes)| format!("{} may not use {library}, which lives in {}", package.name, homes.join(", "))).collect()
}

/// Chosen libraries that their crate does not name. That it uses what it names is another rule, see
/// [`unused`].
pub fn unchosen(packages: &[Crate]) -> Vec<String> {
    let is_named = |(library, user): &&(&str, &str)| {
        let package = packages.iter().find(|package| package.name == *user);
        package.is_some_and(|package| package.dependencies.iter().any(|dependency| dependency == library))
    };
    let missing = CHOSEN.iter().filter(|chosen| !is_named(chosen));
    missing.map(|(library, user)| format!("{user} does not use {library}")).collect()
}

/// Dependencies whose name does not occur in the code.
pub fn unused(package: &Crate) -> Vec<String> {
    let is_used = |dependency: &str| {
        let name = dependency.strip_prefix("lectern-").unwrap_or(dependency).replace('-', "_");
        package.sources.iter().any(|text| code(text).any(|line| mentions(line, &name)))
    };
    let unused = package.dependencies.iter().filter(|dependency| !is_used(dependency));
    unused.map(|dependency| format!("{} names {dependency} and does not use it", package.name)).collect()
}

/// SQL outside of storage.
pub fn sql(path: &str, text: &str) -> Vec<String> {
    if !is_rust(path) || path.starts_with("crates/storage/") || path.starts_with("tests/") {
        return Vec::new();
    }
    let is_sql = |line: &str| line.split('"').skip(1).step_by(2).any(|string| SQL.iter().any(|begin| is_statement(string, begin)));
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//") && is_sql(line));
    lines.map(|(number, line)| format!("{path}:{}: SQL outside of storage: {}", number + 1, line.trim())).collect()
}

/// A sentence may begin with such a word too, so a second word is looked for.
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

/// The name of a service where it must not be known: in the other service, and in code that both share.
pub fn services(path: &str, text: &str) -> Vec<String> {
    let crates = ["crates/", "actors/src/", "routes/src/"];
    if !is_rust(path) || !crates.iter().any(|begin| path.starts_with(begin)) || WIRING.iter().any(|begin| path.starts_with(begin)) {
        return Vec::new();
    }
    let is_inside = |service: &str| path.split('/').any(|part| part == service || part == format!("{service}.rs"));
    let folder = SERVICES.into_iter().find(|service| is_inside(service));
    let owner = folder.or_else(|| OWNED.iter().find(|(begin, _)| path.starts_with(begin)).map(|(_, service)| *service));
    let own = owner.unwrap_or("code that both services share");
    let foreign = SERVICES.into_iter().filter(|service| Some(*service) != owner);
    let names = |line: &str, service: &str| line.contains(&format!("{service}::")) && mentions(line, service);
    foreign
        .flat_map(|service| code(text).filter(move |line| names(line, service)).map(move |line| (service, line)))
        .map(|(service, line)| format!("{path}: {own} knows the service {service}: {}", line.trim()))
        .collect()
}

/// Faults that are recognised by their code: what a caller expects is an outcome of the use case. Codes of
/// other kinds may be compared, and never as text.
pub fn codes(path: &str, text: &str) -> Vec<String> {
    if !is_rust(path) || path.starts_with("tests/") || path.starts_with("load/") || path.ends_with("/tests.rs") {
        return Vec::new();
    }
    // Written together, as rustfmt leaves them.
    let text_forms =
        [".code == \"", ".code != \"", "code.name() ==", "code.name() !=", "match fault.code.name()", "matches!(fault.code.name()"];
    let fault_forms = [".code == Code::", ".code != Code::", "match fault.code {", ".code() == Code::", ".code() != Code::"];
    let may_look = KNOW_CODES.iter().any(|begin| path.starts_with(begin));
    let recognises = |line: &str| {
        let is_match = |of: &str| line.contains("matches!(") && line.contains(of);
        text_forms.iter().any(|form| line.contains(form))
            || is_match(".code, \"")
            || !may_look && (fault_forms.iter().any(|form| line.contains(form)) || is_match(".code, Code::"))
    };
    let production = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code(production).filter(|line| recognises(line));
    lines.map(|line| format!("{path}: a fault is recognised by its code: {}", line.trim())).collect()
}

/// Transactions that are opened by a route, where a use case ought to.
pub fn transactions(path: &str, text: &str) -> Vec<String> {
    if !path.starts_with("routes/src/") {
        return Vec::new();
    }
    let opens = code(text).filter(|line| [".transact(", "transact!("].iter().any(|form| line.contains(form)));
    opens.map(|line| format!("{path}: opens a transaction: {}", line.trim())).collect()
}

/// Public items without a sentence about them, in the crates that others read first. Fields and variants
/// speak for themselves where their names do.
pub fn undocumented(path: &str, text: &str) -> Vec<String> {
    let crates = ["crates/domain/src/", "crates/services/src/", "crates/storage/src/"];
    if !is_rust(path) || !crates.iter().any(|begin| path.starts_with(begin)) || path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let is_item = |line: &str| {
        let words = line.strip_prefix("pub ").unwrap_or_default().split_whitespace();
        let mut kinds = words.skip_while(|word| ["async", "unsafe"].contains(word));
        kinds.next().is_some_and(|kind| ["fn", "struct", "enum", "trait", "const", "static", "type"].contains(&kind))
    };
    let (mut found, mut is_documented, mut is_attribute) = (Vec::new(), false, false);
    for line in text.split("#[cfg(test)]").next().unwrap_or_default().lines().map(str::trim) {
        if is_item(line) && !is_documented {
            found.push(format!("{path}: say what this is for: {line}"));
        }
        // An attribute may stand between the sentence and its item, over several lines.
        is_attribute = line.starts_with("#[") && !line.ends_with(']') || is_attribute && !line.ends_with(']');
        let stays = is_attribute || line.starts_with("#[") || line == ")]";
        is_documented = ["///", "#[doc", "$(#["].iter().any(|begin| line.starts_with(begin)) || is_documented && stays;
    }
    found
}

/// Entries of the lists above that fit no file any longer.
pub fn stale_exceptions(paths: &[&str]) -> Vec<String> {
    let entries = OWNED.iter().map(|(begin, _)| begin).chain(WIRING).chain(KNOW_CODES);
    let stale = entries.filter(|begin| !paths.iter().any(|path| path.starts_with(**begin)));
    stale.map(|begin| format!("{begin} is in a list of tests/it/architecture/rules.rs and fits no file")).collect()
}

/// Files that are too long, and modules that hide behind `mod.rs`.
pub fn files(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().count();
    let long = (lines > MAX_LINES).then(|| format!("{path} has {lines} lines, {MAX_LINES} are enough"));
    let nameless = path.ends_with("/mod.rs").then(|| format!("{path}: call it by its folder's name"));
    long.into_iter().chain(nameless).collect()
}

/// Comments of Rust that are wider than [`MAX_COMMENT`], but for drawings and tables.
pub fn comments(path: &str, text: &str) -> Vec<String> {
    let mut is_drawing = false;
    let wide = text.lines().enumerate().filter(|(_, line)| {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            is_drawing = false;
            return false;
        };
        let comment = comment.trim_start_matches(['/', '!']).trim_start();
        is_drawing ^= comment.starts_with("```");
        line.chars().count() > MAX_COMMENT && !is_drawing && !comment.starts_with('|')
    });
    wide.map(|(at, _)| format!("{path}:{}: a comment has more than {MAX_COMMENT} columns", at + 1)).collect()
}

pub fn is_rust(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|extension| extension == "rs")
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
    use super::{
        CHOSEN, Crate, KNOW_CODES, MAX_COMMENT, OWNED, WIRING, codes, comments, edges, files, homes, services, sql,
        stale_exceptions, transactions, unchosen, undocumented, unused,
    };

    fn invented(name: &str, dependencies: &[&str], source: &str) -> Crate {
        let dependencies = dependencies.iter().map(|dependency| (*dependency).to_owned()).collect();
        Crate { name: name.to_owned(), dependencies, sources: vec![source.to_owned()] }
    }

    #[test]
    fn a_comment_is_wrapped_and_a_drawing_is_not() {
        let long = "x ".repeat(MAX_COMMENT);
        let found = |text: String| comments("a.rs", &text).len();
        assert_eq!(found(format!("/// {long}\nfn a() {{}}\n    // {long}")), 2);
        assert_eq!(found(format!("//! ```text\n//! {long}\n//! ```\n//! | {long} |\nlet a = \"{long}\";")), 0);
        assert_eq!(found(format!("//! ```text\n//! a\n//! ```\n//! {long}")), 1);
    }

    #[test]
    fn an_edge_that_is_not_on_the_list_is_found() {
        assert_eq!(
            edges(&invented("lectern-domain", &["lectern-storage", "serde"], "")),
            ["lectern-domain may not depend on lectern-storage"]
        );
        assert_eq!(edges(&invented("lectern-services", &["lectern-egress"], "")).len(), 1);
        assert_eq!(edges(&invented("lectern-load", &["lectern"], "")).len(), 1);
        assert_eq!(edges(&invented("lectern-new", &[], "")), ["lectern-new is not in the list of crates"]);
        assert!(edges(&invented("lectern-routes", &["lectern-actors", "warp"], "")).is_empty());
    }

    #[test]
    fn a_library_away_from_home_is_found() {
        assert_eq!(
            homes(&invented("lectern-actors", &["warp", "ractor"], "")),
            ["lectern-actors may not use warp, which lives in lectern-routes"]
        );
        for library in ["ractor", "tokio-postgres", "reqwest", "anyhow"] {
            assert_eq!(homes(&invented("lectern-routes", &[library], "")).len(), 1, "{library}");
        }
        assert_eq!(homes(&invented("lectern-services", &["http"], "")).len(), 1);
    }

    #[test]
    fn a_chosen_library_that_is_not_used_is_found() {
        assert_eq!(unchosen(&[]).len(), CHOSEN.len());
        let with = |library: &'static str| unchosen(&[invented("lectern-crypto", &[library], "")]).len();
        assert_eq!((with("pbkdf2"), with("sha2")), (CHOSEN.len() - 1, CHOSEN.len()));
    }

    #[test]
    fn a_dependency_that_is_only_named_is_found() {
        let source = "// serde_json\nuse domain::shared;\nlet x = subtleties;";
        let violations = unused(&invented("x", &["lectern-domain", "serde_json", "subtle"], source));
        assert_eq!(violations, ["x names serde_json and does not use it", "x names subtle and does not use it"]);
    }

    #[test]
    fn sql_outside_of_storage_is_found() {
        for line in [
            r#"tx.execute("update stories set name = $1")"#,
            r#"let sql = "select id from users";"#,
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
    fn a_service_that_knows_the_other_is_found() {
        let line = "use crate::identity::Identity;";
        for path in ["routes/src/content/x.rs", "routes/src/content.rs", "crates/domain/src/content/story.rs"] {
            assert_eq!(services(path, line).len(), 1, "{path}");
        }
        assert_eq!(services("crates/storage/src/identity/users.rs", "use crate::{content::spaces, Tx};").len(), 1);
        assert!(services("routes/src/identity/x.rs", line).is_empty());
        assert!(services("routes/src/content/x.rs", "// see identity::Identity\nlet x = my_identity::of();").is_empty());
    }

    #[test]
    fn shared_code_that_knows_a_service_is_found_unless_it_is_wiring() {
        let both = "use domain::content::Story;\nuse domain::identity::Email;";
        for path in ["crates/services/src/shared/clock.rs", "actors/src/runtime/wake.rs", "routes/src/web/body.rs"] {
            assert_eq!(services(path, both).len(), 2, "{path}");
        }
        assert!(services(WIRING[0], both).is_empty());
        assert!(services("src/wiring.rs", both).is_empty(), "the root package puts everything together");
        assert!(services("tests/it/main.rs", both).is_empty());
        let (file, owner) = OWNED[0];
        assert_eq!((services(&format!("{file}.rs"), both).len(), owner), (1, "identity"));
    }

    #[test]
    fn a_transaction_in_a_route_is_found() {
        for text in ["let id = content.store.transact(&operation).await?;", "transact!(store, \"space.create\", async |tx| {"] {
            assert_eq!((transactions("routes/src/a.rs", text).len(), transactions("crates/services/src/a.rs", text).len()), (1, 0));
        }
    }

    #[test]
    fn a_fault_that_is_recognised_by_its_code_is_found_outside_of_tests() {
        for wrong in [
            "if fault.code == \"emailTaken\" {",
            "if fault.code.name() != WRONG {",
            "match fault.code.name() {",
            "if !matches!(error.code, \"gone\") {",
            "Err(fault) if fault.code == Code::EmailTaken => {",
            "if matches!(fault.code, Code::EmailTaken | Code::StaleLink) {",
            "match fault.code {",
        ] {
            assert_eq!(codes("routes/src/a.rs", wrong).len(), 1, "{wrong}");
            assert_eq!(codes("tests/it/a.rs", wrong).len(), 0, "{wrong}");
            assert_eq!(codes("routes/src/a.rs", &format!("#[cfg(test)]\n{wrong}")).len(), 0, "{wrong}");
        }
        assert_eq!(codes(KNOW_CODES[0], "if self.code == Code::Unauthorized {").len(), 0);
        assert_eq!(codes("actors/src/a.rs", "if error.code == EndCode::ImportTooLarge {").len(), 0);
    }

    #[test]
    fn a_public_item_that_says_nothing_is_found() {
        let of = |text: &str| undocumented("crates/domain/src/a.rs", text).len();
        for wrong in [
            "pub fn a() {}",
            "#[derive(Debug)]\npub struct A;",
            "/// One.\npub fn a() {}\npub async fn b() {}",
            "pub const fn a() {}",
        ] {
            assert_eq!(of(wrong), 1, "{wrong}");
        }
        for right in [
            "/// A.\npub fn a() {}",
            "/// A.\n#[derive(Debug)]\n#[expect(\n    x,\n    reason = \"y\"\n)]\npub struct A {\n    pub id: i64,\n}",
            "fn a() {}\npub mod b;\npub use c::d;",
            "#[cfg(test)]\nmod tests {\n    pub fn a() {}\n}",
        ] {
            assert_eq!(of(right), 0, "{right}");
        }
        assert_eq!(undocumented("routes/src/a.rs", "pub fn a() {}").len(), 0);
    }

    #[test]
    fn an_exception_that_fits_no_file_is_found() {
        assert_eq!(stale_exceptions(&[]).len(), OWNED.len() + WIRING.len() + KNOW_CODES.len());
    }

    #[test]
    fn a_long_file_and_a_nameless_module_are_found() {
        assert_eq!(files("src/x.rs", &"\n".repeat(801)).len(), 1);
        assert!(files("src/x.rs", &"\n".repeat(800)).is_empty());
        assert_eq!(files("src/x/mod.rs", "").len(), 1);
    }
}
