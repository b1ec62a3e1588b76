//! Imports whose process crashed or stops.

use super::{
    leases::{NOT_YET_DUE, planted, until},
    vendor::{wanted, world_of},
};
use domain::content::import::Status;
use support::{
    import::{import, sample_space},
    prelude::*,
};
use vendor_stand_in::{Fault, What};

#[tokio::test]
async fn an_import_whose_process_was_killed_a_moment_ago_is_over_as_soon_as_its_lease_is() {
    let fixture = SpaceFixture::with(Setup { leases_by_clock: true, ..Setup::default() }).await;
    // Like an import of a folder on another machine, which no process here may run.
    let held = [
        "update import_jobs set status = 'running', started_at = created_at",
        "update jobs set lease_until = clock_timestamp() + interval '5 seconds', lease_token = gen_random_uuid()",
        NOT_YET_DUE,
    ];
    let killed = planted(&fixture, &sample_space(), &held).await;
    let path = fixture.path(&format!("/imports/{}", killed.id));
    let wished = fixture.delete(Caller::Token(&fixture.admin), &path).await.expect(200)["import"].clone();
    assert_eq!((wished["status"].as_str(), wished["cancel_requested"].as_bool()), (Some("running"), Some(true)));
    let running = "select bool_and(status = 'running') from import_jobs";
    fixture.clock.advance(SignedDuration::from_millis(4_999));
    fixture.actors.handles().notifications.wake_all();
    fixture.actors.handles().observe_all().await;
    assert!(fixture.value::<bool>(running).await);
    fixture.clock.advance(SignedDuration::from_millis(1));
    until(&fixture, "select bool_and(status = 'cancelled') from import_jobs").await;
    fixture.clock.advance(SignedDuration::from_hours(2));
    assert_eq!(import(&fixture, fixture.space, &sample_space(), false).await.status, Status::Succeeded);
}

#[tokio::test]
async fn a_stop_does_not_wait_for_the_source_and_gives_the_import_back() {
    let setup = Setup { import_lease: Some(Duration::from_mins(9)), ..Setup::default() };
    let (stand_in, fixture) = world_of([sample_space()], None, setup).await;
    stand_in.control.fault(Fault::of("/stories/", What::Silence));
    let body = wanted(&sample_space());
    fixture.admin().post("/import/vendor", body).await.expect(202);
    stand_in.control.faulted(1).await;
    assert!(fixture.actors.drain(Duration::from_secs(30)).await, "within its time");
    let is_given_back = "select lease_token is null and attempt = 0 and finished_at is null from jobs where queue = 'import'";
    assert!(fixture.value::<bool>(is_given_back).await);
}
