//! `/api/admin/email/queue…`.

use super::{ADMIN, ANN, email::with_mail, recorded, with_administrator};
use futures_util::future;
use support::prelude::*;

const QUEUE: &str = "/api/admin/email/queue";
const DEAD: &str = "select count(*) from mails where dead_at is not null";
const BOB: &str = "bob@example.org";

/// An administrator, and one dead mail with a link for each of these addresses.
async fn with_dead(mails: &MailBox, addresses: &[&str]) -> (TestApp, Person) {
    let (app, admin) = with_mail(mails, &[]).await;
    mails.next_to(ADMIN).await;
    mails.will("recipient", addresses.iter().map(|_| Says::Code(550))).await;
    for address in addresses {
        assert_eq!(Person::at(&app).register(address).await.status, 201);
    }
    app.database.until(DEAD, addresses.len()).await;
    (app, admin)
}

async fn list(admin: &Person, query: &str) -> Vec<Value> {
    let body = admin.get(&format!("{QUEUE}{query}")).await.body;
    let listed = body["mails"].as_array().unwrap_or_else(|| panic!("{body}")).clone();
    assert_eq!(body["total"], listed.len());
    listed
}

fn retry(mail: &Value) -> String {
    format!("{QUEUE}/{}/retry", mail["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_dead_mail_is_sent_after_all_and_once() {
    let mails = MailBox::start().await;
    let (app, admin) = with_dead(&mails, &[BOB]).await;
    let dead = list(&admin, "?state=dead").await.remove(0);
    let now = format!("{:.3}", app.clock.now());
    let bob = app.count("select count(*) from users where email like 'bob%' and not email_verified").await;
    assert_eq!(bob, 1);
    let expected = json!({
        "id": dead["id"], "state": "dead", "template": "verification", "locale": "en", "userId": dead["userId"], "recipient": "b…@example.org",
        "attempts": 1, "error": "refused", "answer": "Recipient: 550 not so", "createdAt": now, "nextAttemptAt": null, "deadAt": now,
        "isRetryable": true,
    });
    assert_eq!(dead, expected);

    let (path, nothing) = (retry(&dead), json!({}));
    let answers = future::join_all((0..4).map(|_| admin.post(&path, &nothing))).await;
    let mut refusals: Vec<_> = answers.iter().map(super::super::Response::refusal).collect();
    refusals.sort_unstable();
    assert_eq!(refusals, [(200, ""), (409, "mailNotDead"), (409, "mailNotDead"), (409, "mailNotDead")]);
    let mail = mails.next_to(BOB).await;
    let link = mail.link();
    app.database.until("select count(*) from mails where sent_at is null", 0).await;
    assert_eq!(app.count("select count(*) from jobs where queue = 'mail' and finished_at is null").await, 0);
    assert_eq!(mails.all_to(BOB).iter().filter(|mail| mail.taken).count(), 1);
    assert_eq!(admin.post(&path, &json!({})).await.refusal(), (409, "mailNotDead"), "it was sent");
    let token = link.split_once("token=").unwrap().1;
    let verified = reqwest::get(app.url(&format!("/api/auth/verify-email?token={token}"))).await.unwrap().status();
    assert!(verified.is_success() || verified.is_redirection(), "{verified}");
    assert_eq!(app.count("select count(*) from users where email like 'bob%' and email_verified").await, 1);

    let entries = recorded(&app, "admin.email.retried").await;
    let details = json!({ "mail": dead["id"], "template": "verification" });
    let admin_id = admin.id().await;
    assert_eq!(entries, [json!(["success", "admin", admin_id, dead["userId"], details])]);
}

#[tokio::test]
async fn a_link_that_does_not_work_is_not_mailed() {
    let mails = MailBox::start().await;
    let (app, admin) = with_dead(&mails, &[BOB, ANN]).await;
    // Ann has used another link meanwhile, which ends this one.
    app.sql("update one_time set used_at = now() where user_id = (select id from users where email like 'ann%')").await;
    let found = list(&admin, "?state=dead").await;
    for mail in &found {
        let is_of_ann = mail["recipient"] == "a…@example.org";
        assert_eq!(admin.post(&retry(mail), &json!({})).await.refusal() == (409, "mailExpired"), is_of_ann, "{mail}");
    }
    mails.next_to(BOB).await;

    let (app, _) = with_dead(&mails, &["eve@example.org"]).await;
    app.clock.advance(SignedDuration::from_hours(24));
    let admin = Person::elsewhere(&app, ADMIN).await;
    let old = list(&admin, "").await.remove(0);
    assert_eq!(old["isRetryable"], false);
    assert_eq!(admin.post(&retry(&old), &json!({})).await.refusal(), (409, "mailExpired"));
    assert_eq!(mails.all_to("eve@example.org").iter().filter(|mail| mail.taken).count(), 0);
}

#[tokio::test]
async fn all_dead_mails_are_sent_but_those_that_are_of_no_use() {
    let mails = MailBox::start().await;
    let addresses = ["a1@example.org", "a2@example.org", "a3@example.org", "a4@example.org"];
    let (app, admin) = with_dead(&mails, &addresses).await;
    app.sql("update one_time set expires_at = created_at where user_id = (select id from users where email like 'a4%')").await;
    let (path, nothing) = (format!("{QUEUE}/retry"), json!({}));
    let answers = future::join_all((0..3).map(|_| admin.post(&path, &nothing))).await;
    let retried: u64 = answers.iter().map(|answer| answer.body["retried"].as_u64().unwrap()).sum();
    assert_eq!(retried, 3, "however many ask");
    for address in &addresses[..3] {
        mails.next_to(address).await;
    }
    app.database.until("select count(*) from mails where sent_at is null", 1).await;
    assert_eq!(admin.post(&path, &json!({})).await.body, json!({ "retried": 0, "left": 1 }));
    assert!(addresses[..3].iter().all(|address| mails.all_to(address).iter().filter(|mail| mail.taken).count() == 1));
    let entries = recorded(&app, "admin.email.retried").await;
    assert_eq!(entries.iter().map(|entry| entry[4]["retried"].as_u64().unwrap()).sum::<u64>(), 3);
}

#[tokio::test]
async fn a_mail_that_is_still_tried_is_seen_and_left_alone() {
    let mails = MailBox::start().await;
    let (app, admin) = with_mail(&mails, &[]).await;
    mails.next_to(ADMIN).await;
    mails.close().await;
    Person::at(&app).register(BOB).await;
    app.database.until("select count(*) from mails where sent_at is null and attempts > 0", 1).await;
    let mail = list(&admin, "?state=retrying").await.remove(0);
    assert_eq!((&mail["state"], &mail["error"], &mail["deadAt"]), (&json!("retrying"), &json!("away"), &json!(null)));
    let next: jiff::Timestamp = mail["nextAttemptAt"].as_str().unwrap().parse().unwrap();
    assert!(next > app.clock.now(), "{next}");
    assert_eq!(admin.post(&retry(&mail), &json!({})).await.refusal(), (409, "mailNotDead"));
    assert_eq!((list(&admin, "?state=dead").await.len(), list(&admin, "?state=waiting").await.len()), (0, 0));
    let page = admin.get(&format!("{QUEUE}?page=2&perPage=1")).await.body;
    assert_eq!((&page["mails"], &page["total"], &page["totalPages"]), (&json!([]), &json!(1), &json!(1)));
    for wrong in ["?state=lost", "?page=0", "?perPage=x"] {
        assert_eq!(admin.get(&format!("{QUEUE}{wrong}")).await.refusal(), (400, "validation"), "{wrong}");
    }
}

#[tokio::test]
async fn the_content_of_a_dead_mail_is_erased_after_a_week() {
    let mails = MailBox::start().await;
    let (app, _) = with_dead(&mails, &[BOB]).await;
    let kept = "select count(*) from mails where sealed is not null";
    app.sweep(SignedDuration::from_hours(7 * 24 - 1)).await;
    assert_eq!(app.count(kept).await, 1);
    app.sweep(SignedDuration::from_hours(2)).await;
    assert_eq!(app.count(kept).await, 0);
    // An invitation works for as long; the content is what is missing.
    app.sql("update mails set created_at = created_at + interval '8 days'").await;
    let admin = Person::elsewhere(&app, ADMIN).await;
    let dead = list(&admin, "?state=dead").await.remove(0);
    assert_eq!((&dead["recipient"], &dead["isRetryable"]), (&json!(null), &json!(false)));
    assert_eq!(admin.post(&retry(&dead), &json!({})).await.refusal(), (409, "mailErased"));
    assert_eq!(admin.post(&format!("{QUEUE}/{}/retry", uuid::Uuid::nil()), &json!({})).await.refusal(), (404, "notFound"));
}

#[tokio::test]
async fn without_a_mail_server_nothing_is_queued_again() {
    let (_app, admin) = with_administrator().await;
    assert_eq!(list(&admin, "").await, Vec::<Value>::new());
    let id = uuid::Uuid::nil();
    for path in [format!("{QUEUE}/retry"), format!("{QUEUE}/{id}/retry"), "/api/admin/queues/mail/retry".to_owned()] {
        assert_eq!(admin.post(&path, &json!({})).await.refusal(), (409, "smtp_not_configured"), "{path}");
    }
}
