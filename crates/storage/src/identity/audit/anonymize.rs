//! Emptying the personal columns of entries about people who are gone.

use crate::{Executor, Result, Tx, row};

/// What a batch came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnonymizedBatch {
    /// The id of the last entry that was looked at; `None` behind the last one.
    pub last: Option<i64>,
    /// How many entries had personal data.
    pub anonymized: i64,
}

/// Looks at the next entries behind an id, at most `limit`, and empties address, browser and details of those
/// whose account, or whose actor, is gone.
pub async fn anonymize_batch(tx: &Tx<'_>, after: i64, limit: i64) -> Result<AnonymizedBatch> {
    let batch = tx
        .row(
            "with entries as materialized (
                 select id, user_id, case when actor_type in ('user', 'admin') then actor_id::uuid end as actor,
                        ip is not null or user_agent is not null or details <> '{}' as is_personal
                 from account_audit where id > $1 order by id limit $2
             ), gone as materialized (
                 select id from entries
                 where is_personal and (
                     user_id is not null and not exists (select from users where users.id = user_id)
                     or actor is not null and not exists (select from users where users.id = actor)
                 )
             ), emptied as (
                 update account_audit set ip = null, user_agent = null, details = '{}' where id in (select id from gone) returning id
             )
             select (select max(id) from entries) as last, (select count(*) from emptied) as anonymized",
            &[/* after */ &after, /* limit */ &limit],
        )
        .await?;
    Ok(AnonymizedBatch { last: row::get(&batch, "last")?, anonymized: row::get(&batch, "anonymized")? })
}
