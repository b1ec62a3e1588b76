//! Datasources, identified by their slugs, because readers ask by them, and by their ids at the source.
//! Dimensions are identified by their codes.

use super::{
    Applied, ApplyContext, ChunkOutcome,
    record::{PreparedContent, PreparedRecord, report_unusable},
};
use crypto::digest;
use domain::{
    content::{
        datasource::{Datasource, DatasourceChange, DatasourceDraft},
        import::{Fingerprint, Imported, Kind, Outcome, Record, SourceId, record},
    },
    shared::{DatasourceId, DimensionId, Fault, FieldCode},
};
use serde_json::{Value, json};
use std::collections::HashSet;
use storage::{
    Result,
    content::{
        datasources::{self, Reference},
        imports::{entries::NameInDatasource, lookups},
    },
};

const KIND: Kind = Kind::Datasource;

/// A valid datasource of the source, matched with an existing one.
struct Matched<'a> {
    source: &'a record::Datasource,
    fingerprint: Fingerprint,
    /// The existing datasource that it updates; `None` for a new one.
    existing: Option<DatasourceId>,
    /// What to write; `None` if nothing changed.
    draft: Option<DatasourceDraft>,
}

pub(super) async fn apply(context: &ApplyContext<'_>, records: &[PreparedRecord], outcome: &mut ChunkOutcome) -> Result<()> {
    let mut existing = lookups::datasources(context.executor(), context.space()).await?;
    for created in &context.state.dry_run_created.datasources {
        existing.retain(|datasource| datasource.id != created.id);
        existing.push(created.clone());
    }
    let matched = match_existing(context, records, &existing, outcome).await?;
    let matched = reject_conflicts(matched, &existing, outcome);
    if let Some(ctx) = context.ctx() {
        // Datasources that exchange their names or slugs get temporary ones first.
        let conflicts = |old: &lookups::Datasource| {
            let takes_over =
                |new: &Matched<'_>| new.existing != Some(old.id) && (old.slug == new.source.slug || old.name == new.source.name);
            matched.iter().any(takes_over)
        };
        let in_the_way: Vec<_> = existing.iter().filter(|old| conflicts(old)).map(|old| old.id).collect();
        lookups::set_temporary_datasource_names(ctx.tx, ctx.space, &in_the_way).await?;
    }
    for Matched { source, fingerprint, existing, draft } in matched {
        let (done, id) = match (existing, draft, context.ctx()) {
            (Some(id), None, _) => (Outcome::Unchanged, id),
            (Some(id), Some(draft), ctx) => {
                if let Some(ctx) = ctx {
                    datasources::update(ctx.tx, ctx.space, id, &draft, ctx.now).await?;
                }
                (Outcome::Updated, id)
            }
            (None, Some(draft), Some(ctx)) => (Outcome::Created, datasources::insert(ctx.tx, ctx.space, &draft, ctx.now).await?.id),
            (None, _, _) => (Outcome::Created, outcome.next_fake_id()),
        };
        outcome.is_visible |= done != Outcome::Unchanged;
        outcome.record_outcome(context.state, (KIND, source.id), Applied { outcome: done, id, fingerprint });
        if context.ctx().is_none() {
            let created = &mut outcome.dry_run_created;
            created.datasources.push(lookups::Datasource { id, name: source.name.clone(), slug: source.slug.clone() });
            let code = |code: &String| NameInDatasource { datasource: id, name: code.clone() };
            let dimensions = source.dimensions.iter().map(|dimension| (code(&dimension.entry_value), DimensionId(0)));
            created.dimensions.extend(dimensions);
        }
    }
    Ok(())
}

/// Matches each datasource with the existing one that it updates, and rejects invalid ones.
async fn match_existing<'a>(
    context: &ApplyContext<'_>,
    records: &'a [PreparedRecord],
    existing: &[lookups::Datasource],
    outcome: &mut ChunkOutcome,
) -> Result<Vec<Matched<'a>>> {
    let by_source_id = |id: SourceId<record::Datasource>| {
        context.state.mapping(id).filter(|mapping| existing.iter().any(|other| other.id == mapping.id))
    };
    let mapped = records.iter().filter_map(|record| by_source_id(SourceId::of(record.id())));
    let mut claimed: HashSet<DatasourceId> = mapped.map(|mapping| mapping.id).collect();
    let mut matched = Vec::with_capacity(records.len());
    for record in records {
        let PreparedContent::Plain(Record::Datasource(source)) = &record.content else {
            report_unusable(KIND, &record.content, outcome);
            continue;
        };
        let dimensions =
            source.dimensions.iter().flat_map(|dimension| [dimension.name.as_bytes(), dimension.entry_value.as_bytes()]);
        let fingerprint = digest::of_parts([source.name.as_bytes(), source.slug.as_bytes()].into_iter().chain(dimensions));
        let mapping = by_source_id(source.id);
        let is_mapped = |datasource: &lookups::Datasource| mapping.is_some_and(|mapping| mapping.id == datasource.id);
        // The one with this slug, unless another record of the source is mapped to it; otherwise the mapped
        // one.
        let of_slug = existing.iter().find(|other| other.slug == source.slug);
        let found = of_slug.filter(|found| is_mapped(found) || claimed.insert(found.id));
        let found = found.or_else(|| existing.iter().find(|other| is_mapped(other)));
        let is_unchanged = |found: &&lookups::Datasource| {
            found.slug == source.slug && is_mapped(found) && mapping.is_some_and(|mapping| mapping.fingerprint == Some(fingerprint))
        };
        if let Some(found) = found.filter(is_unchanged) {
            matched.push(Matched { source, fingerprint, existing: Some(found.id), draft: None });
            continue;
        }
        let existing = found.map(|found| found.id);
        let old = match existing.filter(|id| id.0 > 0) {
            Some(id) => datasources::find(context.executor(), context.space(), &Reference::NumberOrSlug(id.to_string())).await?,
            None => None,
        };
        match change(source, old.as_ref()).and_then(|change| change.apply(old.as_ref())) {
            Ok(draft) => matched.push(Matched { source, fingerprint, existing, draft: Some(draft) }),
            Err(fault) => outcome.reject(source.subject(), &fault),
        }
    }
    Ok(matched)
}

/// Removes and reports the datasources whose name or slug is taken. A removed one keeps its old name, which
/// may be in the way of another.
fn reject_conflicts<'a>(
    mut matched: Vec<Matched<'a>>,
    existing: &[lookups::Datasource],
    outcome: &mut ChunkOutcome,
) -> Vec<Matched<'a>> {
    while let Some((at, code, message)) = find_conflict(&matched, existing) {
        let source = matched.remove(at).source;
        outcome.fail(source.subject().finding(code, message));
    }
    matched
}

fn find_conflict(matched: &[Matched<'_>], existing: &[lookups::Datasource]) -> Option<(usize, &'static str, &'static str)> {
    matched.iter().enumerate().find_map(|(at, new)| {
        let staying = existing.iter().filter(|old| !matched.iter().any(|other| other.existing == Some(old.id)));
        let others = staying.map(|old| (&old.name, &old.slug));
        let mut others = others.chain(matched.iter().take(at).map(|other| (&other.source.name, &other.source.slug)));
        let (_, slug) = others.find(|(name, slug)| **name == new.source.name || **slug == new.source.slug)?;
        Some(if *slug == new.source.slug {
            (at, "slugTaken", "another datasource has its slug")
        } else {
            (at, "nameTaken", "another datasource here has its name and another slug")
        })
    })
}

/// The change that a client would send. Existing dimensions are referred to by id, a renamed code by its
/// name; none is removed.
fn change(source: &record::Datasource, old: Option<&Datasource>) -> std::result::Result<DatasourceChange, Fault> {
    let before = old.map(|datasource| datasource.dimensions.as_slice()).unwrap_or_default();
    let is_at_source = |code: &str| source.dimensions.iter().any(|dimension| dimension.entry_value == code);
    let mut renamed = HashSet::new();
    let mut dimensions: Vec<Value> = Vec::with_capacity(source.dimensions.len());
    for dimension in &source.dimensions {
        let of_name = before.iter().find(|other| other.name == dimension.name && !is_at_source(&other.entry_value));
        let of_name = of_name.filter(|other| renamed.insert(other.id.0));
        let existing = before.iter().find(|other| other.entry_value == dimension.entry_value).or(of_name);
        dimensions.push(match existing {
            Some(existing) => json!({ "id": existing.id, "name": dimension.name, "entry_value": dimension.entry_value }),
            None => json!({ "name": dimension.name, "entry_value": dimension.entry_value }),
        });
    }
    serde_json::from_value(json!({ "name": source.name, "slug": source.slug, "dimensions_attributes": dimensions }))
        .map_err(|error| Fault::invalid("datasource", FieldCode::Invalid, error.to_string()))
}
