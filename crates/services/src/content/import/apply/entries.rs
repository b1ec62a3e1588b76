//! Datasource entries, identified by their names within a datasource; an entry that was renamed, by its id at
//! the source.

use super::{
    Applied, ApplyContext, ChunkOutcome,
    record::{PreparedContent, PreparedRecord, report_unusable},
};
use crate::content::import::state::ImportState;
use crypto::digest;
use domain::{
    content::{
        datasource_entry::{EntryChange, EntryDraft},
        import::{Fingerprint, Imported, Kind, Outcome, Record, SourceId, record::DatasourceEntry},
    },
    shared::{DatasourceId, EntryId, Fault, FieldCode},
};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use storage::{
    Result,
    content::{
        datasource_entries,
        imports::{
            entries::{self, NameInDatasource},
            lookups,
        },
    },
};

const KIND: Kind = Kind::DatasourceEntry;

/// A valid entry of the source.
struct Wanted<'a> {
    entry: &'a DatasourceEntry,
    /// Its name here.
    name: NameInDatasource,
    fingerprint: Fingerprint,
}

impl Wanted<'_> {
    fn applied(&self, outcome: Outcome, id: EntryId) -> Applied<EntryId> {
        Applied { outcome, id, fingerprint: self.fingerprint }
    }
}

pub(super) async fn apply(context: &ApplyContext<'_>, records: &[PreparedRecord], outcome: &mut ChunkOutcome) -> Result<()> {
    let state = context.state;
    let wanted = valid_entries(state, records, outcome);
    let (executor, space) = (context.executor(), context.space());
    let datasources: Vec<DatasourceId> = wanted.iter().map(|new| new.name.datasource).collect::<HashSet<_>>().into_iter().collect();
    let names: Vec<&str> = wanted.iter().map(|new| new.entry.name.as_str()).collect();
    let ids: Vec<EntryId> = wanted.iter().filter_map(|new| state.mapping(new.entry.id)).map(|mapping| mapping.id).collect();
    let existing = Existing::new(entries::find_existing(&executor, space, &datasources, &names, &ids).await?);
    let mut dimensions = lookups::dimensions(&executor, space, &datasources).await?;
    dimensions.extend(state.dry_run_created.dimensions.clone());
    let mut last_positions = entries::last_positions(&executor, space, &datasources).await?;

    let mut new = Vec::new();
    let mut changed = Vec::new();
    for (wanted, matched) in wanted.iter().zip(existing.match_all(&wanted, state)) {
        let Some(id) = matched else {
            let last = last_positions.entry(wanted.name.datasource).or_insert(0);
            let position = wanted.entry.position.unwrap_or(last.saturating_add(1));
            *last = (*last).max(position);
            new.push((wanted, position));
            continue;
        };
        let mapping = state.mapping(wanted.entry.id);
        let is_same = mapping.is_some_and(|mapping| mapping.id == id && mapping.fingerprint == Some(wanted.fingerprint));
        if is_same && existing.by_id.get(&id) == Some(&wanted.name) {
            outcome.record_outcome(state, (KIND, wanted.entry.id), wanted.applied(Outcome::Unchanged, id));
        } else {
            changed.push((wanted, id));
        }
    }
    let created = match context.ctx() {
        Some(ctx) => {
            // Entries that exchange their names get temporary ones first.
            let renamed = changed.iter().filter(|(wanted, id)| existing.by_id.get(id) != Some(&wanted.name)).map(|(_, id)| *id);
            entries::set_temporary_names(ctx.tx, space, &renamed.collect::<Vec<_>>()).await?;
            for (wanted, id) in &changed {
                datasource_entries::update(ctx.tx, space, *id, &draft(wanted.entry)?).await?;
            }
            let mut rows = Vec::with_capacity(new.len());
            for (Wanted { entry, name: NameInDatasource { datasource, .. }, .. }, position) in &new {
                let (name, value) = (entry.name.as_str(), entry.value.as_str());
                rows.push(entries::NewEntry { datasource: *datasource, name, value, position: *position });
            }
            entries::insert(ctx.tx, space, &rows).await?
        }
        None => new.iter().map(|_| outcome.next_fake_id()).collect(),
    };
    let created = new.into_iter().zip(created).map(|((wanted, _), id)| (wanted, id, Outcome::Created));
    let written: Vec<_> = changed.into_iter().map(|(wanted, id)| (wanted, id, Outcome::Updated)).chain(created).collect();

    let mut values = Vec::new();
    for (wanted, id, done) in &written {
        let entry = wanted.entry;
        for (code, value) in &entry.dimension_values {
            match (dimensions.get(&NameInDatasource { name: code.clone(), ..wanted.name }), value) {
                (Some(dimension), Some(value)) => {
                    values.push(entries::DimensionValue { dimension: *dimension, entry: *id, value });
                }
                (None, Some(_)) => {
                    let message = format!("its value in the dimension {code} is left out: the datasource has no such dimension");
                    outcome.warn(entry.subject().finding("dimensionMissing", message));
                }
                (_, None) => {}
            }
        }
        outcome.record_outcome(state, (KIND, entry.id), wanted.applied(*done, *id));
        outcome.is_visible = true;
    }
    if let Some(ctx) = context.ctx() {
        let ids: Vec<EntryId> = written.iter().map(|(_, id, _)| *id).collect();
        entries::set_values(ctx.tx, space, &ids, &values).await?;
    }
    Ok(())
}

/// The existing entries that a chunk may update.
struct Existing {
    by_name: HashMap<NameInDatasource, EntryId>,
    by_id: HashMap<EntryId, NameInDatasource>,
}

impl Existing {
    fn new(by_name: HashMap<NameInDatasource, EntryId>) -> Self {
        Self { by_id: by_name.iter().map(|(name, id)| (*id, name.clone())).collect(), by_name }
    }

    /// Matches each entry with the existing one that it updates: the one of its name, unless another record
    /// is mapped to that one; otherwise the mapped one, which gets the new name. So entries that exchanged
    /// their names at the source keep their ids.
    fn match_all(&self, wanted: &[Wanted<'_>], state: &ImportState) -> Vec<Option<EntryId>> {
        let mapped = |new: &Wanted<'_>| {
            let id = state.mapping(new.entry.id)?.id;
            let name = self.by_id.get(&id)?;
            // If this import has used that name before, the existing entry belongs to the record that has the
            // name.
            let is_free = !is_of_another(state, name, new.entry.id);
            (name.datasource == new.name.datasource && is_free).then_some(id)
        };
        let of_name = |new: &Wanted<'_>| self.by_name.get(&new.name).copied();
        let mut matched: Vec<Option<EntryId>> = wanted.iter().map(mapped).collect();
        // An existing entry that no record is mapped to belongs to the record of its name, which may free the
        // entry that this record was mapped to.
        loop {
            let claimed: HashSet<EntryId> = matched.iter().flatten().copied().collect();
            let unclaimed = |new: &Wanted<'_>| of_name(new).filter(|id| !claimed.contains(id));
            let next = wanted.iter().zip(&mut matched).find_map(|(new, matched)| unclaimed(new).map(|id| *matched = Some(id)));
            if next.is_none() {
                return matched;
            }
        }
    }
}

/// Whether this import has brought another entry of this name. A page that is written again after an
/// interruption meets its own entries.
fn is_of_another(state: &ImportState, name: &NameInDatasource, source_id: SourceId<DatasourceEntry>) -> bool {
    state.entry_names.get(name).is_some_and(|other| *other != source_id)
}

/// The valid entries; the others are reported.
fn valid_entries<'a>(state: &ImportState, records: &'a [PreparedRecord], outcome: &mut ChunkOutcome) -> Vec<Wanted<'a>> {
    let mut wanted: Vec<Wanted<'a>> = Vec::with_capacity(records.len());
    let mut seen = HashSet::new();
    for record in records {
        let PreparedContent::Plain(Record::DatasourceEntry(entry)) = &record.content else {
            report_unusable(KIND, &record.content, outcome);
            continue;
        };
        let Some(datasource) = state.mapping(entry.datasource_id) else {
            outcome.fail(entry.subject().finding("datasourceMissing", "its datasource was not imported"));
            continue;
        };
        if let Err(fault) = draft(entry) {
            outcome.reject(entry.subject(), &fault);
            continue;
        }
        let name = NameInDatasource { datasource: datasource.id, name: entry.name.clone() };
        if is_of_another(state, &name, entry.id) || !seen.insert(name.clone()) {
            outcome.fail(entry.subject().finding("nameTaken", "another entry of the datasource has this name"));
            continue;
        }
        outcome.entry_names.insert(name.clone(), entry.id);
        let values = entry.dimension_values.iter();
        let values = values.flat_map(|(code, value)| [code.as_bytes(), value.as_deref().unwrap_or_default().as_bytes()]);
        let position = entry.position.map(i32::to_be_bytes).unwrap_or_default();
        let own = [entry.name.as_bytes(), entry.value.as_bytes(), &position];
        let fingerprint = digest::of_parts(own.into_iter().chain(values));
        wanted.push(Wanted { entry, name, fingerprint });
    }
    wanted
}

fn draft(entry: &DatasourceEntry) -> std::result::Result<EntryDraft, Fault> {
    let body = json!({ "name": entry.name, "value": entry.value, "position": entry.position });
    let change: EntryChange =
        serde_json::from_value(body).map_err(|error| Fault::invalid("entry", FieldCode::Invalid, error.to_string()))?;
    change.apply(None)
}
