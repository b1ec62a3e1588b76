//! Notifications of other processes.

use super::{note, space};
use actors::content::SpaceEvent;
use domain::shared::SpaceId;
use storage::{
    content::commit_log::SpaceVersion,
    queue::{self, NewJob, NoPayload},
};
use support::prelude::*;
use tokio::sync::mpsc;

#[tokio::test]
async fn a_commit_of_another_process_is_announced() {
    let database = support::database().await;
    let space = space(&database).await;
    let (reader, writer) = (support::system(&database, support::clock()).await, support::system(&database, support::clock()).await);
    let (send, mut heard) = mpsc::unbounded_channel();
    let notifications = &reader.handles().notifications;
    notifications.subscribe_spaces(move |news| send.send(news).unwrap());
    notifications.until(true).await;
    let at = note(&writer.handles().spaces, space, "news").await.unwrap();
    loop {
        if let SpaceEvent::Committed { space: moved, version } = heard.recv().await.unwrap() {
            assert_eq!((moved, version.cv, version.revision > 0), (space, at.as_second(), true));
            break;
        }
    }
}

#[tokio::test]
async fn a_lost_connection_is_noticed_replaced_and_the_gap_announced() {
    let database = support::database().await;
    let system = support::system(&database, support::clock()).await;
    let notifications = system.handles().notifications.clone();
    notifications.until(true).await;
    let (send, mut heard) = mpsc::unbounded_channel();
    let seen = notifications.clone();
    notifications.subscribe_spaces(move |news| send.send((news, seen.is_up())).unwrap());

    let connection = database.connection().await;
    let listeners = "from pg_stat_activity where datname = current_database() and application_name = 'lectern listener'";
    let cut = format!("select pg_terminate_backend(pid) {listeners}");
    for _ in 0..3 {
        // One that was cut is seen for as long as its process takes to end.
        database.until(&format!("select count(*) {listeners}"), 1).await;
        let down = notifications.until(false);
        let (cut, ()) = tokio::join!(connection.rows(&cut, &[]), down);
        assert_eq!(cut.unwrap().len(), 1);
        assert_eq!(heard.recv().await.unwrap(), (SpaceEvent::Resync, false), "forget first, trust later");
        notifications.until(true).await;
        connection.execute("select pg_notify('lectern_space', '7:8:9')", &[]).await.unwrap();
        assert_eq!(
            heard.recv().await.unwrap().0,
            SpaceEvent::Committed { space: SpaceId(7), version: SpaceVersion { cv: 8, revision: 9 } }
        );
    }
    let observed = system.handles().observe_all().await;
    assert_eq!((&observed["notifications"]["up"], &observed["notifications"]["connections"]), (&true.into(), &4.into()));
}

#[tokio::test]
async fn an_added_job_wakes_the_actor_of_its_queue() {
    let database = support::database().await;
    let clock = support::clock();
    let timers = StoppedTimers::now();
    let system = support::system(&database, clock.clone()).await;
    system.handles().notifications.until(true).await;
    // Everything that was due at the start is done.
    assert_eq!(system.handles().observe_all().await["janitor"]["failures"], 0);
    drop(timers);
    let mut connection = database.connection().await;
    let tx = connection.begin();
    let at = domain::shared::Clock::now(&*clock);
    let job = NewJob { queue: queue::JANITOR, key: "from a newer version".into(), payload: NoPayload {}, at };
    queue::add(&tx, &job).await.unwrap();
    tx.commit().await.unwrap();
    let looked = "select attempt from jobs where key = 'from a newer version'";
    database.until(looked, 1).await;
}
