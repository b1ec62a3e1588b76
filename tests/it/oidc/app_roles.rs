//! `/api/apps/roles`: clients read and set the roles of people themselves.

use super::provider::{Provider, SECRET};
use support::prelude::*;

const PATH: &str = "/api/apps/roles";

/// A request of a client.
async fn ask(provider: &Provider, client: &str, method: Method, query: &str, body: Option<Value>) -> Response {
    let request = browser().request(method, provider.url(&format!("{PATH}{query}"))).basic_auth(client, Some(SECRET));
    let request = if let Some(body) = body { request.json(&body) } else { request };
    request.answer().await
}

async fn get(provider: &Provider, client: &str, query: &str) -> Response {
    ask(provider, client, Method::GET, query, None).await
}

async fn put(provider: &Provider, client: &str, body: Value) -> Response {
    ask(provider, client, Method::PUT, "", Some(body)).await
}

/// The events of the audit trail that a client caused.
async fn events(provider: &Provider, event: &str, client: &str) -> i64 {
    provider
        .count(&format!(
            "select count(*) from account_audit where event = '{event}' and actor_type = 'client' and actor_id = '{client}' and client_id = '{client}'"
        ))
        .await
}

#[tokio::test]
async fn a_client_reads_and_sets_its_own_roles() {
    let provider = Provider::start().await;
    let ann = provider.ann().await;
    let read = get(&provider, "web", &format!("?userId={ann}")).await;
    assert_eq!((read.status, read.body), (200, json!({ "clientId": "web", "roleGroup": "site", "userId": ann, "roles": [] })));
    let set = put(&provider, "web", json!({ "email": "ANN@example.org ", "roles": ["viewer", "editor", "viewer"] })).await;
    assert_eq!((set.status, set.body), (200, json!({ "clientId": "web", "userId": ann, "roles": ["editor", "viewer"] })));
    for query in [format!("?userId={ann}"), "?email=ann%40example.org".to_owned(), format!("?userId={ann}&email=Ann@example.org")] {
        assert_eq!(get(&provider, "web", &query).await.body["roles"], json!(["editor", "viewer"]), "{query}");
    }
    let claims = provider.tokens("guarded", "openid roles").await;
    assert!(claims["access_token"].is_string(), "the role opens the client of the same group");

    let set = put(&provider, "web", json!({ "userId": ann, "roles": ["viewer"], "clientId": "guarded", "isAdmin": true })).await;
    assert_eq!(set.body, json!({ "clientId": "web", "userId": ann, "roles": ["viewer"] }));
    assert_eq!(put(&provider, "web", json!({ "userId": ann, "roles": [] })).await.body["roles"], json!([]));
    assert_eq!(get(&provider, "web", &format!("?userId={ann}")).await.body["roles"], json!([]));
    assert_eq!(events(&provider, "oidc.client.roles_updated", "web").await, 3);
    let about = format!(
        "select count(*) from account_audit where event = 'oidc.client.roles_updated' and user_id = '{ann}' and target_id = '{ann}'"
    );
    assert_eq!(provider.count(&about).await, 3);
    assert_eq!(provider.count("select count(*) from users where is_admin").await, 1, "the first person still is, and nobody else");
}

#[tokio::test]
async fn a_client_sees_and_changes_nothing_of_others() {
    let group = r#"[{"clientId":"one","redirectUris":["https://app.example/cb"],"clientSecret":"a-secret-of-a-client-that-is-long-enough","roleGroup":"g","roles":["a","b"]},
        {"clientId":"two","redirectUris":["https://app.example/cb"],"clientSecret":"a-secret-of-a-client-that-is-long-enough","roleGroup":"g","roles":["b","c"]},
        {"clientId":"single","redirectUris":["https://app.example/cb"],"clientSecret":"a-secret-of-a-client-that-is-long-enough","roles":["x","y"],"roleMode":"single"}]"#;
    let provider = Provider::with(&[("APP_OIDC_CLIENTS_JSON", group)]).await;
    let ann = provider.ann().await;
    let roles = async |client: &str| get(&provider, client, &format!("?userId={ann}")).await.body["roles"].clone();
    let set = async |client: &str, roles: Value| put(&provider, client, json!({ "userId": ann, "roles": roles })).await;
    assert_eq!(set("one", json!(["a", "b"])).await.status, 200);
    assert_eq!(set("two", json!(["c"])).await.status, 200);
    assert_eq!((roles("one").await, roles("two").await, roles("single").await), (json!(["a"]), json!(["c"]), json!([])));
    assert_eq!(set("one", json!([])).await.status, 200);
    assert_eq!((roles("one").await, roles("two").await), (json!([]), json!(["c"])));
    for (client, wrong, code) in [
        ("one", json!(["c"]), "unknownRole"),
        ("one", json!(["a", "A"]), "unknownRole"),
        ("single", json!(["x", "y"]), "tooManyRoles"),
        ("one", json!("a"), "validation"),
        ("one", json!([1]), "validation"),
        ("one", json!(null), "validation"),
    ] {
        assert_eq!(set(client, wrong.clone()).await.refusal(), (400, code), "{wrong}");
    }
    assert_eq!(set("single", json!(["x"])).await.status, 200);
    assert_eq!(set("single", json!(["y"])).await.status, 200);
    assert_eq!(roles("single").await, json!(["y"]), "the one takes the place of the other");
    assert_eq!(roles("two").await, json!(["c"]));
}

/// The first decision in a group is made by one application, and takes nothing from the others that share it.
#[tokio::test]
async fn default_roles_of_another_client_stay_when_a_client_sets_its_own() {
    let group = r#"[{"clientId":"one","redirectUris":["https://app.example/cb"],"clientSecret":"a-secret-of-a-client-that-is-long-enough","roleGroup":"g","roles":["a","b"],"defaultRoles":["a"]},
        {"clientId":"two","redirectUris":["https://app.example/cb"],"clientSecret":"a-secret-of-a-client-that-is-long-enough","roleGroup":"g","roles":["b","c"],"defaultRoles":["c"]}]"#;
    let provider = Provider::with(&[("APP_OIDC_CLIENTS_JSON", group)]).await;
    let ann = provider.ann().await;
    let roles = async |client: &str| get(&provider, client, &format!("?userId={ann}")).await.body["roles"].clone();
    assert_eq!((roles("one").await, roles("two").await), (json!(["a"]), json!(["c"])));
    assert_eq!(put(&provider, "one", json!({ "userId": ann, "roles": [] })).await.status, 200);
    assert_eq!((roles("one").await, roles("two").await), (json!([]), json!(["c"])));
    assert_eq!(put(&provider, "two", json!({ "userId": ann, "roles": [] })).await.status, 200);
    assert_eq!((roles("one").await, roles("two").await), (json!([]), json!([])), "no role, by decision");
}

/// Attacks 167 and 169.
#[tokio::test]
async fn a_person_is_named_by_id_or_address_and_unknown_ones_are_recorded() {
    let provider = Provider::start().await;
    let bob = json!({ "email": "bob@example.org", "password": PASSWORD, "firstName": "Bob" });
    let ann = provider.ann().await;
    assert_eq!(Person::at(&provider).post("/api/auth/register", &bob).await.status, 201);
    for nobody in ["", "?x=1"] {
        assert_eq!(get(&provider, "web", nobody).await.refusal(), (400, "validation"), "{nobody}");
    }
    let both = format!("?userId={ann}&email=bob@example.org");
    assert_eq!(get(&provider, "web", &both).await.refusal(), (400, "validation"));
    let body = json!({ "userId": ann, "email": "bob@example.org", "roles": ["viewer"] });
    assert_eq!(put(&provider, "web", body).await.refusal(), (400, "validation"));
    assert_eq!(put(&provider, "web", json!({ "roles": ["viewer"] })).await.refusal(), (400, "validation"));
    let id = uuid::Uuid::from_u128(7);
    let unknown = [
        format!("?userId={id}"),
        "?userId=1".to_owned(),
        "?userId=".to_owned(),
        "?userId=%27%20or%201=1".to_owned(),
        "?email=eve@example.org".to_owned(),
        "?email=%25".to_owned(),
        format!("?userId={ann}&email=eve@example.org"),
    ];
    for query in &unknown {
        assert_eq!(get(&provider, "web", query).await.refusal(), (404, "notFound"), "{query}");
    }
    assert_eq!(put(&provider, "web", json!({ "email": "eve@example.org", "roles": [] })).await.refusal(), (404, "notFound"));
    let recorded = i64::try_from(unknown.len()).unwrap() + 1;
    assert_eq!(events(&provider, "oidc.client.roles_refused", "web").await, recorded);
    assert_eq!(provider.count("select count(*) from role_assignments").await, 0);
}

#[tokio::test]
async fn only_the_secret_of_a_confidential_client_opens_it() {
    let provider = Provider::start().await;
    let ann = provider.ann().await;
    let url = provider.url(&format!("{PATH}?userId={ann}"));
    let signed_in = provider.person.browser.get(&url);
    for request in [
        browser().get(&url),
        browser().get(&url).basic_auth("web", Some("wrong")),
        browser().get(&url).basic_auth("web", None::<&str>),
        browser().get(&url).basic_auth("nobody", Some(SECRET)),
        browser().get(&url).basic_auth("spa", None::<&str>),
        browser().get(&url).basic_auth("spa", Some(SECRET)),
        browser().get(&url).bearer_auth(SECRET),
        browser().get(&url).header("authorization", "Basic !"),
        browser().get(&url).header("authorization", "Basic"),
        browser().get(format!("{url}&client_id=web&client_secret={SECRET}")),
        browser().put(provider.url(PATH)).json(&json!({ "client_id": "web", "client_secret": SECRET, "userId": ann, "roles": [] })),
        signed_in,
    ] {
        let refused = request.answer().await;
        assert_eq!(refused.refusal(), (401, "invalid_client"));
        assert_eq!(refused.header("www-authenticate"), "Basic realm=\"apps\"");
        let body = refused.body;
        assert!(body["message"].is_string() && body["requestId"].is_string() && body["error_description"].is_null(), "{body}");
    }
    let other = browser().post(provider.url(PATH)).basic_auth("web", Some(SECRET)).send().await.unwrap();
    assert_eq!(other.status().as_u16(), 405);
}

#[tokio::test]
async fn a_client_has_120_requests_a_minute_at_all_processes_together() {
    let provider = Provider::with(&[("APP_RATE_LIMITS", "on"), ("APP_RATE_LIMIT_LOGIN_IP", "1000/min")]).await;
    let second = Provider::on(&[("APP_RATE_LIMITS", "on")], Some(&provider)).await;
    let ann = provider.ann().await;
    let query = format!("?userId={ann}");
    let left =
        |response: &Response| ["limit", "remaining", "reset"].map(|name| response.header(&format!("ratelimit-{name}")).to_owned());
    let first = get(&provider, "web", &query).await;
    assert_eq!((first.status, left(&first)), (200, ["120", "119", "1"].map(str::to_owned)));
    for number in 0..118 {
        assert_eq!(get(if number % 2 == 0 { &provider } else { &second }, "web", &query).await.status, 200);
    }
    let last = put(&second, "web", json!({ "userId": ann, "roles": ["editor"] })).await;
    assert_eq!((last.status, left(&last)), (200, ["120", "0", "60"].map(str::to_owned)));
    for provider in [&provider, &second] {
        let refused = put(provider, "web", json!({ "userId": ann, "roles": [] })).await;
        assert_eq!((refused.refusal(), refused.header("retry-after")), ((429, "rateLimited"), "1"));
        assert_eq!(left(&refused), ["120", "0", "60"].map(str::to_owned));
    }
    assert_eq!(get(&provider, "guarded", &query).await.body["roles"], json!(["editor"]), "another client, and nothing was changed");
    let unknown = get(&provider, "guarded", "?email=eve@example.org").await;
    assert_eq!((unknown.status, unknown.header("ratelimit-remaining")), (404, "118"), "a refusal counts and tells it too");
    provider.advance(1);
    assert_eq!(get(&provider, "web", &query).await.status, 200);
}
