//! kill -9 in the middle of imports of accounts, and registrations of the same addresses meanwhile: no
//! account is ever half made.

use support::{
    prelude::*,
    world::{Running, World, is_full},
};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
/// The accounts of one request.
const ACCOUNTS: usize = 500;
/// The same as the database counts them.
const ALL: i64 = 500;

const VARIABLES: &[(&str, &str)] = &[
    ("APP_RATE_LIMITS", "off"),
    ("APP_ADMIN_API_TOKENS_JSON", r#"[{"id":"importer","token":"0123456789abcdef0123456789abcdef"}]"#),
    ("APP_OIDC_CLIENTS_JSON", r#"[{"clientId":"web","redirectUris":["https://a.example/cb"],"roles":["viewer","editor"]}]"#),
    ("APP_SMTP_HOST", "127.0.0.1"),
    ("APP_SMTP_PORT", "1"),
    ("APP_SMTP_FROM", "lectern@example.com"),
];

fn accounts(round: u32) -> Value {
    let account = |number: usize| {
        json!({ "email": format!("r{round}u{number}@example.org"), "firstName": "Ann", "legacySub": format!("r{round}s{number}"),
                "roles": { "web": ["viewer", "editor"] }, "invite": true })
    };
    json!({ "users": (0..ACCOUNTS).map(account).collect::<Vec<_>>() })
}

/// The request with the accounts of a round.
fn import(server: &Running, round: u32) -> reqwest::RequestBuilder {
    let url = format!("http://{}/api/provisioning/users/import", server.address);
    reqwest::Client::new().post(url).bearer_auth(TOKEN).json(&accounts(round))
}

/// Accounts that lack one of their two roles, their invitation, its mail or their entry in the audit trail,
/// or have one of them twice.
async fn halves(world: &World) -> i64 {
    let query = "select count(*) from users where
                     (select count(*) from role_assignments where user_id = users.id) <> 2
                     or (select count(*) from one_time where user_id = users.id and kind = 'invite') <> 1
                     or (select count(*) from mails join jobs on jobs.key = mails.id::text where user_id = users.id) <> 1
                     or (select count(*) from account_audit where user_id = users.id and event = 'provisioning.user.created') <> 1";
    world.database.count(query).await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_account_is_half_made_when_the_server_is_killed_in_an_import() {
    let rounds = if is_full() { 60 } else { 6 };
    let world = World::new().await;
    let server = world.serve_with(VARIABLES).await;
    let began = Instant::now();
    assert!(import(&server, rounds).send().await.unwrap().status().is_success());
    let usual = began.elapsed();
    server.stop().await;
    let (mut whole, mut none) = (0, 0);
    for round in 0..rounds {
        let server = world.serve_with(VARIABLES).await;
        let request = import(&server, round);
        // By the clock, so that a kill comes at any moment of the work: before, while and after it is
        // written.
        let killing = async {
            tokio::time::sleep(usual.mul_f64(1.2) * round / rounds).await;
            server.kill().await;
        };
        let (answer, ()) = tokio::join!(request.send(), killing);
        let written = world.database.count(&format!("select count(*) from users where email like 'r{round}u%'")).await;
        assert!([0, ALL].contains(&written), "{written} accounts of a request");
        // What was acknowledged is there.
        assert!(answer.is_err() || written == ALL);
        if written == 0 {
            none += 1;
        } else {
            whole += 1;
        }
        assert_eq!(halves(&world).await, 0);
    }
    // The same requests once more: what was made is skipped, and the rest is made.
    let server = world.serve_with(VARIABLES).await;
    for round in 0..=rounds {
        let body: Value = import(&server, round).send().await.unwrap().json().await.unwrap();
        assert!([&body["created"], &body["skipped"]].contains(&&json!(ACCOUNTS)), "{body}");
    }
    assert_eq!(world.database.count("select count(*) from users").await, (i64::from(rounds) + 1) * ALL);
    assert_eq!(halves(&world).await, 0);
    server.stop().await;
    println!("{rounds} kills during imports: {whole} were written before, {none} were not");
}
