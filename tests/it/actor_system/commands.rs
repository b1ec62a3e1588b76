//! Commands of spaces.

use super::{Note, Ticking, execute, gated, kind, note, notes, space};
use actors::content::SpaceEvent;
use domain::shared::{Kind, SpaceId, StoryId};
use services::content::Authorized;
use std::sync::Mutex;
use storage::content::schedulings::{Due, ScheduledAction};
use support::prelude::*;

#[tokio::test]
async fn commands_of_a_space_run_one_by_one_in_order_of_arrival() {
    let database = support::database().await;
    let space = space(&database).await;
    let mut params = support::system_params(&database, support::clock());
    params.clock = Arc::new(Ticking(support::clock()));
    let system = support::system_with(params).await;
    let spaces = &system.handles().spaces;
    let times = join_all((0..100).map(|number| note(spaces, space, number))).await;
    let times: Vec<_> = times.into_iter().map(Result::unwrap).collect();
    assert!(times.is_sorted_by(|a, b| a < b), "the order of times is the order of commands");
    assert_eq!(notes(&database, space).await, (0..100).map(|value| value.to_string()).collect::<Vec<_>>());
    let cv = times[99].as_second();
    assert_eq!(spaces.observe(space).await.unwrap(), json!({ "space": space, "cv": cv, "committed": 100 }));
}

#[tokio::test]
async fn a_command_is_refused_to_those_who_have_not_the_right_that_it_needs() {
    let database = support::database().await;
    let space = space(&database).await;
    let system = support::system(&database, support::clock()).await;
    // Schedules publish; the note asks for an administrator.
    let due = Due { space, story: StoryId(1), action: ScheduledAction::Publish(StoryId(1)) };
    let outcome = system.handles().spaces.execute(Authorized::for_schedule(&due), Note("written".into())).await;
    assert_eq!(kind(outcome), Kind::Forbidden);
    assert!(notes(&database, space).await.is_empty());
}

#[tokio::test]
async fn two_processes_write_one_space_without_a_gap() {
    let database = support::database().await;
    let space = space(&database).await;
    let (one, other) = (support::system(&database, support::clock()).await, support::system(&database, support::clock()).await);
    let write = |number: usize| {
        let system = if number.is_multiple_of(2) { &one } else { &other };
        note(&system.handles().spaces, space, number)
    };
    for outcome in join_all((0..100).map(write)).await {
        outcome.unwrap();
    }
    let mut written: Vec<usize> = notes(&database, space).await.iter().map(|note| note.parse().unwrap()).collect();
    let each = |rest: usize| written.iter().copied().filter(|w| w % 2 == rest).collect::<Vec<_>>();
    assert!(each(0).is_sorted() && each(1).is_sorted(), "each process keeps its order");
    written.sort_unstable();
    assert_eq!(written, (0..100).collect::<Vec<_>>());
    let cv: i64 = database.value("select cv from space_counters").await;
    let first = domain::shared::Clock::now(&*support::clock()).as_second();
    assert_eq!(cv, first + 99, "each of the hundred moved it, though the clock stood still");
}

#[tokio::test]
async fn a_caller_with_its_reply_reads_nothing_older() {
    let database = support::database().await;
    let space = space(&database).await;
    let system = support::system(&database, support::clock()).await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = heard.clone();
    system.handles().spaces.subscribe(move |news| {
        if let SpaceEvent::Committed { version, .. } = news {
            listener.lock().unwrap().push(version.cv);
        }
    });
    for round in 0..20 {
        note(&system.handles().spaces, space, round).await.unwrap();
        let cv: i64 = database.value("select cv from space_counters").await;
        assert!(heard.lock().unwrap().contains(&cv), "round {round}");
    }
}

#[tokio::test]
async fn a_space_that_is_not_there_or_deleted_is_not_written() {
    let database = support::database().await;
    let space = space(&database).await;
    let system = support::system(&database, support::clock()).await;
    let spaces = &system.handles().spaces;
    assert_eq!(kind(note(spaces, SpaceId(4711), "x").await), Kind::NotFound);
    note(spaces, space, "before").await.unwrap();
    database.sql("update spaces set deleted_at = now()").await;
    assert_eq!(kind(note(spaces, space, "after").await), Kind::NotFound);
    assert_eq!(notes(&database, space).await, ["before"]);
}

#[tokio::test]
async fn a_command_that_waits_while_another_process_deletes_the_space_sees_that() {
    let database = support::database().await;
    let space = space(&database).await;
    let system = support::system(&database, support::clock()).await;
    let mut other = database.connection().await;
    let tx = other.begin();
    tx.execute("update spaces set deleted_at = now()", &[]).await.unwrap();
    let waiting = note(&system.handles().spaces, space, "late");
    let deleting = async {
        support::until_waited_for(&tx).await;
        tx.commit().await.unwrap();
    };
    let (outcome, ()) = tokio::join!(waiting, deleting);
    assert_eq!(kind(outcome), Kind::NotFound);
    assert_eq!(notes(&database, space).await, [""; 0]);
}

#[tokio::test]
async fn an_idle_space_has_no_actor_and_gets_one_again() {
    let database = support::database().await;
    let space = space(&database).await;
    let mut params = support::system_params(&database, support::clock());
    params.limits.idle_after = Duration::from_millis(20);
    let system = support::system_with(params).await;
    let spaces = &system.handles().spaces;
    for round in ["first", "second", "third"] {
        note(spaces, space, round).await.unwrap();
        while spaces.active() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(spaces.observe(space).await, None);
    }
    assert_eq!(notes(&database, space).await.len(), 3);
}

#[tokio::test]
async fn a_command_that_comes_while_the_actor_stops_is_not_lost() {
    let database = support::database().await;
    let space = space(&database).await;
    let mut params = support::system_params(&database, support::clock());
    params.limits.idle_after = Duration::from_micros(100);
    let system = support::system_with(params).await;
    let spaces = &system.handles().spaces;
    let writer = async |name: &str| {
        for number in 0..200 {
            note(spaces, space, format!("{name} {number}")).await.unwrap();
        }
    };
    tokio::join!(writer("a"), writer("b"));
    assert_eq!(notes(&database, space).await.len(), 400);
}

#[tokio::test]
async fn a_drain_commits_what_was_admitted_and_refuses_the_rest() {
    let database = support::database().await;
    let (space, other) = (space(&database).await, space(&database).await);
    let system = support::system(&database, support::clock()).await;
    let spaces = &system.handles().spaces;
    let (slow, begun, open) = gated();
    let running = execute(spaces, space, slow);
    let others = async {
        begun.await.unwrap();
        let queued = join_all((0..20).map(|number| note(spaces, space, number)));
        tokio::pin!(queued);
        assert!(futures_util::poll!(&mut queued).is_pending());
        let draining = system.drain(Duration::from_secs(10));
        tokio::pin!(draining);
        // The dispatcher stops first, because its dead letters are commands too.
        let refused = async { while note(spaces, other, "still taken").await.is_ok() {} };
        tokio::select! {
            _ = &mut draining => panic!("it waits for what was admitted"),
            refused = timeout(PATIENCE, refused) => refused.expect("the spaces take nothing any more"),
        }
        assert_eq!(kind(note(spaces, space, "too late").await), Kind::Unavailable);
        open.send(()).unwrap();
        tokio::join!(queued, draining)
    };
    let (running, (queued, clean)) = tokio::join!(running, others);
    running.unwrap();
    for outcome in queued {
        outcome.unwrap();
    }
    assert!(clean);
    assert_eq!(notes(&database, space).await.len(), 21);
    assert_eq!(kind(note(spaces, space, "after").await), Kind::Unavailable);
    let failed = system.failed();
    tokio::pin!(failed);
    assert!(futures_util::poll!(&mut failed).is_pending(), "a drain is no failure");
}
