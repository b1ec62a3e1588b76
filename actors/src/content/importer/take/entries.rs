//! Entries of datasources: known by their names within a datasource, and by their numbers when those are others by now.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::memory::Memory;
use crypto::digest;
use domain::{
    content::{
        datasource_entry::EntryChange,
        import::{Finding, Kind, Outcome, Record, record::DatasourceEntry},
    },
    shared::{EntryId, Fault},
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

/// An entry that is to be written.
struct Wanted<'a> {
    entry: &'a DatasourceEntry,
    datasource: i64,
    print: [u8; 16],
}

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let wanted = wanted(memory, items, taken);
    let space = hand.space();
    let sources: Vec<i64> = wanted.iter().map(|w| w.datasource).collect::<HashSet<_>>().into_iter().collect();
    let names: Vec<&str> = wanted.iter().map(|w| w.entry.name.as_str()).collect();
    let numbers: Vec<i64> = wanted.iter().filter_map(|w| memory.known(KIND, w.entry.id)).map(|w| w.id).collect();
    let here = Here::new(entries::standing(&hand.query(), space, &sources, &names, &numbers).await?);
    let mine = here.assigned(&wanted, memory);
    let codes: HashMap<(i64, String), i64> = lookups::dimensions(&hand.query(), space, &sources)
        .await?
        .into_iter()
        .chain(memory.made.dimensions.iter().cloned())
        .map(|(source, code, id)| ((source, code), id))
        .collect();
    let mut last: HashMap<i64, i32> = entries::last_positions(&hand.query(), space, &sources).await?.into_iter().collect();

    let mut new = Vec::new();
    let mut changed = Vec::new();
    for (it, mine) in wanted.iter().zip(mine) {
        match mine {
            None => {
                let behind = last.entry(it.datasource).or_insert(0);
                let position = it.entry.position.unwrap_or(behind.saturating_add(1));
                *behind = (*behind).max(position);
                new.push((it, position));
            }
            Some(id) => {
                let is_known =
                    memory.known(KIND, it.entry.id).is_some_and(|known| known.id == id && known.fingerprint == Some(it.print));
                if is_known && here.name(id) == Some(&it.entry.name) {
                    taken.took(memory, KIND, it.entry.id, Outcome::Unchanged, id, it.print);
                } else {
                    changed.push((it, id));
                }
            }
        }
    }
    let made = match hand.ctx() {
        Some(ctx) => {
            // Those who take each other's names make room first.
            let renamed = changed.iter().filter(|(c, id)| here.name(*id) != Some(&c.entry.name)).map(|(_, id)| *id);
            entries::set_aside(ctx.tx, space, &renamed.collect::<Vec<_>>()).await?;
            for (it, id) in &changed {
                let draft = draft(it.entry)?;
                datasource_entries::update(ctx.tx, space, EntryId(*id), &draft).await?;
            }
            let rows: Vec<_> = new
                .iter()
                .map(|(n, position)| entries::New {
                    datasource: n.datasource,
                    name: &n.entry.name,
                    value: &n.entry.value,
                    position: *position,
                })
                .collect();
            entries::insert(ctx.tx, space, &rows).await?
        }
        None => new.iter().map(|_| taken.make_up()).collect(),
    };
    let new = new.into_iter().map(|(n, _)| n).zip(made).map(|(n, id)| (n, id, Outcome::Created));
    let written: Vec<_> = changed.into_iter().map(|(c, id)| (c, id, Outcome::Updated)).chain(new).collect();
    let mut values = Vec::new();
    for (it, id, outcome) in &written {
        for (code, value) in &it.entry.dimension_values {
            match (codes.get(&(it.datasource, code.clone())), value) {
                (Some(dimension), Some(value)) => values.push(entries::Value { dimension: *dimension, entry: *id, value }),
                (None, Some(_)) => {
                    let message = format!("its value in the dimension {code} is left out: the datasource has no such dimension");
                    taken.warn(Finding::new("dimensionMissing", KIND, it.entry.id, &it.entry.name, message));
                }
                _ => {}
            }
        }
        taken.took(memory, KIND, it.entry.id, *outcome, *id, it.print);
        taken.public = true;
    }
    if let Some(ctx) = hand.ctx() {
        let ids: Vec<i64> = written.iter().map(|(_, id, _)| *id).collect();
        entries::set_values(ctx.tx, space, &ids, &values).await?;
    }
    Ok(())
}

/// The entries that are here already.
struct Here {
    by_name: HashMap<(i64, String), i64>,
    by_id: HashMap<i64, (i64, String)>,
}

impl Here {
    fn new(all: Vec<(i64, String, i64)>) -> Self {
        Self {
            by_id: all.iter().map(|(source, name, id)| (*id, (*source, name.clone()))).collect(),
            by_name: all.into_iter().map(|(source, name, id)| ((source, name), id)).collect(),
        }
    }

    fn name(&self, id: i64) -> Option<&String> {
        self.by_id.get(&id).map(|by_id| &by_id.1)
    }

    /// Which entry each is here: the one of its name; else the one that it was, which takes the new name. Where several changed their names, each stays who
    /// it was.
    fn assigned(&self, wanted: &[Wanted<'_>], memory: &Memory) -> Vec<Option<i64>> {
        let was = |value: &Wanted<'_>| {
            let id = memory.known(KIND, value.entry.id)?.id;
            let (datasource, name) = self.by_id.get(&id)?;
            // Its name came already: then that is who has it.
            (*datasource == value.datasource && !memory.taken.contains(&place(value.datasource, name))).then_some(id)
        };
        let holder = |value: &Wanted<'_>| self.by_name.get(&(value.datasource, value.entry.name.clone())).copied();
        let mut mine: Vec<Option<i64>> = wanted.iter().map(was).collect();
        // Who holds a wanted name and is nobody else is who has it; that may leave another one alone with its name.
        loop {
            let claimed: HashSet<i64> = mine.iter().flatten().copied().collect();
            let alone = |value: &Wanted<'_>| holder(value).filter(|holder| !claimed.contains(holder));
            let next = wanted.iter().zip(&mut mine).find_map(|(w, mine)| alone(w).map(|holder| *mine = Some(holder)));
            if next.is_none() {
                return mine;
            }
        }
    }
}

/// How a name that came is remembered. No path of a story begins like this.
fn place(datasource: i64, name: &str) -> String {
    format!("/entry/{datasource}/{name}")
}

/// Those that can be written.
fn wanted<'a>(memory: &Memory, items: &'a [Item], taken: &mut Taken) -> Vec<Wanted<'a>> {
    let mut wanted: Vec<Wanted<'a>> = Vec::with_capacity(items.len());
    let mut seen = HashSet::new();
    for item in items {
        let Subject::Record(Record::DatasourceEntry(entry)) = &item.subject else {
            super::unreadable(KIND, &item.subject, taken);
            continue;
        };
        let Some(datasource) = memory.known(Kind::Datasource, entry.datasource_id) else {
            taken.fail(Finding::new("datasourceMissing", KIND, entry.id, &entry.name, "its datasource was not imported"));
            continue;
        };
        if let Err(fault) = draft(entry) {
            taken.refuse(KIND, entry.id, &entry.name, &fault);
            continue;
        }
        let name = place(datasource.id, &entry.name);
        if memory.taken.contains(&name) || !seen.insert((datasource.id, entry.name.as_str())) {
            taken.fail(Finding::new("nameTaken", KIND, entry.id, &entry.name, "another entry of the datasource has this name"));
            continue;
        }
        taken.names.push(name);
        let values = entry
            .dimension_values
            .iter()
            .flat_map(|(code, value)| [code.as_bytes(), value.as_deref().unwrap_or_default().as_bytes()]);
        let position = entry.position.map(i32::to_be_bytes).unwrap_or_default();
        let own = [entry.name.as_bytes(), entry.value.as_bytes(), &position];
        let print = digest::of_parts(own.into_iter().chain(values));
        wanted.push(Wanted { entry, datasource: datasource.id, print });
    }
    wanted
}

fn draft(entry: &DatasourceEntry) -> std::result::Result<domain::content::datasource_entry::EntryDraft, Fault> {
    let body = json!({ "name": entry.name, "value": entry.value, "position": entry.position });
    let change: EntryChange =
        serde_json::from_value(body).map_err(|error| Fault::invalid("entry", "invalid", error.to_string()))?;
    change.apply(None)
}
