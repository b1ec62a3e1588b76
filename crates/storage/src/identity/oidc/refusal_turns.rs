//! The turns of entries about refused requests: the table `refusal_turns`, with a row for each entry that may
//! be written in a minute.

use crate::{Executor, Result, Tx};

/// Takes a turn, for as long as a minute. `false` when all are taken: whatever the number of processes and of
/// requests at the same time, no minute has more entries than there are turns. The time is that of the
/// database.
pub async fn take(tx: &Tx<'_>) -> Result<bool> {
    let taken = tx
        .execute(
            "update refusal_turns set taken_at = statement_timestamp()
             where number = (
                 select number from refusal_turns where taken_at <= statement_timestamp() - interval '1 minute'
                 limit 1 for update skip locked
             )",
            &[],
        )
        .await?;
    Ok(taken == 1)
}
