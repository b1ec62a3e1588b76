//! Up to 500 accounts in a request.

use super::{
    super::links::{MAILING, last_token},
    BCRYPT, METRICS, SUB, TOKEN, app, beside, codes, create, dry_run, entries, import, lookup, measured, post, rows, user, with,
};
use support::prelude::*;

/// A row of each outcome but `failed`; Ann, Cat and, without a subject, Bob are there already.
fn one_of_each(bob: &str) -> Vec<Value> {
    vec![
        user(
            "new@example.org",
            json!({ "legacySub": "n1", "roles": { "web": ["editor"] }, "hashedPassword": { "value": BCRYPT } }),
        ),
        user("ANN@example.org", json!({ "legacySub": SUB })),
        user("bob@example.org", json!({ "legacySub": "b1" })),
        user("eve@example.org", json!({ "legacySub": "c1" })),
        user("eve@example.org", json!({ "legacySub": "e1" })),
        user("dan@example.org", json!({ "legacySub": bob })),
        user(" New@example.org", json!({})),
        user("zoe@example.org", json!({ "legacySub": "n1" })),
        user("x@example.org", json!({ "isAdmin": true })),
        user("x@example.org", json!({ "hashedPassword": { "value": "hunter2" } })),
        user("x@example.org", json!({ "roles": { "alone": ["x", "y"] } })),
        user("nonsense", json!({})),
        json!(null),
    ]
}

const EXPECTED: [&str; 13] = [
    "created",
    "skipped alreadyImported",
    "conflict emailExists",
    "conflict legacySubExists",
    "conflict duplicateInBatch",
    "conflict idExists",
    "conflict duplicateInBatch",
    "conflict duplicateInBatch",
    "invalid unknownField",
    "invalid badHash",
    "invalid badRole",
    "invalid validation",
    "invalid validation",
];

async fn people(app: &super::TestApp) -> String {
    for (email, sub) in [("ann@example.org", SUB), ("cat@example.org", "c1")] {
        assert_eq!(create(app, &user(email, json!({ "legacySub": sub }))).await.status, 200);
    }
    create(app, &user("bob@example.org", json!({}))).await.body["user"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn one_bad_row_fails_no_other() {
    let app = app().await;
    let bob = people(&app).await;
    let sent = one_of_each(&bob);
    let before = rows(&app).await;
    let dry = dry_run(&app, &sent).await;
    assert_eq!(codes(&dry), EXPECTED);
    assert_eq!((&dry.body["dryRun"], &dry.body["results"][0].get("id")), (&json!(true), &None));
    assert_eq!(rows(&app).await, before, "a dry run writes nothing, no entry of the audit trail either");
    assert_eq!(measured(&app, "dry_run").await, 13);

    let done = import(&app, &sent).await;
    assert_eq!(codes(&done), EXPECTED);
    let summary = |name: &str| done.body[name].as_u64().unwrap();
    let all = ["total", "created", "skipped", "conflicts", "invalid", "failed"].map(summary);
    assert_eq!((all, &done.body["dryRun"]), ([13, 1, 1, 6, 5, 0], &json!(false)));
    let results = &done.body["results"];
    let id = lookup(&app, "legacySub=n1").await.body["id"].clone();
    assert_eq!(
        results[0],
        json!({ "index": 0, "email": "new@example.org", "status": "created", "id": id, "legacySub": "n1", "subPreserved": false })
    );
    assert_eq!(
        (&results[1]["id"], &results[1]["email"], &results[1]["subPreserved"]),
        (&json!(SUB), &json!("ann@example.org"), &json!(true))
    );
    assert_eq!(results[8]["message"], "isAdmin is not known");
    assert_eq!((&results[11]["email"], &results[12]["email"]), (&json!("nonsense"), &json!("")));
    assert_eq!(app.count("select count(*) from users").await, 4);
    assert_eq!(app.count("select count(*) from users where is_admin").await, 0);
    for (result, number) in [("created", 4), ("skipped", 1), ("conflict", 6), ("invalid", 5), ("failed", 0), ("dry_run", 13)] {
        assert_eq!(measured(&app, result).await, number, "{result}");
    }

    app.sql("create table seen as select max(id) as id from account_audit").await;
    let again = import(&app, &sent[..2]).await;
    assert_eq!(codes(&again), ["skipped alreadyImported"; 2], "the row that was created is skipped now");
    assert_eq!(app.count("select count(*) from account_audit, seen where account_audit.id > seen.id").await, 2);
}

#[tokio::test]
async fn every_row_has_an_entry_of_the_token_in_the_audit_trail() {
    let app = app().await;
    let bob = people(&app).await;
    app.sql("alter table account_audit disable trigger all").await;
    app.sql("delete from account_audit").await;
    import(&app, &one_of_each(&bob)).await;
    let rejected = EXPECTED[2..].iter().map(|outcome| outcome.split_once(' ').unwrap().1);
    let expected = [
        "provisioning.user.created provisioning importer - true".to_owned(),
        "provisioning.user.skipped provisioning importer - true".to_owned(),
    ];
    let rejected = rejected.map(|reason| format!("provisioning.user.rejected provisioning importer {reason} false"));
    assert_eq!(entries(&app).await, expected.into_iter().chain(rejected).collect::<Vec<_>>());
    assert_eq!(app.count("select count(distinct request_id) from account_audit where ip is not null").await, 1);
    assert_eq!(app.count("select count(*) from account_audit where details::text like '%@%' or details::text like '%$%'").await, 0);
}

#[tokio::test]
async fn the_envelope_is_strict_and_bounded() {
    let app = app().await;
    let raw = |body: String| {
        let request =
            browser().post(app.url("/api/provisioning/users/import")).bearer_auth(TOKEN).header("content-type", "application/json");
        async move { super::Response::of(request.body(body).send().await.unwrap()).await }
    };
    for (body, code) in [
        (json!({ "users": [], "dryrun": true }).to_string(), "unknownField"),
        (json!({ "users": {} }).to_string(), "validation"),
        (json!([]).to_string(), "validation"),
        ("{}".to_owned(), "validation"),
        ("{".to_owned(), "badJson"),
        (json!({ "users": vec![json!({}); 501] }).to_string(), "tooManyUsers"),
    ] {
        assert_eq!(raw(body).await.refusal(), (400, code));
    }
    assert_eq!(raw(json!({ "users": [] }).to_string()).await.body["total"], 0);
    let padded = |bytes: usize| {
        let body = json!({ "users": [user("ann@example.org", json!({ "legacySub": "" }))] }).to_string();
        body.replacen("\"legacySub\":\"\"", &format!("\"legacySub\":\"{}\"", "x".repeat(bytes - body.len())), 1)
    };
    let largest = raw(padded(8 << 20)).await;
    assert_eq!(codes(&largest), ["invalid validation"], "read, and the subject is too long");
    assert_eq!(raw(padded((8 << 20) + 1)).await.refusal(), (413, "tooLarge"));
    let single = post(&app, "/users", &user("ann@example.org", json!({ "legacySub": "x".repeat(1 << 20) }))).await;
    assert_eq!(single.refusal(), (413, "tooLarge"), "the large bodies are for imports only");
    let form = browser()
        .post(app.url("/api/provisioning/users/import"))
        .bearer_auth(TOKEN)
        .header("content-type", "text/plain")
        .body("{}");
    assert_eq!(form.send().await.unwrap().status().as_u16(), 415);
}

#[tokio::test]
async fn five_hundred_accounts_with_everything_are_made_with_few_round_trips() {
    let app = with(MAILING).await;
    let row = |number: usize| {
        let more = match number % 3 {
            0 => {
                json!({ "hashedPassword": { "value": BCRYPT }, "legacySub": format!("s{number}"), "roles": { "web": ["viewer", "editor"], "alone": ["x"] } })
            }
            1 => json!({ "invite": true, "locale": "de" }),
            _ => json!({ "suspended": true, "legacySub": uuid::Uuid::from_u128(number as u128 + 1).to_string() }),
        };
        user(&format!("u{number}@example.org"), more)
    };
    let sent: Vec<Value> = (0..500).map(row).collect();
    let before = app.database.store.round_trips_of("provisioning.judge");
    assert_eq!(dry_run(&app, &sent).await.body["created"], 500);
    assert_eq!(app.database.store.round_trips_of("provisioning.judge") - before, 1);
    let done = import(&app, &sent).await;
    assert_eq!((&done.body["created"], &done.body["failed"]), (&json!(500), &json!(0)));
    assert!(
        app.database.store.round_trips_of("provisioning.write") <= 10,
        "{}",
        app.database.store.round_trips_of("provisioning.write")
    );
    let number = |query: &'static str| app.count(query);
    assert_eq!(number("select count(*) from users").await, 500);
    assert_eq!(number("select count(*) from role_assignments").await, 167 * 3);
    assert_eq!(number("select count(*) from one_time where kind = 'invite'").await, 167);
    assert_eq!(number("select count(*) from mails join jobs on jobs.key = mails.id::text where locale = 'de'").await, 167);
    assert_eq!(number("select count(*) from users where suspended_at is not null").await, 166);
    assert_eq!(number("select count(*) from account_audit where event = 'provisioning.user.created'").await, 500);
    assert_eq!(
        import(&app, &sent).await.body["skipped"],
        333,
        "those without a subject cannot be told from others with the address"
    );
}

#[tokio::test]
async fn whoever_is_invited_gets_a_link_and_while_mail_is_on_a_mail() {
    for is_mail_on in [true, false] {
        let app = with(if is_mail_on { MAILING } else { &[] }).await;
        let invited = |email| user(email, json!({ "invite": true, "emailVerified": true }));
        let one = create(&app, &invited("ann@example.org")).await;
        let link = one.body["inviteLink"].as_str().unwrap().to_owned();
        let many =
            import(&app, &[invited("bob@example.org"), user("sue@example.org", json!({ "invite": true, "suspended": true }))])
                .await;
        let links: Vec<&str> =
            many.body["results"].as_array().unwrap().iter().map(|row| row["inviteLink"].as_str().unwrap()).collect();
        assert!(links.iter().all(|link| link.starts_with(&app.url("/accept-invite?token="))) && links[0] != links[1]);
        assert_eq!(app.count("select count(*) from users where email_verified or password_hash is not null").await, 0);
        assert_eq!(app.count("select count(*) from mails").await, if is_mail_on { 2 } else { 0 }, "none for a suspended account");
        let token = link.split_once("?token=").unwrap().1;
        if is_mail_on {
            assert_eq!(last_token(&app, "ann@example.org").await, token);
        }
        assert_eq!(dry_run(&app, &[invited("dan@example.org")]).await.body["results"][0].get("inviteLink"), None);

        let ann = Person::at(&app);
        assert_eq!(ann.get(&format!("/api/auth/invite?token={token}")).await.body["email"], "ann@example.org");
        let accepted = ann.post("/api/auth/accept-invite", &json!({ "token": token, "newPassword": super::PASSWORD })).await;
        assert_eq!((accepted.status, &accepted.body["user"]["emailVerified"]), (200, &json!(true)));
    }
}

#[tokio::test]
async fn accounts_that_were_provisioned_are_there_first() {
    let app = app().await;
    assert_eq!(dry_run(&app, &[user("ann@example.org", json!({}))]).await.body["created"], 1);
    assert_eq!(app.count("select count(*) from first_admin").await, 0);
    import(&app, &[user("ann@example.org", json!({})), user("bob@example.org", json!({}))]).await;
    let registered = Person::at(&app);
    assert_eq!(registered.register("eve@example.org").await.status, 201);
    assert_eq!(app.count("select count(*) from users where is_admin").await, 0);
    assert_eq!(app.count("select count(*) from first_admin").await, 1);
}

#[tokio::test]
async fn another_process_knows_an_account_at_once() {
    let app = app().await;
    let variables = [super::FREE, &[super::TOKENS, super::CLIENTS, METRICS]].concat();
    let second = beside(&app, &variables).await;
    import(&app, &[user("ann@example.org", json!({ "legacySub": "1", "hashedPassword": { "value": BCRYPT } }))]).await;
    assert_eq!(codes(&import(&second, &[user("ann@example.org", json!({ "legacySub": "1" }))]).await), ["skipped alreadyImported"]);
    assert_eq!(Person::at(&second).login("ann@example.org", "Correct-Horse-7!").await.status, 200);
}
