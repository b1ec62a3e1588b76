//! The mapping from the source's ids to ours: table `import_ids`.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::import::{Fingerprint, IdMapping, IdMappings, Kind, Outcome, SourceId, record},
    shared::{ImportId, SpaceId},
};

/// All mappings from a source. Outcomes are those of `import` only.
pub async fn list(
    executor: &impl Executor,
    space: SpaceId,
    source: SourceId<record::Space>,
    import: ImportId,
) -> Result<IdMappings> {
    let rows = executor
        .rows(
            "select kind, source_id, id, fingerprint, case when import_id = $3 then outcome end as outcome
             from import_ids where space_id = $1 and source_space_id = $2",
            &[/* space_id */ &space, /* source_space_id */ &source, /* import_id */ &import],
        )
        .await?;
    let mut all = IdMappings::default();
    for r in &rows {
        let fingerprint: Option<Vec<u8>> = row::get(r, "fingerprint")?;
        let outcome: Option<&str> = row::get(r, "outcome")?;
        let mapping = IdMapping {
            id: row::get(r, "id")?,
            fingerprint: fingerprint.and_then(|r| r.try_into().ok()),
            outcome: outcome.and_then(Outcome::of),
        };
        all.insert_row(row::parsed(r, "kind", Kind::of)?, row::get(r, "source_id")?, mapping);
    }
    Ok(all)
}

/// Inserts or updates mappings together with their outcomes in an import.
pub async fn upsert(
    tx: &Tx<'_>,
    space: SpaceId,
    source: SourceId<record::Space>,
    import: ImportId,
    all: &IdMappings,
) -> Result<()> {
    let fingerprint = |fingerprint: Fingerprint| fingerprint.to_vec();
    tx.execute(
        "insert into import_ids (space_id, source_space_id, import_id, kind, source_id, id, fingerprint, outcome)
         select $1, $2, $3, * from unnest($4::text[], $5::bigint[], $6::bigint[], $7::bytea[], $8::text[])
         on conflict (space_id, source_space_id, kind, source_id)
         do update set id = excluded.id, fingerprint = excluded.fingerprint, import_id = excluded.import_id, outcome = excluded.outcome",
        &[
            /* space_id */ &space,
            /* source_space_id */ &source,
            /* import_id */ &import,
            /* kind */ &all.rows().map(|(kind, ..)| kind.name()).collect::<Vec<_>>(),
            /* source_id */ &all.rows().map(|(_, source_id, _)| source_id).collect::<Vec<_>>(),
            /* id */ &all.rows().map(|(.., mapping)| mapping.id).collect::<Vec<_>>(),
            /* fingerprint */ &all.rows().map(|(.., mapping)| mapping.fingerprint.map(fingerprint)).collect::<Vec<_>>(),
            /* outcome */ &all.rows().map(|(.., mapping)| mapping.outcome.map(Outcome::name)).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}

/// Counts the records that an import created or changed, by kind and outcome. After a crash this may be more
/// than its report says.
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
