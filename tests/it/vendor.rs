//! The client of the hosted service's API, against the stand-in: every list, every way to fail, and the pace.

mod failures;
mod lists;
mod pace;
mod secure;

use egress::{
    tls,
    vendor::{Lines, Origins, Vendor},
};
use std::path::{Path, PathBuf};
use vendor_stand_in::{Options, StandIn, TOKEN};

/// A space of our own, with every kind of thing in it.
fn sample_space() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/support/vendor/sample_space")
}

/// The example spaces; none in a plain clone.
fn examples() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/spaces");
    #[expect(clippy::disallowed_methods, reason = "whether this runs where nothing may be left out")]
    let must_be_there = std::env::var_os("CI").is_some();
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(!must_be_there, "{} is missing", folder.display());
        return Vec::new();
    };
    let mut spaces: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|entry| entry.join("space.json").exists()).collect();
    spaces.sort();
    assert!(spaces.len() >= 5, "{spaces:?}");
    spaces
}

async fn stand_in() -> StandIn {
    StandIn::start(Options::of([sample_space()])).await
}

fn client(stand_in: &StandIn, token: &str, space: i64) -> Vendor {
    let lines = Lines::new(tls::system_roots(), None).unwrap();
    let origins = Origins { management: stand_in.origin(), delivery: stand_in.origin() };
    Vendor::new(lines, origins, token.into(), space)
}

/// The number that a folder gives its space.
fn number(folder: &Path) -> i64 {
    let space: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(folder.join("space.json")).unwrap()).unwrap();
    space.get("space").unwrap_or(&space)["id"].as_i64().unwrap()
}

/// A client with the right token for our own space.
fn reader(stand_in: &StandIn) -> Vendor {
    client(stand_in, TOKEN, number(&sample_space()))
}
