//! The log of PostgreSQL: a file that every start appends to, and the line in it that says why PostgreSQL
//! ended.

use anyhow::{Context, Result};
use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Seek, SeekFrom},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// A start renames a log that is longer than this many bytes to `postgres.log.1`, in the place of the one
/// before.
const MAX_BYTES: u64 = 8 << 20;
/// How many bytes are searched for the reason, from the end.
const TAIL: u64 = 64 << 10;
/// What PostgreSQL refuses single connections with. None of it is the reason of an end.
const ABOUT_CONNECTIONS: [&str; 6] =
    ["the database system is ", "terminating ", "sorry, ", "remaining connection slots ", "database ", "role "];

/// The log.
pub(super) struct ServerLog {
    path: PathBuf,
    /// The size of the file when PostgreSQL was started: what is before is of earlier starts.
    start: u64,
}

impl ServerLog {
    /// The log in a data directory.
    pub(super) fn new(data: &Path) -> Self {
        Self { path: data.join("postgres.log"), start: 0 }
    }

    /// The path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens it for a start of PostgreSQL.
    pub(super) fn open(&mut self) -> Result<File> {
        let context = || format!("opening {}", self.path.display());
        if fs::metadata(&self.path).is_ok_and(|meta| meta.len() > MAX_BYTES) {
            fs::rename(&self.path, self.path.with_extension("log.1")).with_context(context)?;
        }
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&self.path).with_context(context)?;
        self.start = file.metadata().with_context(context)?.len();
        Ok(file)
    }

    /// Why PostgreSQL ended, as far as it said so since its last start.
    pub(super) fn reason(&self) -> String {
        let text = self.tail().unwrap_or_default();
        reason(&text).unwrap_or("it has said nothing").to_owned()
    }

    /// The end of what it has written since its last start.
    fn tail(&self) -> Option<String> {
        let mut file = File::open(&self.path).ok()?;
        let from = self.start.max(file.metadata().ok()?.len().saturating_sub(TAIL));
        file.seek(SeekFrom::Start(from)).ok()?;
        let mut bytes = Vec::new();
        file.take(TAIL).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The last line at the level FATAL or PANIC that is not about a single connection, without time and process;
/// else the last line.
fn reason(log: &str) -> Option<&str> {
    log.lines().rev().find_map(fatal_message).or_else(|| log.lines().next_back())
}

fn fatal_message(line: &str) -> Option<&str> {
    let (at, level) = ["PANIC:  ", "FATAL:  "].iter().find_map(|level| Some((line.find(level)?, level)))?;
    let message = line.get(at + level.len()..)?;
    if ABOUT_CONNECTIONS.iter().any(|beginning| message.starts_with(beginning)) { None } else { line.get(at..) }
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn the_reason_is_the_last_line_that_ended_more_than_a_connection() {
        let full = "2026-11-22 16:49:30.123 UTC [71] PANIC:  could not write to file \"pg_wal/xlogtemp.71\": No space left on device\n\
                    2026-11-22 16:49:30.223 UTC [60] LOG:  startup process (PID 71) was terminated by signal 6: Aborted\n\
                    2026-11-22 16:49:30.323 UTC [72] FATAL:  the database system is in recovery mode\n\
                    2026-11-22 16:49:30.423 UTC [60] LOG:  database system is shut down\n";
        assert_eq!(reason(full), Some("PANIC:  could not write to file \"pg_wal/xlogtemp.71\": No space left on device"));
        let wrong = "2026-11-22 16:49:30.123 UTC [71] LOG:  invalid value for parameter \"shared_buffers\": \"nonsense\"\n\
                     2026-11-22 16:49:30.123 UTC [71] FATAL:  configuration file \"postgresql.auto.conf\" contains errors\n";
        assert_eq!(reason(wrong), Some("FATAL:  configuration file \"postgresql.auto.conf\" contains errors"));
    }

    #[test]
    fn without_such_a_line_it_is_the_last_one() {
        assert_eq!(
            reason("one\n2026-11-22 UTC [7] LOG:  database system is ready\n"),
            Some("2026-11-22 UTC [7] LOG:  database system is ready")
        );
        assert_eq!(reason(""), None);
    }
}
