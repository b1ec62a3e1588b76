//! Programs that are not written here: Caddy and Prometheus of Debian, which `scripts/setup.sh test` unpacks
//! below `.tools`, and Python with its packages.

use serde_json::Value;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The root of this repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// The path of a file of this repository.
pub fn repository(path: &str) -> PathBuf {
    root().join(path)
}

/// The text of a file of this repository.
pub fn text_of(path: &str) -> String {
    std::fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A program that was unpacked: `caddy`, `promtool`.
pub fn unpacked(name: &str) -> PathBuf {
    installed(&format!(".tools/debian/usr/bin/{name}"))
}

/// pgbouncer, with the folder of the libraries that it needs.
pub fn pgbouncer() -> (PathBuf, PathBuf) {
    let libraries = std::fs::read_dir(installed(".tools/debian/usr/lib")).unwrap();
    let of_machine = libraries.map(|found| found.unwrap().path()).find(|path| path.join("libcares.so.2").exists());
    (installed(".tools/debian/usr/sbin/pgbouncer"), of_machine.expect("its libraries"))
}

/// A program of the Python packages of the tests.
pub fn of_python(name: &str) -> PathBuf {
    installed(&format!(".tools/python/bin/{name}"))
}

fn installed(path: &str) -> PathBuf {
    let program = repository(path);
    assert!(program.exists(), "{path} is missing: run scripts/setup.sh test");
    program
}

/// Runs a program to its end.
pub fn run(program: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}

/// What a finished program has printed, which must have ended well.
#[track_caller]
pub fn printed(output: Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// A YAML file as JSON, with its anchors resolved.
pub fn yaml(path: &Path) -> Value {
    let script = "import json, sys, ruamel.yaml; json.dump(ruamel.yaml.YAML(typ='safe').load(open(sys.argv[1])), sys.stdout)";
    let json = printed(run(&of_python("python"), [OsStr::new("-c"), OsStr::new(script), path.as_os_str()]));
    serde_json::from_str(&json).unwrap()
}
