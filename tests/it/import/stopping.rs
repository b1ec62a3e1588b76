//! Stopping imports whose process is gone.

use super::{
    leases::{planted, until},
    support::{import, workshop},
};
use crate::support::desk::{Caller, Desk};
use domain::{content::import::Status, shared::Clock};
use jiff::SignedDuration;

#[tokio::test]
async fn an_import_whose_process_was_killed_a_moment_ago_is_over_as_soon_as_its_lease_is() {
    let desk = Desk::new().await;
    // As an import of a folder on another machine: no process here may do it.
    let later = desk.app().clock.now().checked_add(SignedDuration::from_hours(1)).unwrap();
    let held = [
        "update import_jobs set status = 'running', started_at = created_at",
        "update jobs set lease_until = clock_timestamp() + interval '2 seconds', lease_token = gen_random_uuid()",
    ];
    let killed = planted(&desk, &workshop(), later, &held).await;
    let path = desk.path(&format!("/imports/{}", killed.id));
    let wished = desk.delete(Caller::Token(&desk.admin), &path).await.expect(200)["import"].clone();
    assert_eq!((wished["status"].as_str(), wished["cancel_requested"].as_bool()), (Some("running"), Some(true)));
    until(&desk, "select bool_and(status = 'cancelled') from import_jobs").await;
    desk.app().clock.advance(SignedDuration::from_hours(2));
    assert_eq!(import(&desk, desk.space, &workshop(), false).await.status, Status::Succeeded);
}
