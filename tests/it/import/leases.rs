//! Leases of imports: expired ones, and failures of the database or the blob store.

use super::{
    folder::Folder,
    vendor::{imported, wanted, world, world_of},
};
use bytes::Bytes;
use domain::{
    content::{
        asset::{FileName, ObjectKey},
        import::{Import, ImportPayload, Kind, SourceRef, Status},
    },
    shared::{Actor, Fault as OurFault, SpaceId},
};
use futures_util::stream;
use storage::{
    content::imports::jobs,
    queue::{self, NewJob, Queue},
};
use support::{
    POOL,
    import::{finished, import, sample_space},
    prelude::*,
    short_wait,
};
use vendor_stand_in::{Fault, What};

/// Puts a job off for as long as an import is put off at most, so that no process claims it while the clock
/// stands still.
pub const NOT_YET_DUE: &str = "update jobs set due_at = due_at + interval '1 minute'";

/// Inserts an import of a folder with its job, and runs the statements `changes` in the same transaction.
pub async fn planted(fixture: &SpaceFixture, path: &Path, changes: &[&str]) -> Import {
    let (by, at) = (Actor::system("test"), fixture.clock.now());
    let source = SourceRef::Directory { path: path.to_str().unwrap().to_owned() };
    let mut session = fixture.connection().await;
    let tx = session.begin();
    let new = jobs::NewImport { source: &source, dry_run: false, webhooks: false, sealed_token: Some(b"sealed"), by: &by, at };
    let import = jobs::insert(&tx, SpaceId(fixture.space), &new).await.unwrap();
    let payload = ImportPayload { space: SpaceId(fixture.space), import: import.id };
    queue::add(&tx, &NewJob { queue: jobs::IMPORT_LOCAL, key: fixture.space.to_string(), payload, at }).await.unwrap();
    for change in changes {
        tx.execute(change, &[]).await.unwrap();
    }
    tx.commit().await.unwrap();
    import
}

/// Wakes the actors until a query returns true.
pub async fn until(fixture: &SpaceFixture, query: &str) {
    for _ in 0..2000 {
        if fixture.value::<bool>(query).await {
            return;
        }
        let handles = fixture.actors.handles();
        handles.notifications.wake_all();
        handles.observe_all().await;
        short_wait().await;
    }
    panic!("it never came to this: {query}");
}

#[tokio::test]
async fn an_import_fails_after_repeated_crashes_without_progress() {
    let fixture = SpaceFixture::new().await;
    // Eight attempts without progress; the ninth fails the import.
    let planted_once = planted(&fixture, &sample_space(), &["update jobs set attempt = 8"]).await;
    let over = finished(&fixture.database, &planted_once).await;
    assert_eq!((over.status, over.error.unwrap().code.as_str()), (Status::Failed, "crashed"));
    // Attempts before the last progress do not count.
    let changes = [
        "update jobs set attempt = 8 where finished_at is null",
        "update import_jobs set last_progress_attempt = 3 where finished_at is null",
    ];
    let again = planted(&fixture, &sample_space(), &changes).await;
    assert_eq!(finished(&fixture.database, &again).await.status, Status::Succeeded);
}

#[tokio::test]
async fn an_import_without_a_process_is_cancelled_at_once_and_its_job_ends() {
    let fixture = SpaceFixture::new().await;
    let changes = ["update import_jobs set status = 'running', started_at = created_at", NOT_YET_DUE];
    let import = planted(&fixture, &sample_space(), &changes).await;
    let path = fixture.path(&format!("/imports/{}", import.id));
    let cancelled = fixture.delete(Caller::Token(&fixture.admin), &path).await.expect(200);
    assert_eq!(cancelled["import"]["status"], "cancelled");
    assert!(fixture.every_row(&["import_jobs"]).await.contains("\"sealed_token\":null"), "the token is gone with it");
    // A process that claims the job later finds the import ended.
    fixture.clock.advance(SignedDuration::from_hours(2));
    until(&fixture, "select finished_at is not null from jobs where queue = 'import.local'").await;
    until(&fixture, "select count(*) = 0 from stories").await;
}

/// A clock that was a day ahead when a process released an import has gone back.
#[tokio::test]
async fn an_import_that_is_due_tomorrow_is_run_today() {
    let fixture = SpaceFixture::new().await;
    let import = planted(&fixture, &sample_space(), &["update jobs set due_at = due_at + interval '1 day'"]).await;
    assert_eq!(finished(&fixture.database, &import).await.status, Status::Succeeded);
}

#[tokio::test]
async fn a_job_that_names_no_import_is_marked_dead() {
    let fixture = SpaceFixture::new().await;
    let at = fixture.clock.now();
    let mut session = fixture.connection().await;
    let tx = session.begin();
    let job = NewJob { queue: Queue::new(jobs::IMPORT.name()), key: "7".to_owned(), payload: json!({ "space": 7 }), at };
    queue::add(&tx, &job).await.unwrap();
    tx.commit().await.unwrap();
    drop(session);
    until(&fixture, "select dead_at is not null and last_error = 'unreadable' from jobs where queue = 'import'").await;
    // Its slot is free for the next import.
    assert_eq!(import(&fixture, fixture.space, &sample_space(), false).await.status, Status::Succeeded);
}

#[tokio::test]
async fn a_file_slower_than_the_lease_does_not_lose_the_lease() {
    let lease = SignedDuration::from_secs(3);
    let setup = Setup { import_lease: Some(lease.unsigned_abs()), leases_by_clock: true, ..Setup::default() };
    let (stand_in, fixture) = world_of([sample_space()], None, setup).await;
    stand_in.control.fault(Fault::of("/bench.png", What::Held));
    let slow = async {
        stand_in.control.faulted(1).await;
        let session = fixture.connection().await;
        for _ in 0..3 {
            fixture.clock.advance(lease / 2);
            let is_extended = "select lease_until = clock_timestamp() + interval '3 seconds' from jobs where queue = 'import'";
            while !session.row(is_extended, &[]).await.unwrap().get::<_, bool>(0) {
                assert!(
                    queue::claim(&session, jobs::IMPORT, 1, Duration::from_mins(1)).await.unwrap().is_empty(),
                    "another process could have taken it"
                );
                short_wait().await;
            }
        }
        stand_in.control.set_faults(Vec::new());
    };
    let (done, ()) = tokio::join!(imported(&fixture, fixture.space, &fixture.admin, wanted(&sample_space())), slow);
    assert_eq!((done.status, done.report.counts[&Kind::Asset].created), (Status::Succeeded, 3));
}

#[tokio::test]
async fn a_blob_store_that_is_full_for_a_while_ends_no_import() {
    let (_stand_in, fixture) = world([sample_space()], None).await;
    let blobs = &fixture.blobs;
    let (let_go, gone) = tokio::sync::watch::channel(false);
    let held: Vec<_> = (0..32)
        .map(|number| {
            let gone = gone.clone();
            let key = ObjectKey::new(SpaceId(fixture.space), fixture.clock.now(), support::entropy(100 + number).as_ref());
            // A piece each second, so that the upload is not given up.
            let pieces = stream::unfold(gone, |mut gone| async move {
                let is_over = *gone.borrow();
                let _ = tokio::time::timeout(Duration::from_secs(1), gone.wait_for(|gone| *gone)).await;
                (!is_over).then(|| (Ok::<_, OurFault>(Bytes::from(vec![0; 64 << 10])), gone))
            });
            async move { blobs.put(key, &FileName::of("held"), pieces).await.unwrap() }
        })
        .collect();
    let others = join_all(held);
    let trouble = async {
        // Four attempts of three files, and then more: the step was repeated.
        for _ in 0..2000 {
            if blobs.counts().refused > 12 {
                break;
            }
            short_wait().await;
        }
        let_go.send_replace(true);
    };
    let body = wanted(&sample_space());
    let ((), _, done) = tokio::join!(trouble, others, imported(&fixture, fixture.space, &fixture.admin, body));
    assert_eq!((done.status, done.report.failures.total), (Status::Succeeded, 0), "{:?}", done.error);
    assert_eq!(done.report.counts[&Kind::Asset].created, 3);
}

#[tokio::test]
async fn an_import_ends_even_if_the_statistics_cannot_be_updated() {
    let fixture = SpaceFixture::new().await;
    let mut session = fixture.connection().await;
    // A concurrent `analyze` of another import would hold this lock.
    let tx = session.begin();
    tx.execute("lock table editions in share update exclusive mode", &[]).await.unwrap();
    let done = import(&fixture, fixture.space, &sample_space(), false).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    drop(tx);
}

#[tokio::test]
async fn a_short_outage_of_the_database_costs_neither_an_import_nor_its_event_streams() {
    let folder = Folder::new();
    let setup = Setup { import_lease: Some(Duration::from_secs(6)), ..Setup::default() };
    let (stand_in, fixture) = world_of([folder.path().to_owned()], None, setup).await;
    stand_in.control.fault(Fault::of("/stories/207", What::Slow { millis: 5_500 }));
    let admin = Caller::Token(&fixture.admin);
    let made = fixture.post(admin, &fixture.path("/import/vendor"), wanted(folder.path())).await.expect(202)["import"].clone();
    let path = fixture.path(&format!("/imports/{}/events", made["id"]));
    let moment = async {
        stand_in.control.faulted(1).await;
        let store = &fixture.database.store;
        // Cuts all connections while the import's heartbeats and its listeners' queries fail.
        let all = join_all((0..POOL).map(|_| store.connection("test"))).await;
        tokio::time::sleep(Duration::from_millis(4_300)).await;
        drop(all);
    };
    let (events, ()) = tokio::join!(fixture.get(admin, &path), moment);
    assert!(events.text.trim_end().ends_with('}') && events.text.contains("\"status\":\"succeeded\""), "{}", events.text);
    let lists = stand_in.control.counters().paths["/v1/spaces/70001/stories"];
    assert_eq!(lists, 1, "the list of stories was read once");
}

#[tokio::test]
async fn a_page_that_the_database_does_not_take_is_written_again_and_not_read_again() {
    let (stand_in, fixture) = world([sample_space()], None).await;
    for statement in [
        "create sequence tries",
        "create function refuse() returns trigger language plpgsql as $$ begin
             if nextval('tries') <= 2 then raise exception 'starting up' using errcode = '57P03'; end if;
             return new;
         end $$",
        "create trigger refuse before update on import_jobs for each row
             when (old.phase = 'stories' and old.done < new.done) execute function refuse()",
    ] {
        fixture.sql(statement).await;
    }
    let done = imported(&fixture, fixture.space, &fixture.admin, wanted(&sample_space())).await;
    assert_eq!((done.status, done.report.failures.total), (Status::Succeeded, 0), "{:?}", done.error);
    assert_eq!(fixture.value::<i64>("select last_value from tries").await, 3, "two tries failed, the third wrote all stories");
    let reads = stand_in.control.counters().paths;
    let reads = ["/v1/spaces/70001/stories", "/v1/spaces/70001/stories/"].map(|path| reads[path]);
    assert_eq!(reads, [1, 7], "the list and each story were read once");
}
