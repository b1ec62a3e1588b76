//! Cancels imports whose process crashed.

use super::leases::{NOT_YET_DUE, planted, until};
use domain::content::import::Status;
use jiff::SignedDuration;
use support::{
    import::{import, sample_space},
    space_fixture::{Caller, SpaceFixture},
};

#[tokio::test]
async fn an_import_whose_process_was_killed_a_moment_ago_is_over_as_soon_as_its_lease_is() {
    let fixture = SpaceFixture::new().await;
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
    until(&fixture, "select bool_and(status = 'cancelled') from import_jobs").await;
    fixture.app().clock.advance(SignedDuration::from_hours(2));
    assert_eq!(import(&fixture, fixture.space, &sample_space(), false).await.status, Status::Succeeded);
}
