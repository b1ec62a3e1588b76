//! The private PostgreSQL: created once, started again, stopped when it outlived its server.

use lectern::{
    data_dir::DataDir,
    embedded_postgres::{self, Cluster, Durability},
};
use std::sync::Mutex;
use support::prelude::*;

/// Starts it in a directory as a server does.
async fn start(data: &DataDir) -> Cluster {
    embedded_postgres::start(data.presence(), Durability::None, &|_| {}).await.unwrap()
}

fn open(scratch: &Scratch) -> DataDir {
    DataDir::open(scratch.path(), true).unwrap()
}

/// Collects the lines of progress.
#[derive(Default)]
struct Lines(Mutex<Vec<String>>);

impl Lines {
    fn say(&self) -> impl Fn(&str) + Sync + '_ {
        |line| self.0.lock().unwrap().push(line.to_owned())
    }

    /// But for what a busy machine adds.
    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().filter(|line| !line.contains("still starting")).cloned().collect()
    }
}

#[tokio::test]
async fn a_cluster_is_made_once_and_found_again() {
    let scratch = support::scratch();
    let data = open(&scratch);
    let first = Lines::default();
    let cluster = embedded_postgres::start(data.presence(), Durability::None, &first.say()).await.unwrap();
    let (client, driver) = storage::connect::single(&cluster.target("postgres", 1), "").await.unwrap();
    client.batch_execute("create table kept (it int)").await.unwrap();
    let verbosity = client.query_one("show log_error_verbosity", &[]).await.unwrap();
    assert_eq!(verbosity.get::<_, &str>(0), "terse", "what rows hold does not come into its log");
    drop((client, driver));
    cluster.stop().await;
    assert_eq!(first.all().len(), 1, "making a cluster is slow and says so: {:?}", first.all());

    let second = Lines::default();
    let cluster = embedded_postgres::start(data.presence(), Durability::None, &second.say()).await.unwrap();
    let (client, _driver) = storage::connect::single(&cluster.target("postgres", 1), "").await.unwrap();
    client.batch_execute("select it from kept").await.unwrap();
    assert_eq!(second.all(), [""; 0]);
    cluster.stop().await;
}

/// Else what tests find after a vacuum would depend on whether another one has the log written meanwhile.
#[tokio::test]
async fn a_vacuum_right_after_a_commit_finds_its_rows_visible_to_all_also_in_a_cluster_of_tests() {
    let scratch = support::scratch();
    let data = open(&scratch);
    let cluster = start(&data).await;
    let (client, _driver) = storage::connect::single(&cluster.target("postgres", 1), "").await.unwrap();
    for statement in ["create table written (it int)", "insert into written values (1)", "vacuum written"] {
        client.batch_execute(statement).await.unwrap();
    }
    let pages = client.query_one("select relallvisible from pg_class where relname = 'written'", &[]).await.unwrap();
    assert_eq!(pages.get::<_, i32>(0), 1);
    cluster.stop().await;
}

#[tokio::test]
async fn a_postgresql_that_was_left_running_is_stopped_first() {
    let scratch = support::scratch();
    let data = open(&scratch);
    let left = start(&data).await;
    let lines = Lines::default();
    let cluster = embedded_postgres::start(data.presence(), Durability::None, &lines.say()).await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), left.ended()).await.unwrap();
    assert_eq!(lines.all(), ["waiting for the PostgreSQL of a killed server to end"]);
    cluster.stop().await;
}

#[tokio::test]
async fn a_process_id_that_now_belongs_to_another_process_is_no_obstacle() {
    let scratch = support::scratch();
    let data = open(&scratch);
    start(&data).await.stop().await;
    let file = scratch.path().join("postgres/postmaster.pid");
    // The id of this process is certainly in use, and certainly not by PostgreSQL.
    fs::write(&file, format!("{}\n{}\n", std::process::id(), scratch.path().display())).unwrap();
    start(&data).await.stop().await;
}

#[tokio::test]
async fn what_a_killed_initdb_left_is_thrown_away() {
    let scratch = support::scratch();
    let data = open(&scratch);
    fs::create_dir(scratch.path().join("postgres.new")).unwrap();
    fs::write(scratch.path().join("postgres.new/PG_VERSION"), "15").unwrap();
    start(&data).await.stop().await;
    assert!(!scratch.path().join("postgres.new").exists());
}

#[tokio::test]
async fn only_the_user_of_postgresql_may_enter_the_sockets_directory() {
    use std::os::unix::fs::MetadataExt;
    let scratch = support::scratch();
    let data = open(&scratch);
    let cluster = start(&data).await;
    for path in ["run", "postgres"] {
        assert_eq!(fs::metadata(scratch.path().join(path)).unwrap().mode() & 0o777, 0o700, "{path}");
    }
    cluster.stop().await;
}

#[tokio::test]
async fn what_postgresql_says_when_it_cannot_start_is_passed_on() {
    let scratch = support::scratch();
    let data = open(&scratch);
    start(&data).await.stop().await;
    fs::write(scratch.path().join("postgres/postgresql.auto.conf"), "shared_buffers = nonsense\n").unwrap();
    let error = embedded_postgres::start(data.presence(), Durability::None, &|_| {}).await.err().unwrap();
    assert!(error.to_string().contains("contains errors"), "{error:#}");
}

#[tokio::test]
async fn the_log_of_a_former_start_is_kept_and_does_not_grow_for_ever() {
    let scratch = support::scratch();
    let data = open(&scratch);
    let start = async || start(&data).await.stop().await;
    start().await;
    let (log, former) = (scratch.path().join("postgres.log"), scratch.path().join("postgres.log.1"));
    let first = fs::read_to_string(&log).unwrap();
    start().await;
    assert!(fs::read_to_string(&log).unwrap().starts_with(&first));
    fs::write(&log, "x".repeat(9 << 20)).unwrap();
    start().await;
    assert_eq!(fs::metadata(&former).unwrap().len(), 9 << 20);
    assert!(fs::metadata(&log).unwrap().len() < 1 << 20);
}

/// Two servers, the first of which goes on while another directory takes the place of its own.
#[tokio::test]
async fn a_path_that_leads_to_the_postgresql_of_another_server_is_not_connected_to() {
    let scratch = support::scratch();
    let (path, away) = (scratch.path().join("data"), scratch.path().join("away"));
    let data = DataDir::open(&path, true).unwrap();
    let cluster = start(&data).await;
    let target = cluster.target("postgres", 1);
    fs::rename(&path, &away).unwrap();
    let others = DataDir::open(&path, true).unwrap();
    let other = start(&others).await;
    let refused = storage::connect::single(&target, "").await.err().unwrap();
    assert!(refused.to_string().contains("was deleted or moved away"), "{refused}");
    storage::connect::single(&other.target("postgres", 1), "").await.unwrap();
    other.stop().await;

    fs::remove_dir_all(&path).unwrap();
    fs::rename(&away, &path).unwrap();
    storage::connect::single(&target, "").await.unwrap();
    cluster.stop().await;
}

#[tokio::test]
async fn each_test_has_a_database_of_its_own() {
    let (one, other) = (support::database().await, support::database().await);
    let insert = "insert into jobs (queue, key, due_at, created_at) values ('q', 'k', now(), now())";
    one.sql(insert).await;
    let count = "select count(*) from jobs";
    assert_eq!((one.count(count).await, other.count(count).await), (1, 0));
}
