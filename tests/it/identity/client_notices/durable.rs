//! Logout tokens outlive the process, and wait for one that can sign them.

use super::{ANN, Reaction, Receiver, TARGETS, app, claims, clients, sign_in_to};
use crate::oidc::verify;
use support::{database, prelude::*};

const SECRET: (&str, &str) = ("APP_SECRET", "0123456789abcdef0123456789abcdef");

async fn execute(database: &Database, statement: &str) -> u64 {
    database.sql(statement).await
}

/// The server is killed while the client takes its time to answer.
#[tokio::test]
async fn a_logout_survives_a_kill() {
    let (web, shop, data, database) = (Receiver::start().await, Receiver::start().await, scratch(), database().await);
    web.will([Reaction::Silence]);
    let clients = clients(&web, &shop);
    let url = database.target.url.expose_secret();
    let variables =
        [("APP_DATABASE_URL", url), SECRET, TARGETS, ("APP_OIDC_CLIENTS_JSON", clients.as_str()), ("APP_SERVICES", "identity")];
    let first = Server::start(data.path(), &variables).await;
    let ann = Person::at_origin(first.url(""));
    assert_eq!(ann.register(ANN).await.status, 201);
    assert_eq!(ann.login(ANN, super::PASSWORD).await.status, 200);
    execute(
        &database,
        "insert into oidc_session_clients (session_id, client_id, first_used_at) select id, 'web', created_at from sessions",
    )
    .await;
    assert_eq!(ann.post("/api/auth/logout", &json!({})).await.status, 200);
    web.got(1).await;
    first.signal(Signal::SIGKILL);
    first.end().await;

    // Its lease would run out within 20 seconds. If the five seconds of the client are over, it is to be sent
    // again somewhat later.
    let expire = "update delivery_queue set lease_until = case when lease_token is not null then clock_timestamp() end,
                                            due_at = statement_timestamp()";
    assert_eq!(execute(&database, expire).await, 1);
    let second = Server::start(data.path(), &variables).await;
    let got = web.got(2).await;
    let jwks: Value = browser().get(second.url("/.well-known/jwks.json")).send().await.unwrap().json().await.unwrap();
    let told: Vec<Value> =
        got.iter().map(|got| verify(got.text().strip_prefix("logout_token=").unwrap(), &jwks).unwrap()).collect();
    assert_eq!(told[0]["sid"], told[1]["sid"]);
    assert_ne!(told[0]["jti"], told[1]["jti"]);
}

/// A process without the identity service has no keys.
#[tokio::test]
async fn a_process_that_cannot_sign_leaves_the_logout_to_one_that_can() {
    let (web, shop) = (Receiver::start().await, Receiver::start().await);
    let first = app(&clients(&web, &shop)).await;
    let ann = Person::signed_in(&first, ANN).await;
    sign_in_to(&first, ANN, &["web"]).await;
    let database = first.database.clone();
    // The process that could is away.
    assert!(first.actors.drain(std::time::Duration::from_secs(20)).await);
    ann.post("/api/auth/logout", &json!({})).await;
    let content = support::system(&database, support::clock()).await;
    content.handles().notifications.wake_all();
    let dispatcher = content.handles().observe_all().await["dispatcher"].clone();
    assert_eq!((&dispatcher["sent"], &dispatcher["failures"]), (&json!(0), &json!(0)));
    assert_eq!(first.count("select count(*) from delivery_queue where lease_token is null and attempts = 0").await, 1);

    let setup_clients = clients(&web, &shop);
    let variables = [super::FREE, &[TARGETS, ("APP_OIDC_CLIENTS_JSON", setup_clients.as_str())]].concat();
    let setup = support::Setup { variables: &variables, database: Some(database), ..support::Setup::default() };
    let other = support::TestApp::with(setup).await;
    let got = web.got(1).await.remove(0);
    claims(&other, &got).await;
    other.database.until("select count(*) from delivery_queue", 0).await;
}
