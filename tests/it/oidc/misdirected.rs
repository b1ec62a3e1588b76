//! Requests that cannot be answered to their application: an unknown client, an address that is not
//! registered. The person sees a page, the administrator finds an entry in the audit trail and a line in the
//! log, and however many come, their number is bounded.

use super::provider::{CALLBACK, Provider, authorize_path};
use futures_util::future;
use support::prelude::*;

const PROXY: (&str, &str) = ("APP_TRUSTED_PROXIES", "127.0.0.1");
const ELSEWHERE: &str = "https://app.example/cb?next=<b>";

/// A browser at an address opens a page, in a language.
async fn open(provider: &Provider, path: &str, ip: &str, language: &str) -> Response {
    let request = browser().get(provider.url(path)).header("accept", "text/html").header("accept-language", language);
    request.header("x-forwarded-for", ip).answer().await
}

fn end_path(client: &str, uri: &str) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("client_id", client)
        .append_pair("post_logout_redirect_uri", uri)
        .finish();
    format!("/oidc/session/end?{query}")
}

/// The client, the details and the address of each entry, in order.
async fn entries(provider: &Provider) -> Vec<(Option<String>, Value, String)> {
    let rows = provider.rows("select client_id, details, host(ip), status, user_id, request_id from account_audit where event = 'oidc.request.refused' order by id", &[]).await;
    let entry = |row: &tokio_postgres::Row| {
        assert_eq!((row.get::<_, String>(3).as_str(), row.get::<_, Option<uuid::Uuid>>(4)), ("failure", None));
        assert!(row.get::<_, Option<uuid::Uuid>>(5).is_some(), "the request can be found");
        (row.get(0), row.get(1), row.get(2))
    };
    rows.iter().map(entry).collect()
}

async fn count(provider: &Provider) -> usize {
    entries(provider).await.len()
}

#[tokio::test]
async fn the_page_names_the_application_what_was_sent_and_what_to_add() {
    let provider = Provider::with(&[PROXY]).await;
    let redirect = authorize_path("web", &[("redirect_uri", ELSEWHERE)]);
    let sent = "https://app.example/cb?next=&lt;b&gt;";
    let page = open(&provider, &redirect, "192.0.2.1", "en").await;
    assert_eq!(page.status, 400);
    for part in [
        "Web is not set up correctly",
        "For developers",
        "invalid_redirect_uri",
        "redirect_uri",
        sent,
        "redirectUris of the client web",
        "<code>web</code>",
    ] {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
    for part in ["Try again", ELSEWHERE, &format!("href=\"{sent}")] {
        assert!(!page.text.contains(part), "{part} in {}", page.text);
    }

    let page = open(&provider, &end_path("web", ELSEWHERE), "192.0.2.1", "de").await;
    assert_eq!(page.status, 400);
    for part in [
        "Web ist nicht richtig eingerichtet",
        "Für die Entwicklung",
        "post_logout_redirect_uri",
        sent,
        "postLogoutRedirectUris",
        "href=\"/logout\"",
    ] {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
    let asked = end_path("web", ELSEWHERE).replace("/oidc/session/end", "/logout");
    assert!(
        open(&provider, &asked, "192.0.2.1", "en").await.text.contains("postLogoutRedirectUris"),
        "where the person is asked, too"
    );

    let page = open(&provider, &authorize_path("no <one>", &[]), "192.0.2.1", "en").await;
    assert_eq!(page.status, 400);
    for part in ["This application is not known here", "no &lt;one&gt;", "invalid_client", "client_id", "APP_OIDC_CLIENTS_JSON"] {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
    assert!(!page.text.contains("Try again"), "{}", page.text);

    // What has no page of its own says at least the code, and that the application is to blame.
    let page = open(&provider, &authorize_path("web", &[("redirect_uri", "")]), "192.0.2.1", "en").await;
    for part in ["The application made a mistake", "invalid_request", "redirect_uri is missing"] {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
    assert!(!page.text.contains("Try again"), "{}", page.text);
}

#[tokio::test]
async fn a_program_is_told_in_the_words_of_oauth() {
    let provider = Provider::start().await;
    let answer = provider.authorize("web", &[("redirect_uri", ELSEWHERE)]).await;
    assert_eq!(answer.refusal(), (400, "invalid_redirect_uri"));
    let members: Vec<String> = answer.body.as_object().unwrap().keys().cloned().collect();
    assert_eq!(members, ["error", "error_description"]);
}

#[tokio::test]
async fn each_client_and_address_has_an_entry_a_minute() {
    let provider = Provider::with(&[PROXY]).await;
    let redirect = authorize_path("web", &[("redirect_uri", "https://app.example/other")]);
    for _ in 0..3 {
        open(&provider, &redirect, "192.0.2.1", "en").await;
        // The same client and address with another fault.
        open(&provider, &end_path("web", ELSEWHERE), "192.0.2.1", "en").await;
    }
    let details =
        |code: &str, parameter: &str, sent: &str| serde_json::json!({ "reason": code, "parameter": parameter, "sent": sent });
    let web = details("invalid_redirect_uri", "redirect_uri", "https://app.example/other");
    let first = [(Some("web".to_owned()), web, "192.0.2.1".to_owned())];
    assert_eq!(entries(&provider).await, first);
    open(&provider, &redirect, "192.0.2.2", "en").await;
    open(&provider, &authorize_path("strict", &[("redirect_uri", ELSEWHERE)]), "192.0.2.1", "en").await;
    assert_eq!(count(&provider).await, 3, "another address, another client");

    // Unknown clients are as many as the caller likes, so that their ids do not count.
    for number in 0..5 {
        open(&provider, &authorize_path(&format!("unknown{number}"), &[]), "192.0.2.1", "en").await;
    }
    let unknown = (None, details("invalid_client", "client_id", "unknown0"), "192.0.2.1".to_owned());
    assert_eq!((entries(&provider).await[3..].to_vec()), [unknown]);

    provider.advance(59);
    open(&provider, &redirect, "192.0.2.1", "en").await;
    assert_eq!(count(&provider).await, 4);
    provider.advance(1);
    open(&provider, &redirect, "192.0.2.1", "en").await;
    assert_eq!(count(&provider).await, 5);

    // What is answered to the client is not noted.
    let refused = provider.authorize("web", &[("response_type", "token")]).await;
    assert!(refused.location().starts_with(CALLBACK));
    assert_eq!(count(&provider).await, 5);
}

#[tokio::test]
async fn all_processes_together_write_sixty_entries_a_minute() {
    let one = Provider::with(&[PROXY]).await;
    let other = Provider::on(&[PROXY], Some(&one)).await;
    let both = [&one, &other];
    let crowd = async |from: usize, ids: &str| {
        let asked = (from..from + 100).flat_map(|number| {
            // Both processes are asked for the same address at repeated.
            both.map(|provider| async move {
                let path = authorize_path(&format!("{ids}{number}"), &[]);
                open(provider, &path, &format!("198.51.100.{number}"), "en").await.status
            })
        });
        assert!(future::join_all(asked).await.iter().all(|status| *status == 400));
    };
    crowd(0, "unknown").await;
    assert_eq!(count(&one).await, 60);
    let repeated = "select count(*) from (select ip from account_audit where event = 'oidc.request.refused' group by ip having count(*) > 1) twice";
    assert_eq!(one.count(repeated).await, 0, "once for each address");
    let pass = |seconds| both.map(|provider| provider.advance(seconds));
    pass(59);
    crowd(100, "later").await;
    assert_eq!(count(&one).await, 60, "no minute has more");
    pass(1);
    crowd(0, "unknown").await;
    assert_eq!(count(&one).await, 120);
}

/// What a started server writes. Nothing sets its clock, so a second line about the same client and address
/// is allowed, a minute later.
#[tokio::test]
async fn the_log_tells_an_administrator_once_a_minute_for_each_client_and_address() {
    let (data, clients) = (data_directory(), r#"[{"clientId":"web","redirectUris":["https://app.example/cb"]}]"#);
    let server = Server::start(data.path(), &[PROXY, ("APP_OIDC_CLIENTS_JSON", clients), ("APP_LOG_LEVEL", "info")]).await;
    let redirect = authorize_path("web", &[("redirect_uri", ELSEWHERE)]);
    let (logout, unknown) = (end_path("web", ELSEWHERE), authorize_path("no\u{1b}one", &[]));
    for (path, ip) in [
        (&redirect, "192.0.2.1"),
        (&redirect, "192.0.2.1"),
        (&logout, "192.0.2.1"),
        (&redirect, "192.0.2.2"),
        (&unknown, "192.0.2.1"),
        (&unknown, "192.0.2.1"),
    ] {
        let request = browser().get(server.url(path)).header("accept", "text/html").header("x-forwarded-for", ip);
        assert_eq!(request.send().await.unwrap().status(), 400, "{path}");
    }
    let log = server.stop_and_tell().await;
    let mut told: Vec<&str> =
        log.lines().filter(|line| line.contains("INFO an application's request is refused on a page")).collect();
    let unregistered = format!("error=\"invalid_redirect_uri\" parameter=\"redirect_uri\" sent=\"{ELSEWHERE}\"");
    for (from, what) in [
        ("client.id=\"web\" client.address=192.0.2.1 request.id=", unregistered.as_str()),
        ("client.id=\"web\" client.address=192.0.2.2 request.id=", &unregistered),
        ("sends client.address=192.0.2.1 request.id=", "error=\"invalid_client\" parameter=\"client_id\" sent=\"noone\""),
    ] {
        let lines: Vec<&str> = told.extract_if(.., |line| line.contains(from)).collect();
        assert!(lines.first().is_some_and(|line| line.ends_with(what)), "{from} {what} in {log}");
        let times: Vec<Timestamp> = lines.iter().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
        assert!(times.is_sorted_by(|one, next| next.duration_since(*one) > SignedDuration::from_secs(59)), "{lines:?}");
    }
    assert_eq!(told, [""; 0], "nothing else");
}
