//! Requests at the same time, and a database that refuses: no account is ever half made.

use super::{app, codes, entries, import, measured, user};
use futures_util::future::join;
use support::prelude::*;

/// Accounts that lack their role, their invitation or their entry in the audit trail.
async fn halves(app: &TestApp) -> i64 {
    let query = "select count(*) from users where legacy_sub is not null and (
                     not exists (select from role_assignments where user_id = users.id)
                     or not exists (select from one_time where user_id = users.id and kind = 'invite')
                     or not exists (select from account_audit where user_id = users.id and event = 'provisioning.user.created'))";
    app.count(query).await
}

fn whole(number: usize) -> Value {
    user(
        &format!("u{number}@example.org"),
        json!({ "legacySub": format!("s{number}"), "roles": { "web": ["viewer"] }, "invite": true }),
    )
}

#[tokio::test]
async fn imports_of_the_same_accounts_at_the_same_time_make_each_once() {
    let app = app().await;
    let rows: Vec<Value> = (0..100).map(whole).collect();
    let backwards: Vec<Value> = rows.iter().rev().cloned().collect();
    let orders = [&rows, &backwards, &rows, &backwards];
    let done = join_all(orders.map(|rows| import(&app, rows))).await;
    let sum = |name: &str| done.iter().map(|done| done.body[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("created"), sum("skipped"), sum("conflicts"), sum("failed")), (100, 300, 0, 0));
    assert_eq!((app.count("select count(*) from users").await, halves(&app).await), (100, 0));
    assert_eq!(app.count("select count(*) from one_time where kind = 'invite'").await, 100);
}

#[tokio::test]
async fn who_registers_an_address_that_is_imported_at_this_moment_is_one_of_the_two() {
    let app = app().await;
    for number in 0..8 {
        let email = format!("u{number}@example.org");
        let person = Person::at(&app);
        let rows: Vec<Value> = (number..number + 3)
            .map(|other| if other == number { whole(number) } else { whole(other + 100 * (number + 1)) })
            .collect();
        let (registered, imported) = join(person.register(&email), import(&app, &rows)).await;
        let codes = codes(&imported);
        let expected = if registered.status == 201 { "conflict emailExists" } else { "created" };
        assert_eq!((codes[0].as_str(), &codes[1..]), (expected, &["created".to_owned(), "created".to_owned()][..]));
        assert_eq!(app.count(&format!("select count(*) from users where email = '{email}'")).await, 1);
    }
    assert_eq!(halves(&app).await, 0);
    assert!(app.count("select count(*) from users where is_admin").await <= 1);
}

/// An address that another transaction has inserted and not committed: the import waits, and then judges the
/// row again.
async fn beside_a_registration(commits: bool) -> (TestApp, Vec<String>) {
    let app = app().await;
    let mut other = app.connection().await;
    let tx = other.begin();
    let insert = "insert into users (id, email, first_name, locale, created_at) values (gen_random_uuid(), 'u1@example.org', 'A', 'en', now())";
    tx.execute(insert, &[]).await.unwrap();
    let rows: Vec<Value> = (0..3).map(whole).collect();
    let ended = async {
        support::until_waited_for(&tx).await;
        if commits {
            tx.commit().await.unwrap();
        } else {
            drop(tx);
        }
    };
    let (imported, ()) = join(import(&app, &rows), ended).await;
    let codes = codes(&imported);
    (app, codes)
}

#[tokio::test]
async fn a_row_that_met_another_transaction_is_judged_again() {
    let (app, codes) = beside_a_registration(true).await;
    assert_eq!(codes, ["created", "conflict emailExists", "created"]);
    assert_eq!((app.count("select count(*) from users").await, halves(&app).await), (3, 0));
    let (app, codes) = beside_a_registration(false).await;
    assert_eq!(codes, ["created"; 3], "the other one gave up");
    assert_eq!((app.count("select count(*) from users").await, halves(&app).await), (3, 0));
}

#[tokio::test]
async fn an_account_that_the_database_refuses_fails_alone_and_as_a_whole() {
    let app = app().await;
    // The user is inserted, and what belongs to it is refused afterwards.
    let refuse = "create function refuse() returns trigger language plpgsql as $$ begin
                      if exists (select from users where id = new.user_id and email = 'u1@example.org') then raise exception 'refused'; end if;
                      return new;
                  end $$";
    app.sql(refuse).await;
    app.sql("create trigger refuse before insert on one_time for each row execute function refuse()").await;
    let mut rows: Vec<Value> = (0..3).map(whole).collect();
    rows.push(user("u2@example.org", json!({})));
    let done = import(&app, &rows).await;
    assert_eq!(codes(&done), ["created", "failed writeFailed", "created", "conflict duplicateInBatch"]);
    assert_eq!(done.body["failed"], 1);
    assert!(!done.body.to_string().contains("refused"), "the database's words are for the log");
    assert_eq!((app.count("select count(*) from users").await, halves(&app).await), (2, 0));
    assert_eq!(
        entries(&app).await,
        [
            "provisioning.user.created provisioning importer - true",
            "provisioning.user.rejected provisioning importer writeFailed false",
            "provisioning.user.created provisioning importer - true",
            "provisioning.user.rejected provisioning importer duplicateInBatch false",
        ]
    );
    assert_eq!(measured(&app, "failed").await, 1);
    let single = super::create(&app, &whole(1)).await;
    assert_eq!(single.refusal(), (500, "writeFailed"));
    app.sql("drop trigger refuse on one_time").await;
    assert_eq!(codes(&import(&app, &rows[..3]).await), ["skipped alreadyImported", "created", "skipped alreadyImported"]);
}
