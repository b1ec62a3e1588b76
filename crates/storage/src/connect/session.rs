//! The settings of a session.
//!
//! They are set by a statement right after connecting and not as start-up options, which poolers refuse or
//! leave out silently. A pooler that gives each transaction another session of PostgreSQL is refused at the
//! start: settings, prepared statements, LISTEN and locks of sessions do not survive it.

use std::sync::LazyLock;
use tokio_postgres::{SimpleQueryMessage, SimpleQueryRow};

/// What every session of the pool has. A statement that takes longer than these limits is a defect, and ends
/// within two seconds of the process that sent it. JIT compilation is off, because it takes longer than any
/// statement here. Each statement has one plan for all values (`force_generic_plan`): statements are written
/// so that one plan is good for all, and planning takes longer than running most of them. Random reads cost
/// about as much as sequential ones on solid-state disks. Times are in milliseconds.
pub(super) const SETTINGS: [(&str, &str); 8] = [
    ("statement_timeout", "30000"),
    ("idle_in_transaction_session_timeout", "10000"),
    ("lock_timeout", "5000"),
    ("client_connection_check_interval", "2000"),
    ("timezone", "UTC"),
    ("jit", "off"),
    ("random_page_cost", "1.1"),
    ("plan_cache_mode", "force_generic_plan"),
];

/// Whose limits and habits a session has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Session {
    /// Those of the pool.
    Limited,
    /// Those of the pool, and nothing can be written.
    ReadOnly,
    /// PostgreSQL's own: for migrations, which may take long, and for LISTEN.
    Plain,
}

/// Asks whether the session can write nothing, and on which timeline a primary writes.
const ROLE_AND_TIMELINE: &str =
    "select current_setting('transaction_read_only'), (select system_identifier from pg_control_system()),
    case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end";

/// A timeline of PostgreSQL's log. A primary writes on one for as long as a connection lasts; a standby that
/// is promoted begins one with a higher number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeline {
    /// The identifier of the cluster, which its physical replicas have too.
    pub cluster: i64,
    /// Its number in the cluster.
    pub number: i32,
}

/// The statements that begin a session. Their only row answers [`ROLE_AND_TIMELINE`].
pub(super) fn beginning(session: Session) -> &'static str {
    static LIMITED: LazyLock<String> = LazyLock::new(|| {
        let set: String = SETTINGS.iter().flat_map(|(name, value)| ["set ", name, " = '", value, "'; "]).collect();
        set + ROLE_AND_TIMELINE
    });
    static READING: LazyLock<String> = LazyLock::new(|| "set default_transaction_read_only = on; ".to_owned() + &LIMITED);
    match session {
        Session::Limited => &LIMITED,
        Session::ReadOnly => &READING,
        Session::Plain => ROLE_AND_TIMELINE,
    }
}

/// Whether the answer to [`beginning`], or to `show transaction_read_only`, says that nothing can be written.
pub(crate) fn is_read_only(answer: &[SimpleQueryMessage]) -> bool {
    value(answer) == Some("on")
}

/// The timeline in the answer to [`beginning`]; `None` on a standby.
pub(super) fn timeline(answer: &[SimpleQueryMessage]) -> Option<Timeline> {
    let row = rows(answer).next()?;
    Some(Timeline { cluster: row.get(1)?.parse().ok()?, number: row.get(2)?.parse().ok()? })
}

/// The first value of the first row.
pub(super) fn value(answer: &[SimpleQueryMessage]) -> Option<&str> {
    rows(answer).next()?.get(0)
}

pub(super) fn rows(answer: &[SimpleQueryMessage]) -> impl Iterator<Item = &SimpleQueryRow> {
    answer.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    })
}
