//! The real binary: its start, and its error messages when it cannot start.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use support::{
    prelude::*,
    server::{refusal, run},
};
use tokio::{net::TcpListener, process::Command};

#[tokio::test]
async fn the_first_start_makes_everything_and_the_second_finds_it() {
    let data = support::scratch();
    let first = Server::start(data.path(), &[]).await;
    let base_url = first.base_url();
    let data_line = format!("Data      {}\n", fs::canonicalize(data.path()).unwrap().display());
    for part in ["making a private PostgreSQL", &data_line, &format!("{base_url}/register"), &format!("{base_url}/api/v2/cdn")] {
        assert!(first.welcome.contains(part), "{part} in {}", first.welcome);
    }
    assert!(!first.welcome.contains("http://127."), "passkeys need a name: {}", first.welcome);
    assert_eq!((first.get("/api/ready").await, first.get("/api/health").await), (200, 200));
    let secret = data.path().join("secret");
    assert_eq!(fs::metadata(&secret).unwrap().mode() & 0o777, 0o600);
    let kept = fs::read_to_string(&secret).unwrap();
    first.stop().await;

    let again = Server::start(data.path(), &[]).await;
    assert!(!again.welcome.contains("making a private PostgreSQL"));
    assert_eq!(again.get("/api/ready").await, 200);
    assert_eq!(fs::read_to_string(&secret).unwrap(), kept);
    again.stop().await;
}

#[tokio::test]
async fn a_killed_server_takes_its_postgresql_along_and_starts_again() {
    let data = support::data_directory();
    let first = Server::start(data.path(), &[]).await;
    let postgres = postmaster(data.path());
    first.signal(Signal::SIGKILL);
    assert_eq!(first.end().await.0.code(), None);
    // At once: the old PostgreSQL is still stopping, or gone, and either has to do.
    let second = Server::start(data.path(), &[]).await;
    assert_ne!(postmaster(data.path()), postgres);
    assert!(!Path::new(&format!("/proc/{postgres}/cwd")).exists(), "the old PostgreSQL is gone");
    assert_eq!(second.get("/api/ready").await, 200);
}

#[tokio::test]
async fn a_postgresql_that_ends_is_started_again_and_stops_with_the_server() {
    let data = support::data_directory();
    let mut server = Server::start(data.path(), &[]).await;
    for _ in 0..2 {
        let pid = nix::unistd::Pid::from_raw(postmaster(data.path()).parse().unwrap());
        nix::sys::signal::kill(pid, Signal::SIGKILL).unwrap();
        server.says("PostgreSQL runs again").await;
        assert_eq!(server.get("/api/ready").await, 200);
    }
    let last = postmaster(data.path());
    server.stop().await;
    assert!(!Path::new(&format!("/proc/{last}/cwd")).exists());
}

/// A cluster on which PostgreSQL does not start at all any more: the server waits for it, says why, and can
/// still be stopped.
#[tokio::test]
async fn a_server_can_be_stopped_while_its_postgresql_does_not_start() {
    let data = support::data_directory();
    let mut server = Server::start(data.path(), &[]).await;
    fs::write(data.path().join("postgres/postgresql.auto.conf"), "shared_buffers = nonsense\n").unwrap();
    let pid = nix::unistd::Pid::from_raw(postmaster(data.path()).parse().unwrap());
    nix::sys::signal::kill(pid, Signal::SIGKILL).unwrap();
    server.says("contains errors").await;
    assert_eq!((server.get("/api/ready").await, server.get("/api/health").await), (503, 200));
    server.stop().await;
}

#[tokio::test]
async fn a_second_signal_stops_at_once() {
    let data = support::data_directory();
    let mut server = Server::start(data.path(), &[("APP_STOP_DELAY", "600")]).await;
    server.signal(Signal::SIGTERM);
    server.says("stopping").await;
    assert_eq!((server.get("/api/ready").await, server.get("/api/health").await), (503, 200), "it stops, but not yet");
    server.signal(Signal::SIGINT);
    let (status, error) = server.end().await;
    assert_eq!(status.code(), Some(1));
    assert!(error.contains("second time"), "{error}");
}

#[tokio::test]
async fn signals_that_ask_for_nothing_do_no_harm() {
    let data = support::data_directory();
    let mut server = Server::start(data.path(), &[]).await;
    for (signal, name) in [(Signal::SIGHUP, "SIGHUP"), (Signal::SIGUSR1, "SIGUSR1"), (Signal::SIGUSR2, "SIGUSR2")] {
        server.signal(signal);
        server.says(name).await;
    }
    server.signal(Signal::SIGPIPE);
    assert_eq!(server.get("/api/ready").await, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_data_directory_is_for_one_server() {
    let data = support::data_directory();
    let server = Server::start(data.path(), &[]).await;
    let path = data.path().to_str().unwrap();
    let line = refusal(&[("APP_LISTEN", "127.0.0.1:0"), ("APP_DATA_DIR", path)]).await;
    assert!(line.contains(path) && line.contains("another server is running on it (process "), "{line}");
    // A second start of the same server, which `make run` asks for before it builds.
    let address = server.address.to_string();
    let again = [("APP_LISTEN", address.as_str()), ("APP_DATA_DIR", path)];
    let line = refusal(&again).await;
    let process = server.pid();
    for part in [format!("runs already, as process {process},"), server.base_url(), "APP_LISTEN and an APP_DATA_DIR".to_owned()] {
        assert!(line.contains(&part), "{part} in {line}");
    }
    let script = Command::new(tools::repository("scripts/not_running.sh")).envs(again).output().await.unwrap();
    let said = String::from_utf8(script.stderr).unwrap();
    assert_eq!((script.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains(&format!("runs already, as process {process}, with the data in {path}.")), "{said}");
    assert_eq!(server.get("/api/ready").await, 200);

    // After it has ended, its lock file says nothing any more.
    server.signal(Signal::SIGKILL);
    server.end().await;
    let script = Command::new(tools::repository("scripts/not_running.sh")).envs(again).output().await.unwrap();
    assert!(script.status.success(), "{script:?}");
}

/// `make run` in a directory below `/root`, which the user that PostgreSQL runs as cannot enter: the data
/// lies there all the same.
#[tokio::test]
async fn the_data_lies_where_the_documents_say_for_root_too() {
    let scratch = support::scratch();
    fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let data = scratch.path().join("data");
    let here = [
        "env".to_owned(),
        "-C".to_owned(),
        scratch.path().to_str().unwrap().to_owned(),
        "-u".to_owned(),
        "APP_DATA_DIR".to_owned(),
    ];
    for _ in 0..2 {
        let server = Server::start_within(&here, &data, &[]).await;
        assert!(
            server.welcome.contains(&format!("Data      {}\n", fs::canonicalize(&data).unwrap().display())),
            "{}",
            server.welcome
        );
        assert_eq!(server.get("/api/ready").await, 200);
        for part in ["postgres/PG_VERSION", "secret", "run"] {
            assert!(data.join(part).exists(), "{part}");
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn a_data_directory_that_is_deleted_is_noticed() {
    let scratch = support::scratch();
    let (data, away) = (scratch.path().join("data"), scratch.path().join("away"));
    let mut server = Server::start(&data, &[]).await;
    let ready = async |server: &Server| {
        let answer = support::browser().get(server.url("/api/ready")).send().await.unwrap();
        let status = answer.status().as_u16();
        let body = answer.json::<serde_json::Value>().await.unwrap();
        (status, body["database"].as_bool().unwrap(), body["dataDirectory"].as_bool().unwrap())
    };
    // Whether the database answers is open: sessions that it has go on.
    let is_gone = async |server: &Server| matches!(ready(server).await, (503, _, false));
    assert_eq!(ready(&server).await, (200, true, true));
    fs::rename(&data, &away).unwrap();
    assert!(is_gone(&server).await);
    server.says("was deleted while the server runs").await;
    let told = server.output_so_far().to_owned();
    assert!(told.contains(data.to_str().unwrap()) && told.contains("put the directory back"), "{told}");

    // Another server makes a new directory there: this one does not take it for its own, nor touch the
    // PostgreSQL in it.
    let other = Server::start(&data, &[]).await;
    let postgres = postmaster(&data);
    assert!(is_gone(&server).await);
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(postmaster(&away).parse().unwrap()), Signal::SIGKILL).unwrap();
    assert_eq!((ready(&other).await.0, postmaster(&data)), (200, postgres));
    // When its sessions have ended it wants others, by the path of a socket that is the other server's now.
    timeout(PATIENCE, async { while ready(&server).await.1 {} }).await.expect("its sessions end");
    for _ in 0..10 {
        assert_eq!(ready(&server).await, (503, false, false));
    }
    other.stop().await;

    // Back again, it is served again.
    fs::remove_dir_all(&data).unwrap();
    fs::rename(&away, &data).unwrap();
    server.says("PostgreSQL runs again").await;
    assert_eq!(ready(&server).await, (200, true, true));
    let told = server.output_so_far().matches("was deleted while").count();
    assert_eq!(told, 1, "{}", server.output_so_far());
    fs::rename(&data, &away).unwrap();
    assert!(is_gone(&server).await);
    server.stop().await;
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_made_is_one_clear_line() {
    let scratch = support::scratch();
    let file = scratch.path().join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("data");
    let line = refusal(&[("APP_LISTEN", "127.0.0.1:0"), ("APP_DATA_DIR", below.to_str().unwrap())]).await;
    assert!(line.contains("file/data") && line.contains("APP_DATA_DIR"), "{line}");
}

#[tokio::test]
async fn a_busy_port_is_one_clear_line_and_leaves_no_trace() {
    let scratch = support::scratch();
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data = scratch.path().join("data");
    let line = refusal(&[("APP_LISTEN", &address), ("APP_DATA_DIR", data.to_str().unwrap())]).await;
    assert!(line.contains(&address) && line.contains("APP_LISTEN") && line.contains("in use"), "{line}");
    assert!(!data.exists());
}

#[tokio::test]
async fn a_bad_variable_stops_the_start_with_its_name() {
    assert!(refusal(&[("APP_DB_POOL_SIZE", "many")]).await.contains("APP_DB_POOL_SIZE: \"many\""));
}

#[tokio::test]
async fn a_database_that_cannot_be_used_is_one_line_without_its_password() {
    let scratch = support::scratch();
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    for url in
        [format!("postgres://ann:hunter2@{free}/db"), "postgres://ann:hunter2@[/db".to_owned(), "nonsense:hunter2".to_owned()]
    {
        let data = scratch.path().to_str().unwrap();
        let line = refusal(&[("APP_LISTEN", "127.0.0.1:0"), ("APP_DATA_DIR", data), ("APP_DATABASE_URL", &url)]).await;
        assert!(line.contains("APP_DATABASE_URL") && !line.contains("hunter2"), "{line}");
    }
}

#[tokio::test]
async fn an_unknown_variable_is_a_warning_for_a_start_and_an_error_for_a_check() {
    let misspelt = [("APP_LISTN", "x")];
    let data = support::data_directory();
    let server = Server::start(data.path(), &misspelt).await;
    assert!(server.welcome.contains("APP_LISTN is not known; did you mean APP_LISTEN?"), "{}", server.welcome);
    let check = async |variables: &[(&str, &str)]| run(&["check-config"], variables).await.status.code();
    assert_eq!(check(&[]).await, Some(0));
    assert_eq!(check(&misspelt).await, Some(1));
    assert_eq!(check(&[("APP_LOG_FORMAT", "xml")]).await, Some(1));
    let wrong = [("APP_LISTEN", "8080"), ("APP_LOG_FORMAT", "xml"), ("APP_FROBNICATE", "x"), ("APP_S3_BUCKET", "b")];
    let text = String::from_utf8(run(&["check-config"], &wrong).await.stderr).unwrap();
    let mut named: Vec<&str> = text.lines().map(|line| line.strip_prefix("lectern: APP_").unwrap()).collect();
    named.sort_unstable();
    assert_eq!(named.len(), 4, "{text}");
    for (line, beginning) in named.iter().zip(["FROBNICATE is not known", "LISTEN: ", "LOG_FORMAT: ", "S3_ENDPOINT: "]) {
        assert!(line.starts_with(beginning), "{text}");
    }
    assert!(text.lines().all(|line| !line.contains("did you mean")), "{text}");
    // A server without mail cannot mail the codes that this setting requires, so it must not start.
    assert_eq!(check(&[("APP_EMAIL_LOGIN_CODE", "always")]).await, Some(1));
    let mail = [("APP_SMTP_HOST", "smtp.example.org"), ("APP_SMTP_FROM", "no-reply@example.org")];
    assert_eq!(check(&[("APP_EMAIL_LOGIN_CODE", "always"), mail[0], mail[1]]).await, Some(0));
}

#[tokio::test]
async fn health_can_be_checked_from_the_command_line() {
    let data = support::data_directory();
    let server = Server::start(data.path(), &[]).await;
    let check = async |address: &str| run(&["healthcheck"], &[("APP_LISTEN", address)]).await.status.code();
    assert_eq!(check(&server.address.to_string()).await, Some(0));
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    assert_eq!(check(&free.to_string()).await, Some(1));
}

#[tokio::test]
async fn logs_can_be_json() {
    let data = support::scratch();
    let variables = [("APP_LOG_FORMAT", "json"), ("APP_LISTEN", "127.0.0.1:0"), ("APP_DATA_DIR", data.path().to_str().unwrap())];
    let variables = [&variables[..], &[("APP_LISTN", "x"), ("APP_DATABASE_URL", "postgres://127.0.0.1:1/x")]].concat();
    let output = run(&[], &variables).await;
    let first = String::from_utf8(output.stdout).unwrap().lines().next().unwrap().to_owned();
    let line: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert_eq!(line["level"], "WARN");
    assert!(line["message"].as_str().unwrap().contains("APP_LISTN"));
}

/// The number in `postmaster.pid`.
fn postmaster(data: &Path) -> String {
    let file = fs::read_to_string(data.join("postgres/postmaster.pid")).unwrap();
    file.lines().next().unwrap().to_owned()
}
