//! Datasources: known by their slugs, because readers ask by them. Dimensions are known by their codes.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::memory::Memory;
use crypto::digest;
use domain::{
    content::{
        datasource::{Datasource, DatasourceChange},
        import::{Finding, Kind, Outcome, Record, record},
    },
    shared::{DatasourceId, Fault},
};
use serde_json::{Value, json};
use storage::{
    Result,
    content::{
        datasources::{self, Reference},
        imports::lookups,
    },
};

const KIND: Kind = Kind::Datasource;

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let mut here = lookups::datasources(&hand.query(), hand.space()).await?;
    here.extend(memory.made.datasources.iter().cloned());
    for item in items {
        let Subject::Record(Record::Datasource(source)) = &item.subject else {
            super::unreadable(KIND, &item.subject, taken);
            continue;
        };
        let existing = here.iter().find(|it| it.slug == source.slug).cloned();
        if here.iter().any(|it| it.name == source.name && it.slug != source.slug) {
            let message = "another datasource here has its name and another slug";
            taken.fail(Finding::new("nameTaken", KIND, source.id, &source.slug, message));
            continue;
        }
        let parts = source.dimensions.iter().flat_map(|it| [it.name.as_bytes(), it.entry_value.as_bytes()]);
        let print = digest::of_parts([source.name.as_bytes(), source.slug.as_bytes()].into_iter().chain(parts));
        let known = memory.known(KIND, source.id);
        let done = match &existing {
            Some(it) if known.is_some_and(|known| known.id == it.id && known.fingerprint == Some(print)) => {
                Ok((Outcome::Unchanged, it.id))
            }
            Some(it) => update(hand, it.id, source).await?.map(|()| (Outcome::Updated, it.id)),
            None => match create(hand, source).await? {
                Ok(id) => Ok((Outcome::Created, id.unwrap_or_else(|| taken.make_up()))),
                Err(fault) => Err(fault),
            },
        };
        match done {
            Ok((outcome, id)) => {
                taken.public |= outcome != Outcome::Unchanged;
                taken.took(memory, KIND, source.id, outcome, id, print);
                let made = lookups::Datasource { id, name: source.name.clone(), slug: source.slug.clone() };
                if hand.desk().is_none() {
                    taken.made.datasources.push(made.clone());
                    taken.made.dimensions.extend(source.dimensions.iter().map(|it| (id, it.entry_value.clone(), 0)));
                }
                here.retain(|it| it.id != id);
                here.push(made);
            }
            Err(fault) => taken.refuse(KIND, source.id, &source.slug, &fault),
        }
    }
    Ok(())
}

async fn create(hand: &Hand<'_>, source: &record::Datasource) -> Result<std::result::Result<Option<i64>, Fault>> {
    let draft = match change(source, None).and_then(|it| it.apply(None)) {
        Ok(draft) => draft,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some(desk) = hand.desk() else { return Ok(Ok(None)) };
    Ok(Ok(Some(datasources::insert(desk.tx, desk.space, &draft, desk.now).await?.id.0)))
}

async fn update(hand: &Hand<'_>, id: i64, source: &record::Datasource) -> Result<std::result::Result<(), Fault>> {
    let Some(old) = datasources::find(&hand.query(), hand.space(), &Reference::NumberOrSlug(id.to_string())).await? else {
        return Ok(Err(Fault::not_found()));
    };
    let draft = match change(source, Some(&old)).and_then(|it| it.apply(Some(&old))) {
        Ok(draft) => draft,
        Err(fault) => return Ok(Err(fault)),
    };
    if let Some(desk) = hand.desk() {
        datasources::update(desk.tx, desk.space, DatasourceId(id), &draft, desk.now).await?;
    }
    Ok(Ok(()))
}

/// What a caller would send. Dimensions that are here already are named by their numbers, and none is taken away.
fn change(source: &record::Datasource, old: Option<&Datasource>) -> std::result::Result<DatasourceChange, Fault> {
    let dimensions: Vec<Value> = source
        .dimensions
        .iter()
        .map(|it| {
            let here = old.and_then(|old| old.dimensions.iter().find(|other| other.entry_value == it.entry_value));
            match here {
                Some(here) => json!({ "id": here.id, "name": it.name, "entry_value": it.entry_value }),
                None => json!({ "name": it.name, "entry_value": it.entry_value }),
            }
        })
        .collect();
    serde_json::from_value(json!({ "name": source.name, "slug": source.slug, "dimensions_attributes": dimensions }))
        .map_err(|error| Fault::invalid("datasource", "invalid", error.to_string()))
}
