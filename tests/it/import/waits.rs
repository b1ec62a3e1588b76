//! An import that waits until it may ask its source again.

use super::vendor::{wanted, world_of};
use domain::{
    content::import::Status,
    shared::{ImportId, SpaceId},
};
use storage::content::imports::jobs;
use support::{
    import::{finished, sample_space},
    prelude::*,
    short_wait,
};
use vendor_stand_in::{Fault, What};

/// What the imports of a server wait for, as soon as it says so: an actor that does not answer within some
/// seconds is left out.
async fn waiting(fixture: &SpaceFixture) -> Vec<Value> {
    let answered = async {
        loop {
            if let Some(all) = fixture.actors.handles().observe_all().await["importer"]["waiting"].as_array() {
                return all.clone();
            }
        }
    };
    timeout(PATIENCE, answered).await.expect("the importer answers")
}

/// Asks until the number of imports that wait is this one.
async fn until_waiting(fixture: &SpaceFixture, imports: usize) -> Vec<Value> {
    for _ in 0..2000 {
        let all = waiting(fixture).await;
        if all.len() == imports {
            return all;
        }
        short_wait().await;
    }
    panic!("{imports} imports never were waiting: {:?}", waiting(fixture).await);
}

#[tokio::test]
async fn an_import_that_waits_for_its_source_says_until_when_and_is_cancelled_at_once() {
    // The lease is long: no heartbeat comes meanwhile.
    let setup = Setup { import_lease: Some(Duration::from_mins(9)), ..Setup::default() };
    let (stand_in, fixture) = world_of([sample_space()], None, setup).await;
    assert_eq!(waiting(&fixture).await, [json!(null); 0]);
    stand_in.control.fault(Fault::of("/presets", What::Status { code: 429, retry_after: Some(120) }));
    let made = fixture.admin().post("/import/vendor", wanted(&sample_space())).await.expect(202)["import"].clone();
    let waits = until_waiting(&fixture, 1).await.remove(0);
    let until: Timestamp = waits["until"].as_str().unwrap().parse().unwrap();
    let wait = until.duration_since(fixture.clock.now());
    assert!((SignedDuration::from_secs(120)..SignedDuration::from_secs(121)).contains(&wait), "{wait}");

    let expected = json!({ "import": made["id"], "requests": 1, "until": waits["until"], "reason": "throttled", "failures": 1 });
    assert_eq!(waits, expected);

    fixture.admin().delete(&format!("/imports/{}", made["id"])).await.expect(200);
    let session = fixture.connection().await;
    let id = ImportId(made["id"].as_i64().unwrap());
    let row = jobs::find(&session, SpaceId(fixture.space), id).await.unwrap().unwrap();
    drop(session);
    assert_eq!(finished(&fixture.database, &row).await.status, Status::Cancelled);
    until_waiting(&fixture, 0).await;
    assert_eq!(stand_in.control.counters().faulted, 1, "the source was not asked again");
}
