//! Servers that refuse a mail permanently, for now, or because they are in trouble.

use super::{AWAY, DONE, MailFixture, code, link, server, settings};
use egress::mail::Timeouts;
use support::prelude::*;

#[tokio::test]
async fn what_is_refused_for_good_is_a_dead_mail_at_once_and_others_go_on() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(550)]).await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("nobody@example.org", link("abc")).await;
    fixture.until(DONE).await;
    fixture.write("ann@example.org", link("abc")).await;
    mails.next_to("ann@example.org").await;
    fixture.until(DONE).await;
    assert_eq!(mails.count("connect"), 1, "a refusal does not end the conversation");
    let dead = "select concat_ws(' ', reason, sealed is null, deferrals, answer) from mails where dead_at is not null";
    assert_eq!(fixture.database.value::<String>(dead).await, "refused f 0 Recipient: 550 not so");
    let entry = "select concat_ws(' ', event, status, details->>'reason', details->>'template', details->>'smtpCode',
                        user_id = (select id from users where email = 'nobody@example.org')) from account_audit";
    assert_eq!(fixture.database.value::<String>(entry).await, "mail.dead_lettered failure refused verification 550 t");
}

#[tokio::test]
async fn a_content_that_is_refused_is_a_dead_mail_too() {
    let mails = MailBox::start().await;
    mails.will("data", [Says::Code(554)]).await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    fixture.until(DONE).await;
    assert_eq!(
        fixture.database.value::<String>("select concat_ws(' ', reason, answer) from mails").await,
        "refused Content: 554 not so"
    );
}

#[tokio::test]
async fn a_deferred_mail_comes_later_and_delays_no_other() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(451), Says::Code(450)]).await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    fixture.until("select deferrals = 1 and answer = 'Recipient: 451 not so' from mails").await;
    fixture.later(Duration::from_secs(13));
    fixture.until("select deferrals = 2 from mails").await;
    fixture.write("bob@example.org", link("abc")).await;
    mails.next_to("bob@example.org").await;
    assert!(mails.all_to("ann@example.org").is_empty());
    fixture.later(Duration::from_secs(25));
    mails.next_to("ann@example.org").await;
    fixture.until(DONE).await;
    assert_eq!(mails.count("connect"), 1);
}

/// The clock of the machine was a day ahead when the mail was deferred. The next start finds it.
#[tokio::test]
async fn a_deferred_mail_does_not_wait_for_a_clock_that_has_gone_back() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(451)]).await;
    let fixture = MailFixture::at(&mails).await;
    fixture.later(Duration::from_hours(24));
    fixture.write("ann@example.org", link("abc")).await;
    fixture.until("select deferrals = 1 from mails").await;
    fixture.clock.advance(jiff::SignedDuration::from_hours(-24));
    let _next = MailFixture::process(&fixture.database, fixture.clock.clone(), settings(server(mails.port))).await;
    mails.next_to("ann@example.org").await;
    fixture.until(DONE).await;
}

#[tokio::test]
async fn a_server_that_refuses_all_clients_is_not_contacted_for_a_while() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(421)]).await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    fixture.until("select answer = 'Recipient: 421 not so' from mails").await;
    fixture.write("bob@example.org", link("abc")).await;
    fixture.later(Duration::from_secs(7));
    mails.next_to("ann@example.org").await;
    mails.next_to("bob@example.org").await;
    fixture.until(DONE).await;
    assert_eq!(mails.count("connect"), 2);
    assert_eq!(fixture.database.value::<String>("select max(deferrals)::text from mails").await, "0", "no mail is at fault");
}

#[tokio::test]
async fn a_server_that_is_down_and_comes_back_gets_what_waited() {
    let mails = MailBox::start().await;
    mails.close().await;
    let fixture = MailFixture::at(&mails).await;
    // Nothing else is tried for the second in which the server is left alone.
    let timers = StoppedTimers::now();
    for number in 0..5 {
        fixture.write(&format!("ann{number}@example.org"), link("abc")).await;
    }
    fixture.until(AWAY).await;
    mails.open().await;
    fixture.later(Duration::from_secs(7));
    drop(timers);
    mails.happened("mail", 5).await;
    fixture.until(DONE).await;
}

#[tokio::test]
async fn a_connection_that_is_cut_in_the_middle_of_a_mail_costs_a_second_try() {
    let mails = MailBox::start().await;
    mails.will("data", [Says::Cut]).await;
    let fixture = MailFixture::at(&mails).await;
    fixture.write("ann@example.org", link("abc")).await;
    fixture.until("select deferrals = 7 from mails").await;
    fixture.later(Duration::from_secs(13));
    mails.next_to("ann@example.org").await;
    fixture.until(DONE).await;
}

#[tokio::test]
async fn a_recipient_that_is_refused_for_now_delays_no_other() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(450), Says::Code(450), Says::Code(450), Says::Code(450), Says::Code(450)]).await;
    let fixture = MailFixture::at(&mails).await;
    for number in 0..5 {
        fixture.write(&format!("grey{number}@example.org"), link("abc")).await;
    }
    fixture.until("select count(*) = 5 from mails where deferrals = 1").await;
    fixture.write("ann@example.org", link("abc")).await;
    mails.next_to("ann@example.org").await;
}

#[tokio::test]
async fn a_mail_that_the_server_never_confirms_comes_again_as_the_same_mail() {
    let mails = MailBox::start().await;
    mails.will("data", [Says::Nothing]).await;
    let timeouts = Timeouts { content: Duration::from_secs(2), ..server(mails.port).timeouts };
    let fixture = MailFixture::with(settings(egress::mail::SmtpSettings { timeouts, ..server(mails.port) })).await;
    fixture.write_until(&mails, "mail").await;
    fixture.until("select deferrals = 7 and answer = 'Content: no answer in time' from mails").await;
    let _timers = fixture.tried_again(Duration::from_secs(13)).await;
    let second = mails.next_to("ann@example.org").await;
    let first = mails.all().remove(0);
    assert!(!first.taken);
    assert_eq!((first.message_id, first.head, first.text), (second.message_id, second.head, second.text));
}

#[tokio::test]
async fn a_mail_that_the_server_is_slow_to_take_holds_up_only_itself() {
    let mails = MailBox::start().await;
    mails.will("data", [Says::Nothing]).await;
    let mut settings = settings(server(mails.port));
    settings.slow_after = Duration::from_millis(50);
    let fixture = MailFixture::with(settings).await;
    fixture.write("slow@example.org", link("abc")).await;
    mails.happened("mail", 1).await;
    fixture.write("ann@example.org", link("abc")).await;
    let ann = mails.next_to("ann@example.org").await;
    assert_eq!(ann.connection, 2);
    fixture.until("select count(*) = 1 from mails where sealed is null").await;
    assert!(mails.all_to("slow@example.org").is_empty());
}

/// Each byte comes in time, and the answer never does.
#[tokio::test]
async fn a_server_that_says_a_byte_a_second_is_given_up_in_time() {
    for (stage, event) in [("connect", "connect"), ("from", "from"), ("data", "mail")] {
        let mails = MailBox::start().await;
        mails.will(stage, [Says::Drips]).await;
        let limit = Duration::from_secs(3);
        let timeouts = Timeouts { connect: limit, command: limit, content: limit };
        let fixture = MailFixture::with(settings(egress::mail::SmtpSettings { timeouts, ..server(mails.port) })).await;
        fixture.write_until(&mails, event).await;
        fixture.until("select answer like '%: no answer in time' from mails").await;
        let _timers = fixture.tried_again(Duration::from_secs(13)).await;
        mails.next_to("ann@example.org").await;
    }
}

#[tokio::test]
async fn a_server_that_does_not_greet_is_given_up_in_time() {
    let mails = MailBox::start().await;
    mails.will("connect", [Says::Nothing]).await;
    let timeouts = Timeouts { connect: Duration::from_secs(2), ..server(mails.port).timeouts };
    let fixture = MailFixture::with(settings(egress::mail::SmtpSettings { timeouts, ..server(mails.port) })).await;
    fixture.write_until(&mails, "connect").await;
    fixture.until("select answer = 'Hello: no answer in time' from mails").await;
    let _timers = fixture.tried_again(Duration::from_secs(7)).await;
    mails.next_to("ann@example.org").await;
}

#[tokio::test]
async fn a_code_that_no_longer_works_is_not_mailed() {
    let mails = MailBox::start().await;
    mails.close().await;
    let fixture = MailFixture::at(&mails).await;
    let timers = StoppedTimers::now();
    fixture.write("ann@example.org", code("123456")).await;
    fixture.write("ann@example.org", link("abc")).await;
    fixture.until(AWAY).await;
    mails.open().await;
    fixture.later(Duration::from_mins(10));
    drop(timers);
    mails.next_to("ann@example.org").await;
    fixture.until(DONE).await;
    assert_eq!(mails.count("mail"), 1);
    assert_eq!(
        fixture.database.value::<String>("select concat_ws(' ', template, reason) from mails where dead_at is not null").await,
        "loginCode expired"
    );
}

#[tokio::test]
async fn a_mail_that_cannot_be_opened_is_given_up() {
    let mails = MailBox::start().await;
    mails.close().await;
    let fixture = MailFixture::at(&mails).await;
    let timers = StoppedTimers::now();
    fixture.write("ann@example.org", link("abc")).await;
    fixture.write("bob@example.org", link("abc")).await;
    fixture.until(AWAY).await;
    // An attempt to read Ann's link in Bob's mail: the sealed content is moved to another row.
    let swap = "update mails set sealed = (select sealed from mails other where other.id <> mails.id)";
    fixture.database.sql(swap).await;
    mails.open().await;
    fixture.later(Duration::from_secs(7));
    drop(timers);
    fixture.until(DONE).await;
    assert_eq!(fixture.database.value::<String>("select string_agg(reason, ' ') from mails").await, "unreadable unreadable");
    assert_eq!(mails.count("mail"), 0);
}
