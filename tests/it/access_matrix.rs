//! The access matrix: every endpoint of the tables with every kind of caller, as one table ([`table`]). An
//! endpoint that is in no line fails the test, and so does a line without an endpoint.

mod callers;
mod table;

use callers::{Caller, callers};
use futures_util::{StreamExt, stream};
use http::{Method, header};
use std::fmt::Write;
use support::prelude::*;
use table::{COLUMNS, TABLE};

/// What the server has to have so that every endpoint exists. The limits are about how often, and not about
/// who.
pub const VARIABLES: &[(&str, &str)] = &[
    ("APP_RATE_LIMITS", "off"),
    ("APP_ARGON2_MEMORY_KIB", "64"),
    ("APP_ARGON2_ITERATIONS", "1"),
    ("APP_METRICS_TOKEN", "0123456789abcdef"),
    ("APP_ADMIN_API_TOKENS_JSON", r#"[{"id":"importer","token":"0123456789abcdef0123456789abcdef"}]"#),
    (
        "APP_OIDC_CLIENTS_JSON",
        r#"[{"clientId":"web","redirectUris":["https://app.example/cb"],"clientSecret":"a-secret-of-a-client-that-is-long-enough"}]"#,
    ),
];

/// These end the session of who calls them or replace its cookie, so each has callers of its own.
const ENDING: &[&str] = &[
    "POST /api/auth/logout",
    "POST /logout",
    "POST /oidc/session/end",
    "POST /api/me/sessions/revoke-others",
    "POST /account/sessions",
];
/// How many requests are under way at a time.
const CONCURRENT: usize = 8;

/// An endpoint as the table names it, and how it is called.
#[derive(Clone)]
struct Probe {
    name: String,
    method: Method,
    path: String,
    is_page: bool,
}

/// The path of a template: in the space of the fixture, and of things that do not exist.
fn path(template: &str, space: i64) -> String {
    let nil = uuid::Uuid::nil();
    let is_of_accounts = ["/api/me/", "/api/admin/", "/account/", "/admin/"].iter().any(|prefix| template.starts_with(prefix));
    let value = |segment: &str| match segment {
        "{space}" => space.to_string(),
        "{delivery}" => format!("whd_{}", nil.as_simple()),
        "{identifier..}" | "{file..}" => "a/b".to_owned(),
        "{file}" => "none.css".to_owned(),
        "{uuid}" => nil.to_string(),
        "{id}" if is_of_accounts => nil.to_string(),
        parameter if parameter.starts_with('{') => "999999".to_owned(),
        literal => literal.to_owned(),
    };
    template.split('/').map(value).collect::<Vec<_>>().join("/")
}

fn is_management(path: &str) -> bool {
    path.starts_with("/api/v1/")
}

/// Calls an endpoint with a request that gets past nothing but the access rule, and reads the cell of the
/// table from the answer.
async fn cell(app: &TestApp, client: &reqwest::Client, probe: &Probe, caller: &Caller) -> char {
    let query = if is_management(&probe.path) {
        "?no_such_parameter=1".to_owned()
    } else {
        let token = caller.delivery_token.as_deref().filter(|_| probe.path.starts_with("/api/v2/"));
        token.map_or_else(String::new, |token| format!("?token={token}"))
    };
    let mut request = client.request(probe.method.clone(), app.url(&format!("{}{query}", probe.path)));
    for (name, value) in &caller.headers {
        request = request.header(*name, value);
    }
    if probe.method != Method::GET {
        request = if probe.is_page {
            let form = caller.csrf().map_or_else(String::new, |token| format!("csrf_token={token}"));
            request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form)
        } else {
            request.header(header::CONTENT_TYPE, "application/json").body("{")
        };
    }
    let response = request.send().await.unwrap();
    let location = response.headers().get(header::LOCATION).map(|value| value.to_str().unwrap()).unwrap_or_default();
    match response.status().as_u16() {
        401 => '1',
        403 => '3',
        404 if is_management(&probe.path) => '4',
        303 if location.starts_with("/login") => 'L',
        303 if location.starts_with("/account/prove?") => 'P',
        429 | 500.. => '!',
        _ => '.',
    }
}

/// The cells of an endpoint, in the order of the columns.
async fn row(app: &TestApp, client: &reqwest::Client, probe: &Probe, callers: &[Caller]) -> (String, String) {
    let mut cells = String::new();
    for caller in callers {
        cells.push(cell(app, client, probe, caller).await);
    }
    (probe.name.clone(), cells)
}

/// The cells that the table expects, by endpoint.
fn expected() -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for (cells, endpoints) in TABLE {
        let cells: String = cells.split_whitespace().collect();
        for endpoint in endpoints.lines().map(str::trim).filter(|line| !line.is_empty()) {
            assert!(all.insert(endpoint.to_owned(), cells.clone()).is_none(), "{endpoint} has two lines");
        }
    }
    all
}

#[tokio::test]
async fn every_endpoint_lets_in_whom_the_table_names_and_nobody_else() {
    let fixture = SpaceFixture::with_variables(VARIABLES).await;
    let app = &fixture.app;
    let all = callers(&fixture, 0).await;
    let letters: String = all.iter().map(|caller| caller.letter).collect();
    assert_eq!(COLUMNS.split_whitespace().collect::<String>(), letters);

    let probe = |endpoint: &support::Declared| Probe {
        name: format!("{} {}", endpoint.method, endpoint.template),
        method: endpoint.method.clone(),
        path: path(endpoint.template, fixture.space),
        is_page: endpoint.is_page,
    };
    let (ending, others): (Vec<Probe>, Vec<Probe>) =
        app.endpoints.iter().map(probe).partition(|probe| ENDING.contains(&probe.name.as_str()));
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let rows = stream::iter(&others).map(|probe| row(app, &client, probe, &all)).buffer_unordered(CONCURRENT);
    let mut actual: BTreeMap<String, String> = rows.collect().await;
    for (probe, round) in ending.iter().zip(1..) {
        let (name, cells) = row(app, &client, probe, &callers(&fixture, round).await).await;
        actual.insert(name, cells);
    }

    let expected = expected();
    let names = |of: &BTreeMap<String, String>| of.keys().cloned().collect::<BTreeSet<_>>();
    let mut wrong = String::new();
    for (name, cells) in actual.iter().filter(|(name, cells)| expected.get(*name) != Some(*cells)) {
        let wanted = expected.get(name).map_or("in no line of the table", String::as_str);
        writeln!(wrong, "{name}\n    is {cells}\n  not {wanted}").unwrap();
    }
    for name in names(&expected).difference(&names(&actual)) {
        writeln!(wrong, "{name} is in the table, and there is no such endpoint").unwrap();
    }
    assert!(wrong.is_empty(), "\n      {letters}\n{wrong}");
}
