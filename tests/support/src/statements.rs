//! Writes down every statement that the tests run, and where in the storage crate it stands, for
//! `distribution/statements.rs`.
//!
//! Only with `LECTERN_STATEMENTS`, the folder for it, which `make test` sets.

use serde_json::json;
use std::{
    collections::HashSet,
    fs::{self, File},
    io::Write,
    panic::Location,
    path::Path,
    sync::{Mutex, OnceLock},
};

struct Recorder {
    file: File,
    seen: HashSet<String>,
}

static RECORDER: OnceLock<Mutex<Recorder>> = OnceLock::new();

/// Begins to write, to a file of this process.
#[expect(clippy::disallowed_methods, reason = "tests have no configuration but this")]
pub(crate) fn record() {
    let Some(folder) = std::env::var_os("LECTERN_STATEMENTS") else { return };
    fs::create_dir_all(&folder).unwrap();
    let file = File::create(Path::new(&folder).join(format!("{}.jsonl", std::process::id()))).unwrap();
    if RECORDER.set(Mutex::new(Recorder { file, seen: HashSet::new() })).is_ok() {
        storage::store::listen_to_statements(write);
    }
}

/// Statements of the tests themselves, and what the executors pass on to one another, are left out.
fn write(place: &'static Location<'static>, statement: &str) {
    let Some(file) = place.file().strip_prefix("crates/storage/src/").filter(|file| !file.starts_with("store")) else { return };
    let mut recorder = RECORDER.get().unwrap().lock().unwrap();
    if recorder.seen.insert(statement.to_owned()) {
        let line = format!("{}\n", json!({ "place": [file, place.line()], "statement": statement }));
        recorder.file.write_all(line.as_bytes()).unwrap();
    }
}
