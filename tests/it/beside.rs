//! Commands beside a running server, on the private PostgreSQL that it runs; and what a killed server leaves
//! to the next one.

use crate::import::folder::Folder;
use storage::connect::{self, DatabaseTarget};
use support::{prelude::*, server};

/// Runs a command on a data directory. Returns its standard output, or its standard error if it failed.
async fn lectern(data: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = server::run(arguments, &[("APP_DATA_DIR", data.to_str().unwrap())]).await;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// The text that a query returns.
async fn asked(data: &Path, query: &str) -> String {
    let url = format!("host={} user=lectern dbname=postgres", data.join("run").display());
    let store = connect::open_beside(&DatabaseTarget::new(url, 1)).await.unwrap();
    store.connection("test").await.unwrap().row(query, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn an_administrator_is_made_and_unmade_beside_the_server_and_without_it() {
    let data = support::data_directory();
    let server = Server::start(data.path(), &[]).await;
    assert!(server.welcome.contains("lectern admin grant EMAIL"), "{}", server.welcome);
    let (stranger, ann) = (server.person("stranger@example.org").await, server.person("ann@example.org").await);
    let is_admin = async |owner: &Person| owner.get("/api/me").await.body["isAdmin"].as_bool().unwrap();
    assert_eq!((is_admin(&stranger).await, is_admin(&ann).await), (true, false));

    let said = lectern(data.path(), &["admin", "grant", " Ann@Example.org"]).await.unwrap();
    assert!(said.contains("is an administrator now"), "{said}");
    assert!(lectern(data.path(), &["admin", "grant", "ann@example.org"]).await.unwrap().contains("already"));
    let said = lectern(data.path(), &["admin", "revoke", "stranger@example.org"]).await.unwrap();
    assert!(said.contains("is no administrator any more"), "{said}");
    assert_eq!((is_admin(&stranger).await, is_admin(&ann).await), (false, true), "at once, also for those who are signed in");
    for (email, part) in [
        ("nobody@example.org", "no account has the address"),
        ("nobody", "is not a mail address"),
        ("größe@example.org", "before the @"),
    ] {
        let refused = lectern(data.path(), &["admin", "grant", email]).await.unwrap_err();
        assert!(refused.contains(part) && refused.lines().count() == 1, "{refused}");
    }
    let _other = server.person("ann@exämple.org").await;
    assert!(lectern(data.path(), &["admin", "grant", "Ann@EXÄMPLE.org"]).await.unwrap().contains("is an administrator now"));
    assert!(
        lectern(data.path(), &["admin", "revoke", "ann@xn--exmple-cua.org"]).await.unwrap().contains("no administrator any more")
    );
    let entries =
        "select string_agg(concat_ws(' ', email, status, details->>'isAdmin', details->>'by'), ', ' order by account_audit.id)
                   from account_audit join users on users.id = user_id where event = 'admin.user.updated'";
    let expected = "ann@example.org success true command line, stranger@example.org success false command line, \
                    ann@xn--exmple-cua.org success true command line, ann@xn--exmple-cua.org success false command line";
    assert_eq!(asked(data.path(), entries).await, expected);
    assert_eq!(server.get("/api/ready").await, 200, "the server has noticed nothing");

    server.stop().await;
    assert!(lectern(data.path(), &["admin", "revoke", "ann@example.org"]).await.unwrap().contains("any more"));
    let server = Server::start(data.path(), &[]).await;
    assert_eq!(asked(data.path(), "select count(*)::text from users where is_admin").await, "0");
    drop(server);
}

/// As after accounts that no registration made: the one that is named becomes an administrator, and the next
/// one who registers does not.
#[tokio::test]
async fn who_is_granted_it_is_the_first_administrator() {
    let data = support::data_directory();
    let server = Server::start(data.path(), &[("APP_FIRST_USER_IS_ADMIN", "false")]).await;
    let _ann = server.person("ann@example.org").await;
    assert_eq!(asked(data.path(), "with gone as (delete from first_admin returning 1) select count(*)::text from gone").await, "1");
    server.stop().await;
    lectern(data.path(), &["admin", "grant", "ann@example.org"]).await.unwrap();
    let server = Server::start(data.path(), &[]).await;
    let next = server.person("next@example.org").await;
    assert_eq!(next.get("/api/me").await.body["isAdmin"], false);
}

#[tokio::test]
async fn a_space_is_imported_and_exported_beside_the_server() {
    let (data, source, backup) = (support::data_directory(), Folder::new(), support::scratch());
    let server = Server::start(data.path(), &[]).await;
    let said = lectern(data.path(), &["import", "--from", source.path().to_str().unwrap(), "--name", "Beside"]).await.unwrap();
    assert!(said.contains("\nsucceeded\n"), "{said}");
    let word = |prefix: &str| said.split_whitespace().find(|word| word.starts_with(prefix)).unwrap().to_owned();
    let slug = asked(data.path(), "select min(full_slug) from stories where published_at is not null and not is_folder").await;
    let read = format!("/api/v2/cdn/stories/{slug}?token={}", word("sbpub_"));
    assert_eq!(server.get(&read).await, 200, "the server shows it");
    let space = said.lines().find_map(|line| line.strip_prefix("space ")).unwrap();
    let to = backup.path().join("backup");
    let said = lectern(data.path(), &["export", space, to.to_str().unwrap()]).await.unwrap();
    assert!(said.lines().any(|line| line.starts_with("stories")) && to.join("stories.json").exists(), "{said}");
    assert_eq!(server.get("/api/ready").await, 200);
    server.stop().await;
}

/// The process that took the lease of an attempt is dead, and no other one can have taken one. So the end of
/// the lease, an hour away, is not waited for.
#[tokio::test]
async fn what_a_killed_server_was_doing_is_done_as_soon_as_the_next_one_runs() {
    let (data, receiver) = (support::data_directory(), Receiver::start().await);
    let variables = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")];
    let first = Server::start(data.path(), &variables).await;
    let space = first.person("ann@example.org").await.space().await;
    let webhook = json!({ "name": "w", "url": receiver.url(), "events": ["story.published"], "secret": "a secret of the tests" });
    space.post("/webhooks", webhook).await.expect(201);
    receiver.will([Reaction::Silence]);
    space.publish("s").await.expect(201);
    receiver.got(1).await;
    let socket = data.path().join("run");
    let own = DatabaseTarget::new(format!("host={} user=lectern dbname=postgres", socket.display()), 1);
    let (session, driver) = connect::single(&own, "").await.unwrap();
    let longer = "update delivery_queue set lease_until = lease_until + interval '1 hour' where lease_token is not null";
    assert_eq!(session.execute(longer, &[]).await.unwrap(), 1);
    driver.abort();
    first.signal(Signal::SIGKILL);
    first.end().await;
    let second = Server::start(data.path(), &variables).await;
    receiver.got(2).await;
    drop(second);
}
