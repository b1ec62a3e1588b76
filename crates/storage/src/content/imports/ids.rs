//! The mapping from the source's ids to ours: table `import_ids`.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::import::{Fingerprint, Kind, Outcome},
    shared::{ImportId, SpaceId},
};

/// What is mapping here about a record of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdMapping {
    pub id: i64,
    /// The fingerprint of what was stored; `None` if the id is only reserved.
    pub fingerprint: Option<Fingerprint>,
    /// Its outcome in the current import, if that import processed it before a crash.
    pub outcome: Option<Outcome>,
}

impl IdMapping {
    /// A mapping whose id is only reserved.
    pub fn reserved(id: i64) -> Self {
        Self { id, fingerprint: None, outcome: None }
    }
}

/// Lists the mappings of one kind from a source: source id and mapping. Outcomes are those of `import` only.
pub async fn list(
    executor: &impl Executor,
    space: SpaceId,
    source: i64,
    kind: Kind,
    import: ImportId,
) -> Result<Vec<(i64, IdMapping)>> {
    let rows = executor
        .rows(
            "select source_id, id, fingerprint, case when import_id = $4 then outcome end as outcome
             from import_ids where space_id = $1 and source_space_id = $2 and kind = $3",
            &[
                /* space_id */ &space,
                /* source_space_id */ &source,
                /* kind */ &kind.name(),
                /* import_id */ &import,
            ],
        )
        .await?;
    rows.iter()
        .map(|r| {
            let fingerprint: Option<Vec<u8>> = row::get(r, "fingerprint")?;
            let outcome: Option<&str> = row::get(r, "outcome")?;
            let mapping = IdMapping {
                id: row::get(r, "id")?,
                fingerprint: fingerprint.and_then(|r| r.try_into().ok()),
                outcome: outcome.and_then(Outcome::of),
            };
            Ok((row::get(r, "source_id")?, mapping))
        })
        .collect()
}

/// Inserts or updates mappings together with their outcomes in an import.
pub async fn upsert(
    tx: &Tx<'_>,
    space: SpaceId,
    source: i64,
    (import, kind): (ImportId, Kind),
    all: &[(i64, IdMapping)],
) -> Result<()> {
    tx.execute(
        "insert into import_ids (space_id, source_space_id, kind, import_id, source_id, id, fingerprint, outcome)
         select $1, $2, $3, $4, * from unnest($5::bigint[], $6::bigint[], $7::bytea[], $8::text[])
         on conflict (space_id, source_space_id, kind, source_id)
         do update set id = excluded.id, fingerprint = excluded.fingerprint, import_id = excluded.import_id, outcome = excluded.outcome",
        &[
            /* space_id */ &space,
            /* source_space_id */ &source,
            /* kind */ &kind.name(),
            /* import_id */ &import,
            /* source_id */ &all.iter().map(|(source, _)| *source).collect::<Vec<_>>(),
            /* id */ &all.iter().map(|(_, mapping)| mapping.id).collect::<Vec<_>>(),
            /* fingerprint */
            &all.iter().map(|(_, mapping)| mapping.fingerprint.map(|fingerprint| fingerprint.to_vec())).collect::<Vec<_>>(),
            /* outcome */ &all.iter().map(|(_, mapping)| mapping.outcome.map(Outcome::name)).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}

/// Counts the records that an import created or changed, by kind and outcome. After a crash this may be more than its report says.
pub async fn count_written(executor: &impl Executor, space: SpaceId, import: ImportId) -> Result<Vec<(Kind, Outcome, u64)>> {
    let rows = executor
        .rows(
            "select case when ids.kind = 'story' and story.is_folder then 'folder' else ids.kind end as kind, ids.outcome, count(*) as count
             from import_ids ids left join stories story on ids.kind = 'story' and story.space_id = $1 and story.id = ids.id
             where ids.space_id = $1 and ids.import_id = $2 and ids.outcome in ('created', 'updated') group by 1, 2",
            &[/* space_id */ &space, /* import_id */ &import],
        )
        .await?;
    rows.iter()
        .map(|r| {
            let count: i64 = row::get(r, "count")?;
            let (kind, outcome) = (row::parsed(r, "kind", Kind::of)?, row::parsed(r, "outcome", Outcome::of)?);
            Ok((kind, outcome, count.unsigned_abs()))
        })
        .collect()
}
