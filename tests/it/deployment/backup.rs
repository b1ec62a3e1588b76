//! A backup is taken while the server runs, restored into another database, and started: it has everything,
//! and sends nothing until it is told to. The commands are those of docs/operations.md, "Backup and restore".

use super::{METRICS_TOKEN, SECRET};
use support::{database, prelude::*, server};

/// Runs a program of PostgreSQL.
fn postgres(program: &str, arguments: &[&str]) -> String {
    tools::printed(tools::run(Path::new(program), arguments))
}

/// What the number of rows of each table is.
async fn rows(database: &Database) -> Vec<(String, i64)> {
    let tables = "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname";
    let mut counts = Vec::new();
    for table in database.rows(tables, &[]).await {
        let name: String = table.get(0);
        let count = database.row(&format!("select count(*) as n from {name}"), &[]).await;
        counts.push((name, count.get("n")));
    }
    counts
}

/// A metric of a server.
async fn metric(server: &Server, name: &str) -> f64 {
    let text = browser().get(server.url("/metrics")).bearer_auth(METRICS_TOKEN).send().await.unwrap().text().await.unwrap();
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok()).unwrap()
}

fn variables(url: &str) -> Vec<(&str, &str)> {
    vec![
        ("APP_DATABASE_URL", url),
        ("APP_SECRET", SECRET),
        ("APP_METRICS_TOKEN", METRICS_TOKEN),
        ("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1"),
        ("APP_WEBHOOK_BACKOFF", "1h,1h,1h,1h"),
        // What it counts goes while the rows are counted.
        ("APP_RATE_LIMITS", "off"),
    ]
}

/// Copies the files of assets from one folder to another.
fn copy_assets(from: &Scratch, to: &Scratch) {
    let folder = |scratch: &Scratch| scratch.path().join("assets");
    tools::printed(tools::run(Path::new("cp"), ["-a".as_ref(), folder(from).as_os_str(), folder(to).as_os_str()]));
}

/// A space with a file, a webhook, one event that arrived there and one that is to be tried again much later.
/// The path of the file comes with it.
async fn space_to_keep(server: &Server, receiver: &Receiver) -> (OwnedSpace, String) {
    // Without mail an account is verified at once.
    let ann = server.person("ann@example.org").await;
    let space = ann.space().await;
    let webhook = json!({ "name": "w", "url": receiver.url(), "events": ["story.published"], "secret": "a secret of the tests" });
    space.post("/webhooks", webhook).await.expect(201);
    let image = space.upload("a.gif", crate::assets::GIF).await.body;
    let file = image["filename"].as_str().or(image["asset"]["filename"].as_str()).unwrap();
    let path = format!("/{}", file.strip_prefix("http://").unwrap().split_once('/').unwrap().1);
    space.publish("arrives").await.expect(201);
    receiver.got(1).await;
    receiver.will([Reaction::Status(500)]);
    space.publish("fails").await.expect(201);
    receiver.got(2).await;
    (space, path)
}

#[tokio::test]
async fn a_restored_copy_has_everything_and_sends_nothing_until_it_is_told_to() {
    let (receiver, mails) = (Receiver::start().await, MailBox::start().await);
    let (data, backup, copied_data, original) = (scratch(), scratch(), scratch(), database().await);
    let own = variables(original.target.url.expose_secret());
    let with_mail = [&own[..], &mails.variables()].concat();

    let server = Server::start(data.path(), &own).await;
    let (space, path) = space_to_keep(&server, &receiver).await;
    server.stop().await;

    // A mail that the mail server did not take, and will be tried again within seconds.
    mails.close().await;
    let server = Server::start(data.path(), &with_mail).await;
    let forgotten = Person::at_origin(server.url(""));
    forgotten.post("/api/auth/password/forgot", &json!({ "email": "ann@example.org" })).await.expect(200);

    let dump = backup.path().join("lectern.dump");
    let dump = dump.to_str().unwrap();
    postgres("pg_dump", &["--format=custom", "--file", dump, "--dbname", original.target.url.expose_secret()]);
    copy_assets(&data, &backup);
    let counted = rows(&original).await;
    // What comes later is not in the backup.
    assert_eq!(forgotten.get("/api/health").await.body["status"], "ok");
    server.stop().await;

    let restore = |url: &str| drop(postgres("pg_restore", &["--exit-on-error", "--no-owner", "--dbname", url, dump]));
    let copy = Database::filled(restore).await;
    copy_assets(&backup, &copied_data);
    assert_eq!(rows(&copy).await, counted);
    mails.open().await;
    let own = variables(copy.target.url.expose_secret());
    let with_mail = [&own[..], &mails.variables()].concat();
    let server = Server::start(copied_data.path(), &with_mail).await;
    assert!(server.welcome.contains("this database is a copy of another one"), "{}", server.welcome);

    // The same people, content and files.
    Person::at_origin(server.url("")).login("ann@example.org", PASSWORD).await.expect(200);
    assert_eq!(server.get(&space.read("arrives")).await, 200);
    let bytes = browser().get(server.url(&path)).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(bytes, crate::assets::GIF);

    // Something new to be sent. The event becomes a delivery, which counts as waiting and is not sent.
    let space = space.at(&server);
    space.publish("later").await.expect(201);
    copy.until("select count(*) from delivery_queue where dead_at is null", 2).await;
    assert!(metric(&server, "svc_sending_paused").await > 0.0);
    assert_eq!((receiver.so_far().len(), mails.all().len()), (2, 0));
    let status = async |action| {
        let told = server::run(
            &["sending", action],
            &[&with_mail[..], &[("APP_DATA_DIR", copied_data.path().to_str().unwrap())]].concat(),
        )
        .await;
        String::from_utf8(told.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(status("status").await, "sending is paused");
    server.stop().await;
    // A further start changes nothing.
    let server = Server::start(copied_data.path(), &with_mail).await;
    assert!(server.welcome.contains("it was paused before"), "{}", server.welcome);
    assert_eq!((receiver.so_far().len(), mails.all().len()), (2, 0));

    assert_eq!(status("resume").await, "sending is on");
    assert!(receiver.got(3).await[2].text().contains("later"));
    mails.next_to("ann@example.org").await;
    server.stop().await;
    let server = Server::start(copied_data.path(), &with_mail).await;
    assert!(!server.welcome.contains("are not sent"), "{}", server.welcome);
    // By hand, as before a base backup of a running system is started a second time.
    assert_eq!(status("pause").await, "sending is paused");
    let space = space.at(&server);
    space.publish("held").await.expect(201);
    copy.until("select count(*) from delivery_queue where dead_at is null", 2).await;
    assert_eq!(receiver.so_far().len(), 3);
    assert_eq!(status("resume").await, "sending is on");
    receiver.got(4).await;
    let events = "select string_agg(event, ' ' order by id) as events from account_audit where event like 'admin.sending.%'";
    let events: String = copy.value(events).await;
    assert_eq!(events, "admin.sending.resumed admin.sending.paused admin.sending.resumed");
}

#[tokio::test]
async fn a_database_is_migrated_by_itself() {
    let data = scratch();
    let variables = [("APP_DATA_DIR", data.path().to_str().unwrap())];
    for _ in 0..2 {
        let told = server::run(&["migrate"], &variables).await;
        assert_eq!((told.status.code(), String::from_utf8(told.stdout).unwrap().trim()), (Some(0), "the database is up to date"));
    }
    // The private PostgreSQL of the command has ended, and a server finds what it made.
    let server = Server::start(data.path(), &[]).await;
    assert!(!server.welcome.contains("brought up to date"), "{}", server.welcome);
    server.stop().await;
    let sending = server::run(&["sending", "status"], &variables).await;
    assert_eq!(String::from_utf8(sending.stdout).unwrap().trim(), "sending is on");
}
