//! Which history of the database something belongs to: `timelines`.
//!
//! ```text
//! a standby is promoted -> the first process that LISTENs on it adds a row -> look-ups of tokens answer its id -> what is read and cached belongs to that id
//! ```
//!
//! The numbers of a space (`space_counters`) say how far it has come in one history only. A standby that is
//! promoted without the last writes comes to the same numbers again with other content.

use crate::connect::Timeline;
use uuid::Uuid;

/// A row of `timelines`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimelineId(pub Uuid);

/// The statement that adds a timeline which has no row yet. It waits neither for a standby nor for a lock:
/// without the row no replica is read and nothing kept in memory, and no more.
pub(crate) fn addition(timeline: Timeline) -> String {
    let Timeline { cluster, number } = timeline;
    format!(
        "do $$ begin
             if not exists (select from timelines where cluster = {cluster} and number = {number}) then
                 perform set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '200ms', true);
                 insert into timelines (cluster, number) values ({cluster}, {number}) on conflict do nothing;
             end if;
         end $$"
    )
}
