//! Stopping a process while it sends mails.

use super::{DONE, MailFixture, link, server, settings};
use support::prelude::*;

#[tokio::test]
async fn a_stop_waits_for_the_mail_that_is_under_way_and_says_goodbye() {
    let mails = MailBox::start().await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    mails.next_to("ann@example.org").await;
    assert!(fixture.system.drain(Duration::from_secs(30)).await);
    fixture.until(DONE).await;
}

#[tokio::test]
async fn a_stop_gives_back_what_the_server_does_not_take() {
    let mails = MailBox::start().await;
    mails.will("data", [Says::Nothing]).await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    mails.happened("mail", 1).await;
    let began = Instant::now();
    assert!(fixture.system.drain(Duration::from_secs(30)).await, "within its time");
    assert!(began.elapsed() < Duration::from_secs(25));
    fixture.until("select lease_token is null and finished_at is null from jobs where queue = 'mail'").await;
    // The next process need not wait for any lease.
    let _process = MailFixture::process(&fixture.database, fixture.clock.clone(), settings(server(mails.port))).await;
    let second = mails.next_to("ann@example.org").await;
    assert_eq!(second.message_id, mails.all()[0].message_id);
}
