//! `ops/lectern.service`, by the tools of systemd.

use std::ffi::OsStr;
use support::{binary, prelude::*};

/// Tenths of a point, of a hundred. Of what is left most is the network, which a server needs.
const EXPOSURE: &str = "15";

#[test]
fn the_unit_is_valid_and_hardened() {
    let directory = scratch();
    let unit = directory.path().join("lectern.service");
    // The binary where it is here, and a user who exists here.
    let text = tools::text_of("ops/lectern.service").replace("/usr/local/bin/lectern", binary::lectern().to_str().unwrap());
    fs::write(&unit, text).unwrap();
    let analyze = |arguments: &[&str]| {
        let arguments = arguments.iter().map(OsStr::new).chain([unit.as_os_str()]);
        tools::run(Path::new("systemd-analyze"), arguments)
    };
    let verified = analyze(&["verify"]);
    let said = String::from_utf8_lossy(&verified.stderr).into_owned();
    assert_eq!(said, "", "{:?}", verified.status);
    tools::printed(verified);
    tools::printed(analyze(&["security", "--offline=true", "--no-pager", &format!("--threshold={EXPOSURE}")]));
}

#[test]
fn the_environment_of_the_unit_is_known_to_the_server() {
    let text = tools::text_of("ops/lectern.service");
    let line = text.lines().find_map(|line| line.strip_prefix("Environment=")).unwrap();
    let pairs = line.split(' ').map(|pair| pair.split_once('=').unwrap());
    let environment = lectern::config::Environment::of(pairs);
    assert_eq!(environment.unknown(), []);
    lectern::config::Config::read(&environment).map_err(|problems| problems.to_string()).unwrap();
}
