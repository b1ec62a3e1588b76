//! Datasource entries, identified by their names within a datasource; an entry that was renamed, by its id at the source.

use super::{
    ApplyMode, ChunkOutcome,
    record::{PreparedContent, PreparedRecord, report_unusable},
};
use crate::content::import::state::ImportState;
use crypto::digest;
use domain::{
    content::{
        datasource_entry::{EntryChange, EntryDraft},
        import::{Finding, Fingerprint, Kind, Outcome, Record, record::DatasourceEntry},
    },
    shared::{EntryId, Fault, FieldCode},
};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use storage::{
    Result,
    content::{
        datasource_entries,
        imports::{entries, lookups},
    },
};

const KIND: Kind = Kind::DatasourceEntry;

/// A valid entry of the source.
struct Wanted<'a> {
    entry: &'a DatasourceEntry,
    /// The id of its datasource here.
    datasource: i64,
    fingerprint: Fingerprint,
}

pub(super) async fn apply(
    mode: &ApplyMode<'_>,
    state: &ImportState,
    records: &[PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let wanted = valid_entries(state, records, outcome);
    let (executor, space) = (mode.executor(), mode.space());
    let datasources: Vec<i64> = wanted.iter().map(|new| new.datasource).collect::<HashSet<_>>().into_iter().collect();
    let names: Vec<&str> = wanted.iter().map(|new| new.entry.name.as_str()).collect();
    let ids: Vec<i64> = wanted.iter().filter_map(|new| state.mapping(KIND, new.entry.id)).map(|mapping| mapping.id).collect();
    let existing = Existing::new(entries::find_existing(&executor, space, &datasources, &names, &ids).await?);
    let dimensions = lookups::dimensions(&executor, space, &datasources).await?;
    let mut last_positions: HashMap<i64, i32> =
        entries::last_positions(&executor, space, &datasources).await?.into_iter().collect();

    let mut new = Vec::new();
    let mut changed = Vec::new();
    for (wanted, matched) in wanted.iter().zip(existing.match_all(&wanted, state)) {
        let Some(id) = matched else {
            let last = last_positions.entry(wanted.datasource).or_insert(0);
            let position = wanted.entry.position.unwrap_or(last.saturating_add(1));
            *last = (*last).max(position);
            new.push((wanted, position));
            continue;
        };
        let mapping = state.mapping(KIND, wanted.entry.id);
        let is_same = mapping.is_some_and(|mapping| mapping.id == id && mapping.fingerprint == Some(wanted.fingerprint));
        if is_same && existing.name(id) == Some(&wanted.entry.name) {
            outcome.record_outcome(state, (KIND, wanted.entry.id), Outcome::Unchanged, id, wanted.fingerprint);
        } else {
            changed.push((wanted, id));
        }
    }
    let created = match mode.ctx() {
        Some(ctx) => {
            // Entries that exchange their names get temporary ones first.
            let renamed = changed.iter().filter(|(wanted, id)| existing.name(*id) != Some(&wanted.entry.name)).map(|(_, id)| *id);
            entries::set_temporary_names(ctx.tx, space, &renamed.collect::<Vec<_>>()).await?;
            for (wanted, id) in &changed {
                datasource_entries::update(ctx.tx, space, EntryId(*id), &draft(wanted.entry)?).await?;
            }
            let mut rows = Vec::with_capacity(new.len());
            for (Wanted { entry, datasource, .. }, position) in &new {
                let (name, value) = (entry.name.as_str(), entry.value.as_str());
                rows.push(entries::NewEntry { datasource: *datasource, name, value, position: *position });
            }
            entries::insert(ctx.tx, space, &rows).await?
        }
        None => new.iter().map(|_| outcome.next_fake_id()).collect(),
    };
    let created = new.into_iter().zip(created).map(|((wanted, _), id)| (wanted, id, Outcome::Created));
    let written: Vec<_> = changed.into_iter().map(|(wanted, id)| (wanted, id, Outcome::Updated)).chain(created).collect();

    let dimensions = dimensions.into_iter().chain(state.dry_run_created.dimensions.iter().cloned());
    let dimensions: HashMap<(i64, String), i64> = dimensions.map(|(datasource, code, id)| ((datasource, code), id)).collect();
    let mut values = Vec::new();
    for (wanted, id, done) in &written {
        let entry = wanted.entry;
        for (code, value) in &entry.dimension_values {
            match (dimensions.get(&(wanted.datasource, code.clone())), value) {
                (Some(dimension), Some(value)) => {
                    values.push(entries::DimensionValue { dimension: *dimension, entry: *id, value });
                }
                (None, Some(_)) => {
                    let message = format!("its value in the dimension {code} is left out: the datasource has no such dimension");
                    outcome.warn(Finding::new("dimensionMissing", KIND, entry.id, &entry.name, message));
                }
                (_, None) => {}
            }
        }
        outcome.record_outcome(state, (KIND, entry.id), *done, *id, wanted.fingerprint);
        outcome.is_visible = true;
    }
    if let Some(ctx) = mode.ctx() {
        let ids: Vec<i64> = written.iter().map(|(_, id, _)| *id).collect();
        entries::set_values(ctx.tx, space, &ids, &values).await?;
    }
    Ok(())
}

/// The existing entries that a chunk may update.
struct Existing {
    by_name: HashMap<(i64, String), i64>,
    by_id: HashMap<i64, (i64, String)>,
}

impl Existing {
    fn new(rows: Vec<(i64, String, i64)>) -> Self {
        Self {
            by_id: rows.iter().map(|(datasource, name, id)| (*id, (*datasource, name.clone()))).collect(),
            by_name: rows.into_iter().map(|(datasource, name, id)| ((datasource, name), id)).collect(),
        }
    }

    fn name(&self, id: i64) -> Option<&String> {
        self.by_id.get(&id).map(|(_, name)| name)
    }

    /// Matches each entry with the existing one that it updates: the one of its name, unless another record is mapped to that one; otherwise the
    /// mapped one, which gets the new name. So entries that exchanged their names at the source keep their ids.
    fn match_all(&self, wanted: &[Wanted<'_>], state: &ImportState) -> Vec<Option<i64>> {
        let mapped = |new: &Wanted<'_>| {
            let id = state.mapping(KIND, new.entry.id)?.id;
            let (datasource, name) = self.by_id.get(&id)?;
            // If this import has used that name before, the existing entry belongs to the record that has the name.
            let is_free = !is_of_another(state, (new.datasource, name), new.entry.id);
            (*datasource == new.datasource && is_free).then_some(id)
        };
        let of_name = |new: &Wanted<'_>| self.by_name.get(&(new.datasource, new.entry.name.clone())).copied();
        let mut matched: Vec<Option<i64>> = wanted.iter().map(mapped).collect();
        // An existing entry that no record is mapped to belongs to the record of its name, which may free the entry that this record was mapped to.
        loop {
            let claimed: HashSet<i64> = matched.iter().flatten().copied().collect();
            let unclaimed = |new: &Wanted<'_>| of_name(new).filter(|id| !claimed.contains(id));
            let next = wanted.iter().zip(&mut matched).find_map(|(new, matched)| unclaimed(new).map(|id| *matched = Some(id)));
            if next.is_none() {
                return matched;
            }
        }
    }
}

/// Whether this import has brought another entry of this name. A page that is written again after an interruption meets its own entries.
fn is_of_another(state: &ImportState, (datasource, name): (i64, &str), source_id: i64) -> bool {
    state.entry_names.get(&(datasource, name.to_owned())).is_some_and(|other| *other != source_id)
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
        let Some(datasource) = state.mapping(Kind::Datasource, entry.datasource_id) else {
            outcome.fail(Finding::new("datasourceMissing", KIND, entry.id, &entry.name, "its datasource was not imported"));
            continue;
        };
        if let Err(fault) = draft(entry) {
            outcome.reject(KIND, entry.id, &entry.name, &fault);
            continue;
        }
        let name = (datasource.id, entry.name.as_str());
        if is_of_another(state, name, entry.id) || !seen.insert(name) {
            outcome.fail(Finding::new("nameTaken", KIND, entry.id, &entry.name, "another entry of the datasource has this name"));
            continue;
        }
        outcome.entry_names.push(((datasource.id, entry.name.clone()), entry.id));
        let values = entry.dimension_values.iter();
        let values = values.flat_map(|(code, value)| [code.as_bytes(), value.as_deref().unwrap_or_default().as_bytes()]);
        let position = entry.position.map(i32::to_be_bytes).unwrap_or_default();
        let own = [entry.name.as_bytes(), entry.value.as_bytes(), &position];
        let fingerprint = digest::of_parts(own.into_iter().chain(values));
        wanted.push(Wanted { entry, datasource: datasource.id, fingerprint });
    }
    wanted
}

fn draft(entry: &DatasourceEntry) -> std::result::Result<EntryDraft, Fault> {
    let body = json!({ "name": entry.name, "value": entry.value, "position": entry.position });
    let change: EntryChange =
        serde_json::from_value(body).map_err(|error| Fault::invalid("entry", FieldCode::Invalid, error.to_string()))?;
    change.apply(None)
}
