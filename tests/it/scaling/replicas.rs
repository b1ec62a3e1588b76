//! Reads of the Delivery API on replicas: never older than what was acknowledged, and on the primary when a
//! replica cannot answer.

use super::{Running, Site, read_until, replica_reads, serve, space};
use std::ops::Range;
use storage::{
    ReadMark, TimelineId,
    connect::{self, DatabaseTarget},
};
use support::{postgres_server::PostgresServer, prelude::*};

/// How many statements of a server sleep.
const SLEEPING: &str = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";
/// How many histories of the database a server knows.
const TIMELINES: &str = "select count(*) from timelines";

/// A server that reads on a replica.
async fn pair() -> (PostgresServer, PostgresServer, Running) {
    let primary = PostgresServer::start().await;
    // The server comes first: it makes the tables.
    let standby = {
        let _migrated = serve(&[("APP_DATABASE_URL", &primary.url())]).await;
        primary.standby().await
    };
    let running = serve(&[("APP_DATABASE_URL", &primary.url()), ("APP_DATABASE_READ_URL", &standby.url())]).await;
    for server in [&primary, &standby] {
        server.until(TIMELINES, "1").await;
    }
    (primary, standby, running)
}

/// Spaces that are written in turn. Each is read on the primary for a moment after the replica was behind it,
/// and on the replica again when its turn comes.
const SITES: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_reads_after_a_publish_are_never_stale_whatever_the_replica_does() {
    let (_primary, standby, running) = pair().await;
    let owner = running.server.person("ann@example.org").await;
    let mut sites = Vec::new();
    for _ in 0..SITES {
        sites.push(Site::new(&owner).await);
    }
    let rounds = async |numbers: Range<usize>| {
        for number in numbers {
            sites[number % SITES].rounds(number..number + 1).await;
        }
    };
    rounds(0..200).await;
    read_until(&running, &sites[0].space, "read").await;
    // The statement that lets the replay go on must not be cancelled by it: what has waited for longer than
    // this cancels at once what it meets.
    standby.run(&["alter system set max_standby_streaming_delay = -1", "select pg_reload_conf()"]).await;
    standby.run(&["select pg_wal_replay_pause()"]).await;
    let behind = replica_reads(&running, "behind").await;
    rounds(200..1_200).await;
    assert!(replica_reads(&running, "behind").await > behind);
    standby.run(&["select pg_wal_replay_resume()"]).await;
    rounds(1_200..1_400).await;
    read_until(&running, &sites[0].space, "read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_replica_cannot_answer_is_read_on_the_primary_until_it_is_back() {
    let (_primary, standby, running) = pair().await;
    let space = space(&running).await;
    space.publish("first").await.expect(201);
    read_until(&running, &space, "read").await;
    // It hangs: a second, once, and then its reads are made on the primary.
    standby.signal_all(Signal::SIGSTOP);
    let began = Instant::now();
    read_until(&running, &space, "away").await;
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    standby.signal_all(Signal::SIGCONT);
    read_until(&running, &space, "read").await;
    standby.crash();
    read_until(&running, &space, "away").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_no_replica_of_the_primary_is_not_read() {
    let (primary, other) = (PostgresServer::start().await, PostgresServer::start().await);
    let foreign = serve(&[("APP_DATABASE_URL", &other.url())]).await;
    let decoy = space(&foreign).await;
    for number in 0..20 {
        assert_eq!(decoy.publish(&format!("decoy-{number}")).await.status, 201);
    }
    let running = serve(&[("APP_DATABASE_URL", &primary.url()), ("APP_DATABASE_READ_URL", &other.url())]).await;
    let space = space(&running).await;
    space.publish("first").await.expect(201);
    // It even has the row by which a replica is known.
    primary.until(TIMELINES, "1").await;
    let row = primary.value("select format('insert into timelines values (%L, %L, %L)', id, cluster, number) from timelines").await;
    other.run(&[&row]).await;
    read_until(&running, &space, "away").await;
    assert_eq!(replica_reads(&running, "read").await, 0);
}

/// A store that reads a space on a replica which has all of it.
struct CaughtUp {
    store: Store,
    space: i64,
    /// How far the space has come.
    revision: i64,
    timeline: TimelineId,
}

impl CaughtUp {
    async fn new(primary: &PostgresServer, standby: &PostgresServer, running: &Running) -> Self {
        let OwnedSpace { id, .. } = space(running).await;
        let revision = primary.value(&format!("select revision from space_counters where space_id = {id}")).await;
        standby.until(&format!("select revision from space_counters where space_id = {id}"), &revision).await;
        let timeline = primary.value("select id from timelines").await;
        let target = |server: &PostgresServer| DatabaseTarget::new(server.url(), 2);
        let (store, _) = connect::open(&target(primary)).await.unwrap();
        let replicas = connect::replicas(&store, &target(standby)).await.unwrap();
        let caught_up = Self {
            store: store.with_replicas(replicas),
            space: id,
            revision: revision.parse().unwrap(),
            timeline: TimelineId(timeline.parse().unwrap()),
        };
        // A replica that was slow to answer at first is left alone for a second.
        let reached = async { while !caught_up.is_read_on_replica("select pg_is_in_recovery() as is_replica").await {} };
        timeout(Duration::from_secs(30), reached).await.expect("it is read");
        caught_up
    }

    /// How many reads were made on the primary because the replica was behind, and because it could not
    /// answer.
    fn on_primary(&self) -> (u64, u64) {
        let counts = self.store.read_counts().unwrap();
        (counts.behind, counts.away)
    }

    /// Runs a statement that says as `is_replica` where it ran. Returns that, and whether the replica had
    /// come further than the mark.
    async fn read(&self, sql: &str, revision: i64, timeline: Option<TimelineId>) -> (bool, bool) {
        let mark = ReadMark::new(self.space, revision, timeline);
        let reader = self.store.reader("test", mark.clone()).await.unwrap();
        let rows = reader.rows(sql, &[]).await.unwrap();
        (rows[0].get("is_replica"), mark.is_passed())
    }

    /// The same, of a replica that has answered within the second that it has, on a machine that does other
    /// things as well. One that has not is left alone for a while.
    async fn read_in_time(&self, sql: &str, revision: i64, timeline: Option<TimelineId>) -> (bool, bool) {
        let reading = async {
            loop {
                let away = self.on_primary().1;
                let read = self.read(sql, revision, timeline).await;
                if self.on_primary().1 == away {
                    return read;
                }
            }
        };
        timeout(PATIENCE, reading).await.expect("it answers in time")
    }

    /// Whether a replica answers a statement that is not limited by its mark.
    async fn is_read_on_replica(&self, sql: &str) -> bool {
        self.read(sql, self.revision, Some(self.timeline)).await.0
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mark_says_whether_a_replica_has_come_further_than_it() {
    let (primary, standby, running) = pair().await;
    let caught_up = CaughtUp::new(&primary, &standby, &running).await;
    let (reached, timeline) = (caught_up.revision, Some(caught_up.timeline));
    let read =
        async |revision, timeline| caught_up.read_in_time("select pg_is_in_recovery() as is_replica", revision, timeline).await;
    let behind = caught_up.on_primary().0;
    assert_eq!(read(reached, timeline).await, (true, false));
    assert_eq!(read(reached - 1, timeline).await, (true, true), "newer than what the mark belongs to, so it is not kept under it");
    assert_eq!(read(reached + 1, timeline).await, (false, false), "the primary is asked");
    assert_eq!(read(reached, None).await, (false, false), "it cannot be told whom a replica follows");
    assert_eq!(caught_up.on_primary().0, behind + 2);
}

/// A connection forgets its prepared statements when they are many, so it may have a statement prepared and
/// not the question.
#[tokio::test(flavor = "multi_thread")]
async fn how_far_a_replica_has_come_is_asked_before_a_statement_that_alone_is_prepared() {
    let (primary, standby, running) = pair().await;
    let caught_up = CaughtUp::new(&primary, &standby, &running).await;
    primary.run(&["create table gate ()"]).await;
    primary.wait_for_replay(&standby).await;
    let slow = "select pg_is_in_recovery() as is_replica,
                       case when pg_is_in_recovery() and exists (select from gate) then pg_sleep(60)::text end";
    let mark = || ReadMark::new(caught_up.space, caught_up.revision - 1, Some(caught_up.timeline));
    let prepared = async {
        loop {
            let reader = caught_up.store.reader("test", mark()).await.unwrap();
            // More than a connection keeps.
            for number in 0..450 {
                reader.rows(&format!("select {number}"), &[]).await.unwrap();
            }
            // A replica that was slow to answer meanwhile is left alone for a while.
            if reader.rows(slow, &[]).await.unwrap()[0].get::<_, bool>("is_replica") {
                return;
            }
        }
    };
    timeout(PATIENCE, prepared).await.expect("it answers in time");

    primary.run(&["insert into gate default values"]).await;
    primary.wait_for_replay(&standby).await;
    let mark = mark();
    let reader = caught_up.store.reader("test", mark.clone()).await.unwrap();
    let asked = async {
        standby.until(SLEEPING, "1").await;
        let answered = async {
            while !mark.is_passed() {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(10), answered).await.expect("it was asked before");
        standby.run(&["select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'"]).await;
    };
    let (rows, ()) = tokio::join!(reader.rows(slow, &[]), asked);
    assert!(!rows.unwrap()[0].get::<_, bool>("is_replica"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_follows_another_primary_is_not_read() {
    let (primary, standby, running) = pair().await;
    let caught_up = CaughtUp::new(&primary, &standby, &running).await;
    let another = TimelineId("7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11".parse().unwrap());
    let before = caught_up.on_primary();
    let read = caught_up.read("select pg_is_in_recovery() as is_replica", caught_up.revision, Some(another)).await;
    assert_eq!(read, (false, false));
    assert_eq!(caught_up.on_primary(), (before.0, before.1 + 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_falls_silent_in_the_middle_of_a_statement_leaves_time_to_run_it_on_the_primary() {
    let (primary, standby, running) = pair().await;
    let caught_up = CaughtUp::new(&primary, &standby, &running).await;
    let slow = "select pg_is_in_recovery() as is_replica, case when pg_is_in_recovery() then pg_sleep(60)::text end";
    let began = Instant::now();
    let falling_silent = async {
        standby.until(SLEEPING, "1").await;
        standby.signal_all(Signal::SIGSTOP);
    };
    let (is_replica, ()) = tokio::join!(caught_up.is_read_on_replica(slow), falling_silent);
    assert!(!is_replica && began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    // So that it ends.
    standby.crash();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_long_is_not_taken_from_a_replica_that_is_there() {
    let (primary, standby, running) = pair().await;
    let caught_up = CaughtUp::new(&primary, &standby, &running).await;
    // Longer than it takes until the replica is asked whether it is there.
    let slow = "select pg_is_in_recovery() as is_replica, pg_sleep(0.7)::text";
    assert!(caught_up.read_in_time(slow, caught_up.revision, Some(caught_up.timeline)).await.0);
}

/// PostgreSQL ends a statement of a replica that sees rows which the primary has removed for good.
#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_the_replay_cancels_is_run_again_on_the_primary() {
    let (primary, standby, running) = pair().await;
    let caught_up = CaughtUp::new(&primary, &standby, &running).await;
    standby.run(&["alter system set max_standby_streaming_delay = 0", "select pg_reload_conf()"]).await;
    primary.run(&["create table scrap as select 1 as number"]).await;
    primary.wait_for_replay(&standby).await;
    let slow = "select pg_is_in_recovery() as is_replica, case when pg_is_in_recovery() then pg_sleep(60)::text end from scrap";
    let before = caught_up.on_primary();
    let removing = async {
        standby.until(SLEEPING, "1").await;
        // A row stays for as long as any statement of the primary may see it.
        loop {
            primary.run(&["update scrap set number = number + 1", "vacuum scrap"]).await;
        }
    };
    // Long before its own limit ends the statement.
    let is_replica = tokio::select! {
        is_replica = timeout(Duration::from_secs(20), caught_up.is_read_on_replica(slow)) => is_replica.expect("it is cancelled"),
        () = removing => unreachable!(),
    };
    assert!(!is_replica);
    assert_eq!(caught_up.on_primary(), (before.0, before.1 + 1));
}
