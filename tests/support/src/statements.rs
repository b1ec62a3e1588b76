//! Writes down every statement that the tests prepare, and where in the storage crate it comes from, for `distribution/statements.rs`.
//!
//! Only with `LECTERN_STATEMENTS`, the folder for it, which `make test` sets: finding the place takes some milliseconds for each new text.

use serde_json::json;
use std::{
    backtrace::Backtrace,
    collections::HashSet,
    fs::{self, File},
    io::Write,
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
        log::set_logger(&Prepared).unwrap();
        log::set_max_level(log::LevelFilter::Debug);
    }
}

/// The driver logs each statement before it sends it, on the stack of the function that asked for it.
struct Prepared;

impl log::Log for Prepared {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target() == "tokio_postgres::prepare"
    }

    fn log(&self, record: &log::Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let line = record.args().to_string();
        let statement = line.strip_prefix("preparing query ").and_then(|line| line.split_once(": "));
        let mut recorder = RECORDER.get().unwrap().lock().unwrap();
        if let Some((_, statement)) = statement
            && recorder.seen.insert(statement.to_owned())
        {
            let backtrace = Backtrace::force_capture().to_string();
            let place = place_in_storage(&backtrace);
            let line = format!("{}\n", json!({ "place": place, "statement": statement }));
            recorder.file.write_all(line.as_bytes()).unwrap();
        }
    }

    fn flush(&self) {}
}

/// The innermost place in the storage crate that is not the executor itself; none for a statement of a test's own.
fn place_in_storage(backtrace: &str) -> Option<(&str, u32)> {
    let places = backtrace.lines().filter_map(|line| line.trim_start().strip_prefix("at ")?.split_once("crates/storage/src/"));
    let (file, rest) = places.map(|(_, place)| place).find(|place| !place.starts_with("store"))?.split_once(':')?;
    Some((file, rest.split(':').next()?.parse().ok()?))
}

#[test]
fn a_statement_is_of_the_innermost_place_in_storage() {
    let backtrace = "   3: {async_fn#0}
             at ./crates/storage/src/store/connection.rs:90:30
   4: {async_fn#0}<storage::store::connection::Connection>
             at ./crates/storage/src/content/spaces.rs:31:30
   5: storage::content::spaces::list::{{closure}}
             at ./crates/storage/src/content/spaces.rs:12:9";
    assert_eq!(place_in_storage(backtrace), Some(("content/spaces.rs", 31)));
    assert_eq!(place_in_storage("   4: {async_fn#0}\n             at ./tests/it/stories/list.rs:40:5"), None);
}
