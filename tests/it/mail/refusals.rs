//! Servers that do not take a mail: for good, for now, or because they are unwell.

use super::{DONE, Office, code, link, server, settings};
use crate::support::{MailBox, Says};
use egress::mail::Times;
use std::time::Duration;
use storage::Executor;

#[tokio::test]
async fn what_is_refused_for_good_is_a_dead_letter_at_once_and_others_go_on() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(550)]).await;
    let office = Office::at(&mails).await;
    office.write("nobody@example.org", link("abc")).await;
    office.until(DONE).await;
    office.write("ann@example.org", link("abc")).await;
    mails.next_to("ann@example.org").await;
    office.until(DONE).await;
    assert_eq!(mails.count("connect"), 1, "a refusal does not end the conversation");
    let dead = "select concat_ws(' ', reason, sealed is null, deferrals, answer) from mails where dead_at is not null";
    assert_eq!(office.text(dead).await, "refused t 0 Recipient: 550 not so");
    let entry = "select concat_ws(' ', event, status, details->>'reason', details->>'template', details->>'smtpCode',
                        user_id = (select id from users where email = 'nobody@example.org')) from account_audit";
    assert_eq!(office.text(entry).await, "mail.dead_lettered failure refused verification 550 t");
}

#[tokio::test]
async fn a_content_that_is_refused_is_a_dead_letter_too() {
    let mails = MailBox::start().await;
    mails.will("data", [Says::Code(554)]).await;
    let office = Office::at(&mails).await;
    office.write("ann@example.org", link("abc")).await;
    office.until(DONE).await;
    assert_eq!(office.text("select concat_ws(' ', reason, answer) from mails").await, "refused Content: 554 not so");
}

#[tokio::test]
async fn what_is_put_off_comes_later_and_holds_up_nobody() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(451), Says::Code(450)]).await;
    let office = Office::at(&mails).await;
    office.write("ann@example.org", link("abc")).await;
    office.until("select deferrals = 1 and answer = 'Recipient: 451 not so' from mails").await;
    office.later(Duration::from_secs(13));
    office.until("select deferrals = 2 from mails").await;
    office.write("bob@example.org", link("abc")).await;
    mails.next_to("bob@example.org").await;
    assert!(mails.all_to("ann@example.org").is_empty());
    office.later(Duration::from_secs(25));
    mails.next_to("ann@example.org").await;
    office.until(DONE).await;
    assert_eq!(mails.count("connect"), 1);
}

#[tokio::test]
async fn a_server_that_sends_everybody_away_is_left_alone_for_a_while() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(421)]).await;
    let office = Office::at(&mails).await;
    office.write("ann@example.org", link("abc")).await;
    office.until("select answer = 'Recipient: 421 not so' from mails").await;
    office.write("bob@example.org", link("abc")).await;
    office.later(Duration::from_secs(7));
    mails.next_to("ann@example.org").await;
    mails.next_to("bob@example.org").await;
    office.until(DONE).await;
    assert_eq!(mails.count("connect"), 2);
    assert_eq!(office.text("select max(deferrals)::text from mails").await, "0", "no mail is at fault");
}

#[tokio::test]
async fn a_server_that_is_down_and_comes_back_gets_what_waited() {
    let mails = MailBox::start().await;
    mails.close().await;
    let office = Office::at(&mails).await;
    for number in 0..5 {
        office.write(&format!("ann{number}@example.org"), link("abc")).await;
    }
    office.until("select exists (select from jobs where queue = 'mail' and last_error = 'away')").await;
    mails.open().await;
    office.later(Duration::from_secs(7));
    mails.happened("mail", 5).await;
    office.until(DONE).await;
}

#[tokio::test]
async fn a_connection_that_is_cut_in_the_middle_of_a_mail_costs_a_second_try() {
    let mails = MailBox::start().await;
    mails.will("data", [Says::Cut]).await;
    let office = Office::at(&mails).await;
    office.write("ann@example.org", link("abc")).await;
    office.until("select deferrals = 7 from mails").await;
    office.later(Duration::from_secs(13));
    mails.next_to("ann@example.org").await;
    office.until(DONE).await;
}

#[tokio::test]
async fn recipients_that_are_not_wanted_now_hold_up_nobody_else() {
    let mails = MailBox::start().await;
    mails.will("recipient", [Says::Code(450), Says::Code(450), Says::Code(450), Says::Code(450), Says::Code(450)]).await;
    let office = Office::at(&mails).await;
    for number in 0..5 {
        office.write(&format!("grey{number}@example.org"), link("abc")).await;
    }
    office.until("select count(*) = 5 from mails where deferrals = 1").await;
    office.write("ann@example.org", link("abc")).await;
    mails.next_to("ann@example.org").await;
}

#[tokio::test]
async fn a_mail_that_the_server_never_confirms_comes_again_as_the_same_mail() {
    let mails = MailBox::start().await;
    mails.will("data", [Says::Nothing]).await;
    let times = Times { content: Duration::from_secs(2), ..server(mails.port).times };
    let office = Office::with(settings(egress::mail::Settings { times, ..server(mails.port) })).await;
    office.write("ann@example.org", link("abc")).await;
    office.until("select deferrals = 7 and answer = 'Content: no answer in time' from mails").await;
    office.later(Duration::from_secs(13));
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
    let office = Office::with(settings).await;
    office.write("slow@example.org", link("abc")).await;
    mails.happened("mail", 1).await;
    office.write("ann@example.org", link("abc")).await;
    let ann = mails.next_to("ann@example.org").await;
    assert_eq!(ann.connection, 2);
    office.until("select count(*) = 1 from mails where sealed is null").await;
    assert!(mails.all_to("slow@example.org").is_empty());
}

/// Each byte comes in time, and the answer never does.
#[tokio::test]
async fn a_server_that_says_a_byte_a_second_is_given_up_in_time() {
    for stage in ["connect", "from", "data"] {
        let mails = MailBox::start().await;
        mails.will(stage, [Says::Drips]).await;
        let limit = Duration::from_secs(3);
        let times = Times { open: limit, command: limit, content: limit };
        let office = Office::with(settings(egress::mail::Settings { times, ..server(mails.port) })).await;
        office.write("ann@example.org", link("abc")).await;
        office.until("select answer like '%: no answer in time' from mails").await;
        office.later(Duration::from_secs(13));
        mails.next_to("ann@example.org").await;
    }
}

#[tokio::test]
async fn a_server_that_does_not_greet_is_given_up_in_time() {
    let mails = MailBox::start().await;
    mails.will("connect", [Says::Nothing]).await;
    let times = Times { open: Duration::from_secs(2), ..server(mails.port).times };
    let office = Office::with(settings(egress::mail::Settings { times, ..server(mails.port) })).await;
    office.write("ann@example.org", link("abc")).await;
    office.until("select answer = 'Hello: no answer in time' from mails").await;
    office.later(Duration::from_secs(7));
    mails.next_to("ann@example.org").await;
}

#[tokio::test]
async fn nobody_gets_a_code_that_no_longer_works() {
    let mails = MailBox::start().await;
    mails.close().await;
    let office = Office::at(&mails).await;
    office.write("ann@example.org", code("123456")).await;
    office.write("ann@example.org", link("abc")).await;
    office.until("select exists (select from jobs where queue = 'mail' and last_error = 'away')").await;
    mails.open().await;
    office.later(Duration::from_mins(10));
    mails.next_to("ann@example.org").await;
    office.until(DONE).await;
    assert_eq!(mails.count("mail"), 1);
    assert_eq!(
        office.text("select concat_ws(' ', template, reason) from mails where dead_at is not null").await,
        "loginCode expired"
    );
}

#[tokio::test]
async fn a_letter_that_cannot_be_opened_is_given_up() {
    let mails = MailBox::start().await;
    mails.close().await;
    let office = Office::at(&mails).await;
    office.write("ann@example.org", link("abc")).await;
    office.write("bob@example.org", link("abc")).await;
    office.until("select count(*) = 2 from mails").await;
    // As if somebody wanted to read Ann's link in Bob's mail.
    let swap = "update mails set sealed = (select sealed from mails other where other.id <> mails.id)";
    office.database.store.connection("test").await.unwrap().execute(swap, &[]).await.unwrap();
    mails.open().await;
    office.later(Duration::from_secs(7));
    office.until(DONE).await;
    assert_eq!(office.text("select string_agg(reason, ' ') from mails").await, "unreadable unreadable");
    assert_eq!(mails.count("mail"), 0);
}
