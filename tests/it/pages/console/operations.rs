//! The pages about the work of the server: mail, workers and queues, keys, blocks.

use super::{ADMIN, ANN, app_with, with_administrator, with_ann};
use support::prelude::*;

#[tokio::test]
async fn keys_are_rotated_with_a_proof() {
    let (app, admin) = with_administrator().await;
    let page = admin.page("/admin/keys").await;
    assert!(page.text.matches("<code>").count() >= 6 && page.text.contains("Not every application knows"), "{}", page.text);
    let active =
        "select string_agg(kid, ' ' order by kid) as text from signing_keys where activated_at is not null and retired_at is null";
    let first = app.value::<String>(active).await;
    app.clock.advance(SignedDuration::from_mins(10));
    assert!(admin.page("/admin/keys").await.text.contains("They can take over at any time."));
    for path in ["/admin/keys/rotate", "/admin/keys/replace"] {
        let page = admin.page(path).await;
        assert!(page.text.contains("What follows from it"), "{}", page.text);
        assert_eq!(admin.fill_in(path, &[("password", "not the harbour")]).await.status, 403);
    }
    assert_eq!(app.value::<String>(active).await, first, "without a proof nothing happens");
    let page = admin.fill_in("/admin/keys/rotate", &[("password", PASSWORD)]).await;
    assert_eq!(page.redirect(), (303, "/admin/keys?done=rotate"));
    assert_eq!(admin.page(page.location()).await.message(), "The next keys sign now.");
    let second = app.value::<String>(active).await;
    assert_ne!(second, first);
    let page = admin.fill_in("/admin/keys/rotate", &[("password", PASSWORD)]).await;
    assert!(page.status == 409 && page.message().contains("Not every application"), "{} {}", page.status, page.message());
    let page = admin.fill_in("/admin/keys/replace", &[("password", PASSWORD)]).await;
    assert_eq!(page.redirect(), (303, "/admin/keys?done=replace"));
    assert_ne!(app.value::<String>(active).await, second);
}

#[tokio::test]
async fn a_block_is_seen_and_lifted() {
    let (app, admin, _) = with_ann(&[("APP_RATE_LIMITS", "on")]).await;
    assert!(admin.page("/admin/blocks").await.text.contains("Nobody is blocked just now."));
    let guesser = Person::at(&app);
    for _ in 0..5 {
        assert_eq!(guesser.sign_in(ANN, "not the harbour").await.status, 401);
    }
    assert_eq!(guesser.sign_in(ANN, PASSWORD).await.status, 429);
    let page = admin.page("/admin/blocks").await;
    assert!(page.text.contains(ANN) && page.text.contains("wrong passwords"), "{}", page.text);
    let id = page.field("id").unwrap();
    let lifted = admin.fill_in("/admin/blocks", &[("id", &id)]).await;
    assert_eq!(lifted.redirect(), (303, "/admin/blocks?done=lifted"));
    assert_eq!(guesser.sign_in(ANN, PASSWORD).await.status, 303);
    let token = page.field("csrf_token").unwrap();
    let again = admin.send_form("/admin/blocks", &[("csrf_token", &token), ("id", &id)]).await;
    assert!(again.status == 404 && again.text.contains("class=\"sections\""), "{}: {}", again.status, again.text);
    assert_eq!(admin.send_form("/admin/blocks", &[("id", &id)]).await.status, 403, "without a CSRF token");
}

#[tokio::test]
async fn mail_is_looked_at_tested_and_sent_after_all() {
    let mails = MailBox::start().await;
    let app = app_with(&mails.variables()).await;
    let admin = Person::at(&app);
    admin.sign_up(ADMIN).await;
    app.sql("update users set email_verified = true").await;
    assert_eq!(admin.sign_in(ADMIN, PASSWORD).await.status, 303);
    mails.next_to(ADMIN).await;
    mails.will("recipient", [Says::Code(550)]).await;
    Person::at(&app).sign_up(ANN).await;
    app.database.until("exists (select from mails where dead_at is not null)", true).await;

    let page = admin.page("/admin/mail?measure=true").await;
    assert!(page.message() == "works" && page.text.contains("127.0.0.1:"), "{}", page.text);
    let page = admin.page("/admin/mail?state=dead").await;
    assert!(page.text.contains("a…@example.org") && page.text.contains("refused: Recipient: 550"), "{}", page.text);
    let id = page.text.split("name=\"id\" value=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).find(|id| !id.is_empty());
    let (id, token) = (id.unwrap().to_owned(), page.field("csrf_token").unwrap());
    assert!(page.text.contains(r#"action="/admin/mail?state=dead""#), "{}", page.text);
    let sent = admin.send_form("/admin/mail?state=dead", &[("csrf_token", &token), ("id", &id)]).await;
    assert_eq!(sent.redirect(), (303, "/admin/mail?state=dead&done=mail"), "the list stays as it was filtered");
    mails.next_to(ANN).await;
    let again = admin.send_form("/admin/mail", &[("csrf_token", &token), ("id", &id)]).await;
    assert!(again.status == 409 && again.message().contains("sent"), "{} {}", again.status, again.message());
    let unnamed = admin.send_form("/admin/mail", &[("csrf_token", &token), ("id", "")]).await;
    assert_eq!(unnamed.status, 404, "no id is no mail, and not all of them");
    assert_eq!(admin.send_form("/admin/mail/retry", &[]).await.status, 403, "without a CSRF token");
    let all = admin.fill_in("/admin/mail/retry", &[]).await;
    assert_eq!(all.redirect(), (303, "/admin/mail?done=all&count=0"));
    assert_eq!(admin.page("/admin/mail?state=lost").await.status, 400);

    let page = admin.page("/admin/mail/preview?template=invite&locale=de").await;
    assert!(page.status == 200 && page.text.contains("PREVIEW_TOKEN"), "{}", page.text);
    let test = [("to", "bob@example.org"), ("template", "loginCode"), ("locale", "en")];
    assert_eq!(admin.fill_in("/admin/mail/test", &test).await.redirect(), (303, "/admin/mail/test?done=sent"));
    assert_eq!(mails.next_to("bob@example.org").await.code(), "123456");
    let wrong = admin.fill_in("/admin/mail/test", &[("to", "bob"), ("template", "loginCode"), ("locale", "en")]).await;
    assert!(wrong.status == 400 && wrong.text.contains("id=\"to-error\""), "{}", wrong.text);
    mails.will("recipient", [Says::Code(550)]).await;
    let refused = admin.fill_in("/admin/mail/test", &test).await;
    assert!(refused.status == 502 && refused.message().contains("550"), "{} {}", refused.status, refused.message());
}

#[tokio::test]
async fn queues_and_workers_are_readable_without_a_script_and_dead_work_is_tried_again() {
    let (app, admin) = with_administrator().await;
    let job = "insert into jobs (queue, key, due_at, attempt, last_error, created_at, dead_at)
               values ('import', 'nothing', statement_timestamp(), 3, 'unreadable', statement_timestamp(), statement_timestamp())";
    app.sql(job).await;
    let page = admin.page("/admin/workers").await;
    for part in ["Webhooks of spaces", "key_rotator", "href=\"/admin/workers/imports\"", "/admin/workers/events"] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    let page = admin.page("/admin/workers/imports").await;
    assert!(page.text.contains("unreadable"), "{}", page.text);
    assert_eq!(admin.fill_in("/admin/workers/imports", &[("id", "")]).await.status, 404, "no id is nothing, and not everything");
    let page = admin.page("/admin/workers/imports/retry").await;
    assert!(page.text.contains("What is tried again: one."), "{}", page.text);
    let retried = admin.fill_in("/admin/workers/imports/retry", &[]).await;
    assert_eq!(retried.redirect(), (303, "/admin/workers/imports?done=all&count=1"));
    // It names no import, so it dies again.
    app.database.until("exists (select from jobs where queue = 'import' and dead_at is not null and attempt = 1)", true).await;
    let page = admin.page("/admin/workers/imports").await;
    let id = page.text.split("name=\"id\" value=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).find(|id| !id.is_empty());
    let retried = admin.fill_in("/admin/workers/imports", &[("id", id.unwrap())]).await;
    assert_eq!(retried.redirect(), (303, "/admin/workers/imports?done=one"));
    assert_eq!(admin.page("/admin/workers/nothing").await.status, 404);
    assert_eq!(admin.page("/admin/workers/nothing/retry").await.status, 404);
}

#[tokio::test]
async fn the_stream_of_figures_ends_with_the_session() {
    let (app, admin) = with_administrator().await;
    let mut stream = admin.browser.get(admin.url("/admin/workers/events")).send().await.unwrap();
    assert!(stream.chunk().await.unwrap().is_some());
    app.sql("update sessions set revoked_at = now()").await;
    // It has at most the event that was under way, and ends; a stream of a session goes on for 150.
    let mut more = 0;
    while stream.chunk().await.unwrap().is_some() {
        more += 1;
        assert!(more <= 2, "it goes on without a session");
    }
}

#[tokio::test]
async fn the_figures_come_as_a_stream_and_no_more_streams_than_there_may_be() {
    let (_app, admin, ann) = with_ann(&[]).await;
    let open = async |person: &Person| person.browser.get(person.url("/admin/workers/events")).send().await.unwrap();
    assert_eq!(open(&ann).await.status(), 403);
    let first = open(&admin).await;
    assert_eq!((first.status().as_u16(), first.headers()["content-type"].to_str().unwrap()), (200, "text/event-stream"));
    let (mut first, mut seen) = (first, Vec::new());
    while !String::from_utf8_lossy(&seen).contains("</table>") {
        seen.extend_from_slice(&first.chunk().await.unwrap().unwrap());
    }
    let seen = String::from_utf8(seen).unwrap();
    assert!(seen.starts_with("data:") && seen.contains("Scheduled publishing"), "{seen}");
    let mut streams = Vec::new();
    for _ in 0..15 {
        let stream = open(&admin).await;
        assert_eq!(stream.status(), 200);
        streams.push(stream);
    }
    assert_eq!(open(&admin).await.status(), 503);
}
