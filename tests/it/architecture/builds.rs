//! What `make run` has compiled, the tests and checks use as it is: a dependency with other features or
//! another profile would be compiled a second time.

use super::assert_none;
use std::process::Command;
use support::{
    prelude::*,
    tools::{printed, root},
};

/// What cargo would compile for a command. The list is unstable, hence the variable: nothing is compiled by
/// it.
#[expect(clippy::disallowed_methods, reason = "the toolchain is not part of the configuration")]
fn units(arguments: &[&str]) -> Vec<Unit> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    let list = ["--release", "--locked", "--offline", "--unit-graph", "-Z", "unstable-options"];
    let output = cargo.args(arguments).args(list).env("RUSTC_BOOTSTRAP", "1").current_dir(root()).output();
    let graph: Value = serde_json::from_str(&printed(output.unwrap())).unwrap();
    graph["units"].as_array().unwrap().iter().map(Unit::of).collect()
}

/// One call of the compiler.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
struct Unit {
    /// Its package and target.
    name: String,
    /// What is done with it, and everything else that decides whether the result can be used again.
    how: String,
    is_ours: bool,
    /// Whether code is made of it. What is only checked is another thing, of which nothing can be shared with
    /// a build.
    is_built: bool,
}

impl Unit {
    fn of(unit: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let package = text(&unit["pkg_id"]);
        Self {
            is_built: unit["mode"] == "build" || unit["mode"] == "run-custom-build",
            name: format!("{package} {} {}", unit["target"]["kind"], text(&unit["target"]["name"])),
            how: format!("{} {} {} {}", unit["mode"], unit["platform"], unit["profile"], unit["features"]),
            is_ours: package.starts_with("path+"),
        }
    }
}

/// What one command compiles of dependencies although another has compiled the same in another way.
fn compiled_twice(first: &[Unit], then: &[Unit]) -> Vec<String> {
    let names: BTreeSet<&str> = first.iter().map(|unit| unit.name.as_str()).collect();
    let known: BTreeSet<&Unit> = first.iter().collect();
    let others =
        then.iter().filter(|unit| unit.is_built && !unit.is_ours && names.contains(unit.name.as_str()) && !known.contains(unit));
    let all: BTreeSet<&Unit> = others.collect();
    all.into_iter().map(|unit| format!("{} is compiled once more: {}", unit.name, unit.how)).collect()
}

const BUILD: &[&str] = &["build", "--bin", "lectern"];

#[test]
fn the_tests_are_linked_with_what_make_run_has_compiled() {
    let built = units(BUILD);
    let tested = units(&["test", "-p", "lectern-tests"]);
    assert!(built.len() > 400, "{}", built.len());
    assert_none(compiled_twice(&built, &tested));
    // Our own crates, too: they are compiled for the server, and the tests are linked with the same.
    let missing: Vec<_> = built.iter().filter(|unit| !unit.name.contains("[\"bin\"]") && !tested.contains(unit)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// One crate after the other, as in scripts/test.py. One that needs no other of ours and one that needs most
/// of them stand for all.
#[test]
fn unit_tests_compile_nothing_but_their_own_crate() {
    let built = units(BUILD);
    for package in ["lectern-domain", "lectern-routes"] {
        let own = format!("profile.release.package.{package}.opt-level=0");
        let tested = units(&["test", "--config", &own, "-p", "lectern-tests", "-p", package, "--lib"]);
        assert_none(compiled_twice(&built, &tested));
        let others = tested.iter().filter(|unit| unit.is_ours && unit.is_built && !built.contains(unit));
        assert_none(others.map(|unit| format!("{} is compiled for the tests of {package}", unit.name)).collect());
    }
}

#[test]
fn unit_tests_quick_builds_and_checks_share_all_dependencies() {
    let built = units(BUILD);
    for command in [
        &["test", "--config", ".cargo/quick.toml", "--workspace", "--lib", "--bins"][..],
        &["test", "--config", ".cargo/quick.toml", "-p", "lectern-tests", "--test", "it"],
        // The macros and build scripts of `make check`.
        &["check", "--workspace", "--all-targets"],
        &[
            "build",
            "--config",
            ".cargo/quick.toml",
            "--bins",
            "-p",
            "lectern",
            "-p",
            "lectern-vendor-stand-in",
            "-p",
            "lectern-load",
        ],
        &["build", "--bins", "-p", "lectern", "-p", "lectern-vendor-stand-in", "-p", "lectern-load"],
    ] {
        let violations = compiled_twice(&built, &units(command));
        assert!(violations.is_empty(), "{command:?}\n{}", violations.join("\n"));
    }
}

#[test]
fn another_feature_or_profile_is_found() {
    let unit = |how: &str| Unit { name: "tokio".into(), how: how.into(), is_ours: false, is_built: true };
    assert_eq!(compiled_twice(&[unit("a")], &[unit("a"), unit("a"), unit("b")]), ["tokio is compiled once more: b"]);
    let ours = Unit { is_ours: true, ..unit("b") };
    let new = Unit { name: "proptest".into(), ..unit("a") };
    assert!(compiled_twice(&[unit("a")], &[ours, new]).is_empty(), "our own crates may be, and what only the tests need is new");
}
