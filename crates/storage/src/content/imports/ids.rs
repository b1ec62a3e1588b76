//! What the source's records are here: `import_ids`.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::import::{Kind, Outcome},
    shared::{ImportId, SpaceId},
};

/// A record of the source, and what it is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Its number here.
    pub id: i64,
    /// The fingerprint of what was stored; `None` when the number is only reserved.
    pub fingerprint: Option<[u8; 16]>,
    /// What the import at hand did with it before it was cut off.
    pub done: Option<Outcome>,
}

impl Known {
    /// One that only has a number.
    pub fn reserved(id: i64) -> Self {
        Self { id, fingerprint: None, done: None }
    }
}

/// Everything of one kind that is known of a source, for an import.
pub async fn list(query: &impl Executor, space: SpaceId, source: i64, kind: Kind, import: ImportId) -> Result<Vec<(i64, Known)>> {
    let rows = query
        .rows(
            "select source_id, id, fingerprint, case when import_id = $4 then outcome end as outcome
             from import_ids where space_id = $1 and source_space_id = $2 and kind = $3",
            &[
                /* space_id */ &space.0,
                /* source_space_id */ &source,
                /* kind */ &kind.name(),
                /* import_id */ &import.0,
            ],
        )
        .await?;
    rows.iter()
        .map(|r| {
            let fingerprint: Option<Vec<u8>> = row::get(r, "fingerprint")?;
            let outcome: Option<&str> = row::get(r, "outcome")?;
            let known = Known {
                id: row::get(r, "id")?,
                fingerprint: fingerprint.and_then(|r| r.try_into().ok()),
                done: outcome.and_then(Outcome::of),
            };
            Ok((row::get(r, "source_id")?, known))
        })
        .collect()
}

/// Remembers what records are here, and what an import did with them.
pub async fn put(tx: &Tx<'_>, space: SpaceId, source: i64, (import, kind): (ImportId, Kind), all: &[(i64, Known)]) -> Result<()> {
    tx.execute(
        "insert into import_ids (space_id, source_space_id, kind, import_id, source_id, id, fingerprint, outcome)
         select $1, $2, $3, $4, * from unnest($5::bigint[], $6::bigint[], $7::bytea[], $8::text[])
         on conflict (space_id, source_space_id, kind, source_id)
         do update set id = excluded.id, fingerprint = excluded.fingerprint, import_id = excluded.import_id, outcome = excluded.outcome",
        &[
            /* space_id */ &space.0,
            /* source_space_id */ &source,
            /* kind */ &kind.name(),
            /* import_id */ &import.0,
            /* source_id */ &all.iter().map(|(source, _)| *source).collect::<Vec<_>>(),
            /* id */ &all.iter().map(|(_, known)| known.id).collect::<Vec<_>>(),
            /* fingerprint */
            &all.iter().map(|(_, known)| known.fingerprint.map(|fingerprint| fingerprint.to_vec())).collect::<Vec<_>>(),
            /* outcome */ &all.iter().map(|(_, known)| known.done.map(Outcome::name)).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}

/// How many records of each kind an import made or changed: what is written, whether its report came to count it or not.
pub async fn written(query: &impl Executor, space: SpaceId, import: ImportId) -> Result<Vec<(Kind, Outcome, u64)>> {
    let rows = query
        .rows(
            "select case when it.kind = 'story' and story.is_folder then 'folder' else it.kind end as what, it.outcome, count(*) as count
             from import_ids it left join stories story on it.kind = 'story' and story.space_id = it.space_id and story.id = it.id
             where it.space_id = $1 and it.import_id = $2 and it.outcome in ('created', 'updated') group by 1, 2",
            &[/* space_id */ &space.0, /* import_id */ &import.0],
        )
        .await?;
    rows.iter()
        .map(|r| {
            let count: i64 = row::get(r, "count")?;
            let (kind, outcome) = (row::parsed(r, "what", Kind::of)?, row::parsed(r, "outcome", Outcome::of)?);
            Ok((kind, outcome, count.unsigned_abs()))
        })
        .collect()
}
