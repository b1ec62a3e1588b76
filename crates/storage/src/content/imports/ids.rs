//! What the source's records are here: `import_ids`.

use crate::{Query, Result, Tx, row};
use domain::{content::import::Kind, shared::SpaceId};

/// A record of the source, and what it is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Its number here.
    pub id: i64,
    /// The fingerprint of what was stored; `None` when the number is only reserved.
    pub fingerprint: Option<[u8; 16]>,
}

/// Everything of one kind that is known of a source.
pub async fn list(query: &impl Query, space: SpaceId, source: i64, kind: Kind) -> Result<Vec<(i64, Known)>> {
    let rows = query
        .rows(
            "select source_id, id, fingerprint from import_ids where space_id = $1 and source_space_id = $2 and kind = $3",
            &[/* space_id */ &space.0, /* source_space_id */ &source, /* kind */ &kind.name()],
        )
        .await?;
    rows.iter()
        .map(|it| {
            let fingerprint: Option<Vec<u8>> = row::get(it, "fingerprint")?;
            let known = Known { id: row::get(it, "id")?, fingerprint: fingerprint.and_then(|it| it.try_into().ok()) };
            Ok((row::get(it, "source_id")?, known))
        })
        .collect()
}

/// Remembers what records are here.
pub async fn put(tx: &Tx<'_>, space: SpaceId, source: i64, kind: Kind, all: &[(i64, Known)]) -> Result<()> {
    tx.execute(
        "insert into import_ids (space_id, source_space_id, kind, source_id, id, fingerprint)
         select $1, $2, $3, * from unnest($4::bigint[], $5::bigint[], $6::bytea[])
         on conflict (space_id, source_space_id, kind, source_id)
         do update set id = excluded.id, fingerprint = excluded.fingerprint",
        &[
            /* space_id */ &space.0,
            /* source_space_id */ &source,
            /* kind */ &kind.name(),
            /* source_id */ &all.iter().map(|(source, _)| *source).collect::<Vec<_>>(),
            /* id */ &all.iter().map(|(_, known)| known.id).collect::<Vec<_>>(),
            /* fingerprint */
            &all.iter().map(|(_, known)| known.fingerprint.map(|it| it.to_vec())).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}
