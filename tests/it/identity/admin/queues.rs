//! `/api/admin/queues…`.

use super::{FREE, administrator, app, recorded, with_administrator};
use storage::shared::queues::count_all;
use support::prelude::*;

const QUEUES: &str = "/api/admin/queues";
/// Where deliveries may go although they are on this machine.
const TARGETS: (&str, &str) = ("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1");

async fn figures(admin: &Person, queue: &str) -> Value {
    let body = admin.get(QUEUES).await.body;
    let found = body["queues"].as_array().unwrap().iter().find(|found| found["name"] == queue);
    found.unwrap_or_else(|| panic!("{queue}: {body}")).clone()
}

/// A server on which a delivery about a deleted account is dead, an administrator and the receiver.
async fn with_dead_delivery() -> (TestApp, Person, Receiver) {
    let receiver = Receiver::start().await;
    let clients =
        json!([{ "clientId": "web", "redirectUris": ["https://app.example.org/cb"], "webhookUrl": receiver.url() }]).to_string();
    let app = TestApp::with_variables(&[FREE, &[TARGETS, ("APP_OIDC_CLIENTS_JSON", &clients)]].concat()).await;
    let admin = administrator(&app).await;
    receiver.will(std::iter::repeat_n(Reaction::Status(500), 5));
    let ann = Person::signed_in(&app, super::ANN).await;
    assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 200);
    for attempt in 1..=5 {
        receiver.got(attempt).await;
        app.database.until("select count(*) from delivery_attempts", attempt).await;
        app.clock.advance(SignedDuration::from_hours(1));
        app.actors.handles().notifications.wake_all();
    }
    app.database.until("select count(*) from delivery_queue where dead_at is not null", 1).await;
    (app, admin, receiver)
}

#[tokio::test]
async fn a_dead_delivery_is_listed_and_sent_again() {
    let (app, admin, receiver) = with_dead_delivery().await;
    let expected = json!({ "name": "accountWebhooks", "waiting": 0, "running": 0, "dead": 1, "oldestSeconds": null });
    assert_eq!(figures(&admin, "accountWebhooks").await, expected);
    assert_eq!(figures(&admin, "webhooks").await["dead"], 0);

    let page = admin.get(&format!("{QUEUES}/accountWebhooks/dead")).await.body;
    let dead = &page["dead"][0];
    let got = receiver.got(5).await.remove(0);
    assert_eq!((&page["total"], &dead["id"]), (&json!(1), &json!(got.header("x-webhook-delivery"))));
    assert_eq!((&dead["what"], &dead["target"], &dead["attempts"]), (&json!("user.deleted"), &json!(receiver.url()), &json!(5)));
    assert_eq!(dead["error"], "rejected 500");
    assert_eq!(admin.get(&format!("{QUEUES}/logouts/dead")).await.body["dead"], json!([]));

    let id = dead["id"].as_str().unwrap();
    let elsewhere = format!("{QUEUES}/logouts/{id}/retry");
    assert_eq!(admin.post(&elsewhere, &json!({})).await.refusal(), (404, "notFound"), "of another queue");
    receiver.will([Reaction::Status(200)]);
    let retry = format!("{QUEUES}/accountWebhooks/{id}/retry");
    let (first, second) = (json!({}), json!({}));
    let (first, second) = tokio::join!(admin.post(&retry, &first), admin.post(&retry, &second));
    let mut answers = [first.refusal(), second.refusal()];
    answers.sort_unstable();
    assert_eq!(answers, [(200, ""), (409, "notDead")]);
    let got = receiver.got(6).await;
    assert_eq!(got[5].body, got[0].body);
    app.database.until("select count(*) from delivery_queue", 0).await;
    assert_eq!(receiver.so_far().len(), 6);
    assert_eq!(admin.post(&retry, &json!({})).await.refusal(), (409, "notDead"));
    let entries = recorded(&app, "admin.queue.retried").await;
    assert_eq!((entries.len(), &entries[0][4]), (1, &json!({ "queue": "accountWebhooks", "id": id })));
}

#[tokio::test]
async fn everything_dead_of_a_queue_is_queued_again() {
    let (app, admin, receiver) = with_dead_delivery().await;
    let all = format!("{QUEUES}/accountWebhooks/retry");
    assert_eq!(admin.post(&all, &json!({})).await.body, json!({ "retried": 1, "left": 0 }));
    receiver.got(6).await;
    app.database.until("select count(*) from delivery_queue", 0).await;
    assert_eq!(admin.post(&all, &json!({})).await.body, json!({ "retried": 0, "left": 0 }));
    let entries = recorded(&app, "admin.queue.retried").await;
    assert_eq!((entries.len(), &entries[0][4]), (1, &json!({ "queue": "accountWebhooks", "retried": 1 })));
}

#[tokio::test]
async fn a_delivery_without_its_body_stays_dead() {
    let (app, admin, _receiver) = with_dead_delivery().await;
    app.sql("update deliveries set body = null").await;
    let dead = admin.get(&format!("{QUEUES}/accountWebhooks/dead")).await.body["dead"][0].clone();
    let retry = format!("{QUEUES}/accountWebhooks/{}/retry", dead["id"].as_str().unwrap());
    assert_eq!(admin.post(&retry, &json!({})).await.refusal(), (409, "contentErased"));
    assert_eq!(admin.post(&format!("{QUEUES}/accountWebhooks/retry"), &json!({})).await.body, json!({ "retried": 0, "left": 1 }));
}

#[tokio::test]
async fn a_dead_job_is_queued_again() {
    let (app, admin) = with_administrator().await;
    // A job of a queue that no actor of this process claims stays as it is.
    let job = "insert into jobs (queue, key, due_at, attempt, last_error, created_at, dead_at)
               values ('import', 'nothing', statement_timestamp(), 3, 'unreadable', statement_timestamp(), statement_timestamp())";
    app.sql(job).await;
    assert_eq!(figures(&admin, "imports").await["dead"], 1);
    let dead = admin.get(&format!("{QUEUES}/imports/dead")).await.body["dead"][0].clone();
    let now = format!("{:.3}", app.clock.now());
    let expected = json!({
        "id": dead["id"], "what": "import", "target": "nothing", "attempts": 3, "error": "unreadable", "createdAt": now, "deadAt": now,
    });
    assert_eq!(dead, expected);
    let id = dead["id"].as_str().unwrap();
    assert_eq!(admin.post(&format!("{QUEUES}/imports/{id}/retry"), &json!({})).await.status, 200);
    // It names no import, so it dies again, by another number.
    app.database.until("select count(*) from jobs where queue = 'import' and dead_at is not null and attempt = 1", 1).await;
    assert_eq!(admin.post(&format!("{QUEUES}/imports/{id}/retry"), &json!({})).await.refusal(), (404, "notFound"));
}

#[tokio::test]
async fn what_waits_has_an_age() {
    let (app, admin) = with_administrator().await;
    let later = "insert into jobs (queue, key, due_at, created_at) values
                 ('import.local', 'later', statement_timestamp() + interval '30 s', statement_timestamp() - interval '90 s')";
    app.sql(later).await;
    let expected = json!({ "name": "imports", "waiting": 1, "running": 0, "dead": 0, "oldestSeconds": 90 });
    assert_eq!(figures(&admin, "imports").await, expected);
    let names: Vec<_> =
        admin.get(QUEUES).await.body["queues"].as_array().unwrap().iter().map(|queue| queue["name"].clone()).collect();
    assert_eq!(names, ["mail", "webhooks", "logouts", "accountWebhooks", "imports", "schedules", "maintenance"]);
    assert_eq!(figures(&admin, "schedules").await["dead"], json!(null), "tried for ever");
    for unknown in ["/nothing/dead", "/Mail/dead"] {
        assert_eq!(admin.get(&format!("{QUEUES}{unknown}")).await.refusal(), (404, "notFound"), "{unknown}");
    }
    for unknown in ["/nothing/retry", "/imports/x/retry", "/imports/0/retry", "/webhooks/whd_1/retry", "/mail/x/retry"] {
        let refused = admin.post(&format!("{QUEUES}{unknown}"), &json!({})).await.refusal().0;
        assert!(refused == 404 || unknown == "/mail/x/retry" && refused == 409, "{unknown}: {refused}");
    }
}

/// What is finished costs nothing.
#[tokio::test]
async fn counting_reads_only_what_is_not_finished() {
    let app = app().await;
    let finished = "insert into jobs (queue, key, due_at, created_at, finished_at)
                    select (array['mail', 'import', 'janitor'])[1 + number % 3], number::text, now(), now(), now() from generate_series(1, 100000) number";
    app.sql(finished).await;
    let user = "insert into users (id, email, first_name, locale, created_at) values (gen_random_uuid(), 'x@example.org', 'X', 'en', now())";
    app.sql(user).await;
    let sent = "insert into mails (id, user_id, template, locale, created_at, sent_at)
                select gen_random_uuid(), users.id, 'invite', 'en', now(), now() from users cross join generate_series(1, 50000)";
    app.sql(sent).await;
    app.sql("analyze jobs, mails").await;
    let mut connection = app.connection().await;
    let tx = connection.begin();
    let read = "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as read
                from pg_stat_xact_user_tables where relname in ('jobs', 'mails', 'delivery_queue', 'deliveries')";
    let before: i64 = tx.row(read, &[]).await.unwrap().get("read");
    count_all(&tx, app.clock.now()).await.unwrap();
    let read = tx.row(read, &[]).await.unwrap().get::<_, i64>("read") - before;
    assert!(read < 1_000, "{read} rows");
    assert_eq!(app.count("select count(*) from jobs where finished_at is not null").await, 100_000);
}
