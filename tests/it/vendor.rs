//! The client of Storyblok's API, against the stand-in: every list, every failure, and the rate of requests.

mod failures;
mod lists;
mod pace;
mod secure;

use egress::{
    tls,
    vendor::{HttpPool, ImportMemory, Origins, Record, Vendor},
};
use support::{
    prelude::*,
    spaces::{example_spaces, sample_space},
};
use vendor_stand_in::{Options, StandIn, TOKEN};

/// What a client of a test may hold.
const MEMORY: usize = 64 * 1024 * 1024;

async fn stand_in() -> StandIn {
    StandIn::start(Options::of([sample_space()])).await
}

fn client(stand_in: &StandIn, token: &str, space: i64) -> Vendor {
    let pool = HttpPool::new(tls::system_roots(), None).unwrap();
    let origins = Origins { management: stand_in.origin(), delivery: stand_in.origin() };
    Vendor::new(pool, origins, token.into(), space, ImportMemory::new(MEMORY))
}

/// The records as values.
fn values(records: Vec<Record>) -> Vec<Value> {
    records.iter().map(|record| serde_json::from_str(record.text()).unwrap()).collect()
}

/// The id of the space in a folder.
fn number(folder: &Path) -> i64 {
    let space: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(folder.join("space.json")).unwrap()).unwrap();
    space.get("space").unwrap_or(&space)["id"].as_i64().unwrap()
}

/// A client with the right token for the sample space.
fn reader(stand_in: &StandIn) -> Vendor {
    client(stand_in, TOKEN, number(&sample_space()))
}
