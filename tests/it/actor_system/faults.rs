//! Panics, slow commands, floods, a database that is unavailable.

use super::{Panic, execute, gated, kind, note, note_when_back, notes, space};
use domain::shared::{Backoff, Kind};
use std::sync::atomic::{AtomicU32, Ordering};
use support::prelude::*;

#[tokio::test]
async fn a_thousand_panics_in_a_space_do_not_touch_its_neighbour() {
    let database = support::database().await;
    let (sick, well) = (space(&database).await, space(&database).await);
    let mut params = support::system_params(&database, support::clock());
    params.restart_backoff = Backoff { first: Duration::from_micros(50), cap: Duration::from_micros(50), jitter: 0 };
    let system = support::system_with(params).await;
    let spaces = &system.handles().spaces;
    let panics = Arc::new(AtomicU32::new(0));
    let (mut rounds, mut written) = (0, 0);
    while panics.load(Ordering::Relaxed) < 1_000 {
        let (panicking, beside, neighbour) =
            tokio::join!(execute(spaces, sick, Panic(panics.clone())), note(spaces, sick, "beside it"), note(spaces, well, rounds));
        // The space may still be unavailable in a round; then it panics in a later one.
        assert_eq!(kind(panicking), Kind::Unavailable);
        match beside {
            Ok(_) => written += 1,
            Err(fault) => assert_eq!(fault.kind(), Kind::Unavailable),
        }
        neighbour.unwrap();
        rounds += 1;
    }
    note_when_back(spaces, sick, "back").await;
    let half_done = database.rows("select id from spaces where name = 'half done'", &[]).await;
    assert!(half_done.is_empty(), "a panic leaves nothing behind");
    assert_eq!(notes(&database, sick).await.len(), written + 1, "what was acknowledged is there, and nothing else");
    assert_eq!(notes(&database, well).await.len(), rounds);
}

#[tokio::test]
async fn a_command_that_does_not_end_costs_its_callers_the_deadline_and_no_permit_for_ever() {
    let database = support::database().await;
    let space = space(&database).await;
    let mut params = support::system_params(&database, support::clock());
    params.limits.deadline = Duration::from_secs(1);
    params.limits.waiting = 3;
    let system = support::system_with(params).await;
    let spaces = &system.handles().spaces;
    let (stuck, begun, open) = gated();
    let timers = StoppedTimers::now();
    let stuck = execute(spaces, space, stuck);
    let behind = async {
        begun.await.unwrap();
        drop(timers);
        join_all((0..4).map(|number| note(spaces, space, number))).await
    };
    let (stuck, behind) = tokio::join!(stuck, behind);
    assert_eq!(kind(stuck), Kind::Unavailable);
    for outcome in behind {
        assert_eq!(kind(outcome), Kind::Unavailable);
    }
    open.send(()).unwrap();
    note_when_back(spaces, space, "back").await;
    // The command that had begun is finished; those whose callers gave up are not begun. (A try may have
    // succeeded after its caller's deadline.)
    let mut notes = notes(&database, space).await;
    notes.dedup();
    assert_eq!(notes, ["gated", "back"]);
}

#[tokio::test]
async fn a_flood_on_one_space_is_refused_before_the_mailbox() {
    let database = support::database().await;
    let (popular, other) = (space(&database).await, space(&database).await);
    let system = support::system(&database, support::clock()).await;
    let spaces = &system.handles().spaces;
    let (first, begun, open) = gated();
    let first = execute(spaces, popular, first);
    let flood = async {
        begun.await.unwrap();
        let flood = join_all((0..100_000).map(|number| note(spaces, popular, number)));
        tokio::pin!(flood);
        assert!(futures_util::poll!(&mut flood).is_pending());
        note(spaces, other, "unaffected").await.unwrap();
        open.send(()).unwrap();
        flood.await
    };
    let (first, flood) = tokio::join!(first, flood);
    first.unwrap();
    let (done, refused): (Vec<_>, Vec<_>) = flood.into_iter().partition(Result::is_ok);
    assert_eq!((done.len(), refused.len()), (127, 99_873));
    for outcome in refused {
        let fault = outcome.unwrap_err();
        assert_eq!((fault.kind(), fault.retry_after), (Kind::Unavailable, Some(Duration::from_secs(1))));
    }
    note(spaces, popular, "at once").await.unwrap();
    assert_eq!(notes(&database, popular).await.len(), 1 + 127 + 1);
}

#[tokio::test]
async fn a_database_that_is_unavailable_ends_no_actor() {
    let database = support::database().await;
    let space = space(&database).await;
    let system = support::system(&database, support::clock()).await;
    let handles = system.handles();
    note(&handles.spaces, space, "before").await.unwrap();
    handles.notifications.until(true).await;
    let connection = database.connection().await;
    database.store.close();
    let cut = "select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and application_name = 'lectern listener'";
    let (cut, ()) = tokio::join!(connection.rows(cut, &[]), handles.notifications.until(false));
    assert_eq!(cut.unwrap().len(), 1);
    for _ in 0..50 {
        assert_eq!(kind(note(&handles.spaces, space, "away").await), Kind::Unavailable);
    }
    let observed = handles.observe_all().await;
    assert_eq!(
        observed.keys().copied().collect::<Vec<_>>(),
        [
            "dispatcher",
            "fan_out",
            "importer",
            "janitor",
            "key_rotator",
            "last_seen_writer",
            "mail_sender",
            "notifications",
            "scheduler",
            "spaces"
        ]
    );
    assert_eq!(observed["notifications"]["up"], false);
    assert_eq!(observed["notifications"]["connections"], 1);
    assert_eq!(observed["spaces"], json!({ "children": 1, "restarting": [], "restarts": 0 }));
    assert!(!handles.notifications.is_up());
    let failed = system.failed();
    tokio::pin!(failed);
    assert!(futures_util::poll!(&mut failed).is_pending());
}
