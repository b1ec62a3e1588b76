//! A server that is killed after the mail server accepted a mail and before it recorded that.

use super::{BASE_URL, link};
use domain::identity::{Email, Recipient};
use domain::shared::UserId;
use services::identity::MailQueue;
use support::{database, prelude::*};

/// A mail is sent at least once; when it is sent twice, both have the same `Message-ID`.
#[tokio::test]
async fn a_mail_survives_a_kill_and_its_copies_are_alike() {
    let mails = MailBox::start().await;
    // The mail server has the mail and does not say so: that is when we are killed.
    mails.will("data", [Says::Nothing]).await;
    let (data, database, clock) = (scratch(), database().await, support::clock());
    let secret = "0123456789abcdef0123456789abcdef";
    let mut variables = mails.variables().to_vec();
    let url = database.target.url.expose_secret().to_owned();
    variables.extend([("APP_DATABASE_URL", url.as_str()), ("APP_SECRET", secret), ("APP_SERVICES", "identity")]);
    let first = Server::start(data.path(), &variables).await;

    let insert = "insert into users (id, email, first_name, locale, created_at)
                  values (gen_random_uuid(), 'ann@example.org', 'Ann', 'en', $1) returning id";
    let user = UserId(database.row(insert, &[&clock.now()]).await.get("id"));
    let keys = crypto::keys::Keys::new(secret.as_bytes().to_vec().into());
    let now: std::sync::Arc<lectern::clock::SystemClock> = std::sync::Arc::new(lectern::clock::SystemClock);
    let mail_queue = MailQueue::new(true, BASE_URL, &keys, now, support::entropy(9));
    let email = Email::parse("ann@example.org").unwrap();
    let recipient = Recipient { user, email, name: "Ann".into(), locale: "en".into() };
    let mail = mail_queue.compose(&recipient, link("abc")).unwrap().unwrap();
    super::add(&database, &mail).await.unwrap();
    mails.happened("mail", 1).await;
    first.signal(nix::sys::signal::Signal::SIGKILL);
    first.end().await;

    // Its lease would run out within half a minute.
    let expire = "update jobs set lease_until = clock_timestamp() where queue = 'mail' and lease_token is not null";
    assert_eq!(database.sql(expire).await, 1);
    let second = Server::start(data.path(), &variables).await;
    let copy = mails.next_to("ann@example.org").await;
    let original = mails.all().remove(0);
    assert_eq!((original.taken, copy.taken), (false, true));
    assert_eq!((original.message_id, original.head), (copy.message_id, copy.head));
    drop(second);
}
