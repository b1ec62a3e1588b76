//! Datasources: known by their numbers, and by their slugs, because readers ask by them. Dimensions are known by their codes.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::memory::Memory;
use crypto::digest;
use domain::{
    content::{
        datasource::{Datasource, DatasourceChange, DatasourceDraft},
        import::{Finding, Kind, Outcome, Record, record},
    },
    shared::{DatasourceId, Fault},
};
use serde_json::{Value, json};
use std::collections::HashSet;
use storage::{
    Result,
    content::{
        datasources::{self, Reference},
        imports::lookups,
    },
};

const KIND: Kind = Kind::Datasource;

/// One that is to be written, or is as it is to be.
struct Wanted<'a> {
    source: &'a record::Datasource,
    print: [u8; 16],
    /// The one that it is here.
    mine: Option<i64>,
    /// What it is to be; none when that is what it is.
    draft: Option<DatasourceDraft>,
}

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let mut here = lookups::datasources(&hand.query(), hand.space()).await?;
    for made in &memory.made.datasources {
        here.retain(|h| h.id != made.id);
        here.push(made.clone());
    }
    let wanted = prepared(hand, memory, items, &here, taken).await?;
    let wanted = with_room(wanted, &here, taken);
    if let Some(ctx) = hand.ctx() {
        // Those who take each other's names make room first.
        let is_wanted = |value: &lookups::Datasource, by: &Wanted<'_>| {
            by.mine != Some(value.id) && (value.slug == by.source.slug || value.name == by.source.name)
        };
        let in_the_way = here.iter().filter(|h| wanted.iter().any(|by| is_wanted(h, by))).map(|h| h.id).collect::<Vec<_>>();
        lookups::set_datasources_aside(ctx.tx, ctx.space, &in_the_way).await?;
    }
    for Wanted { source, print, mine, draft } in wanted {
        let (outcome, id) = match (mine, draft, hand.ctx()) {
            (Some(id), None, _) => (Outcome::Unchanged, id),
            (Some(id), Some(draft), ctx) => {
                if let Some(ctx) = ctx {
                    datasources::update(ctx.tx, ctx.space, DatasourceId(id), &draft, ctx.now).await?;
                }
                (Outcome::Updated, id)
            }
            (None, Some(draft), Some(ctx)) => {
                (Outcome::Created, datasources::insert(ctx.tx, ctx.space, &draft, ctx.now).await?.id.0)
            }
            (None, _, _) => (Outcome::Created, taken.make_up()),
        };
        taken.public |= outcome != Outcome::Unchanged;
        taken.took(memory, KIND, source.id, outcome, id, print);
        if hand.ctx().is_none() {
            taken.made.datasources.push(lookups::Datasource { id, name: source.name.clone(), slug: source.slug.clone() });
            taken.made.dimensions.extend(source.dimensions.iter().map(|dimension| (id, dimension.entry_value.clone(), 0)));
        }
    }
    Ok(())
}

/// Each with the one that it is here, as far as rules let it be.
async fn prepared<'a>(
    hand: &Hand<'_>,
    memory: &Memory,
    items: &'a [Item],
    here: &[lookups::Datasource],
    taken: &mut Taken,
) -> Result<Vec<Wanted<'a>>> {
    let by_number = |id: i64| memory.known(KIND, id).filter(|known| here.iter().any(|h| h.id == known.id));
    let mut claimed: HashSet<i64> = items.iter().filter_map(|item| by_number(item.id())).map(|item| item.id).collect();
    let mut wanted = Vec::with_capacity(items.len());
    for item in items {
        let Subject::Record(Record::Datasource(source)) = &item.subject else {
            super::unreadable(KIND, &item.subject, taken);
            continue;
        };
        let parts = source.dimensions.iter().flat_map(|dimension| [dimension.name.as_bytes(), dimension.entry_value.as_bytes()]);
        let print = digest::of_parts([source.name.as_bytes(), source.slug.as_bytes()].into_iter().chain(parts));
        let known = by_number(source.id);
        let of_slug = here.iter().find(|h| h.slug == source.slug);
        // One of its slug that is no other's of the source; else the one that it was.
        let mine = of_slug.filter(|of_slug| known.is_some_and(|known| known.id == of_slug.id) || claimed.insert(of_slug.id));
        let mine = mine.or_else(|| here.iter().find(|h| known.is_some_and(|known| known.id == h.id)));
        let is_same = |value: &lookups::Datasource| {
            value.slug == source.slug && known.is_some_and(|known| known.id == value.id && known.fingerprint == Some(print))
        };
        let mine = match mine {
            Some(it) if is_same(it) => {
                wanted.push(Wanted { source, print, mine: Some(it.id), draft: None });
                continue;
            }
            mine => mine.map(|m| m.id),
        };
        let old = match mine.filter(|id| *id > 0) {
            Some(id) => datasources::find(&hand.query(), hand.space(), &Reference::NumberOrSlug(id.to_string())).await?,
            None => None,
        };
        match change(source, old.as_ref()).and_then(|c| c.apply(old.as_ref())) {
            Ok(draft) => wanted.push(Wanted { source, print, mine, draft: Some(draft) }),
            Err(fault) => taken.refuse(KIND, source.id, &source.slug, &fault),
        }
    }
    Ok(wanted)
}

/// Those whose names and slugs are free once all of them have theirs.
fn with_room<'a>(mut wanted: Vec<Wanted<'a>>, here: &[lookups::Datasource], taken: &mut Taken) -> Vec<Wanted<'a>> {
    // One that has to stay as it is may be in the way of another.
    while let Some((at, code, message)) = refused(&wanted, here) {
        let source = wanted.remove(at).source;
        taken.fail(Finding::new(code, KIND, source.id, &source.slug, message));
    }
    wanted
}

fn refused(wanted: &[Wanted<'_>], here: &[lookups::Datasource]) -> Option<(usize, &'static str, &'static str)> {
    wanted.iter().enumerate().find_map(|(at, w)| {
        let staying = here.iter().filter(|other| !wanted.iter().any(|w| w.mine == Some(other.id)));
        let others = staying.map(|w| (&w.name, &w.slug));
        let mut others = others.chain(wanted.iter().take(at).map(|w| (&w.source.name, &w.source.slug)));
        let (_, slug) = others.find(|(name, slug)| **name == w.source.name || **slug == w.source.slug)?;
        Some(if *slug == w.source.slug {
            (at, "slugTaken", "another datasource has its slug")
        } else {
            (at, "nameTaken", "another datasource here has its name and another slug")
        })
    })
}

/// What a caller would send. Dimensions that are here already are named by their numbers, one with another code by its name; none is taken away.
fn change(source: &record::Datasource, old: Option<&Datasource>) -> std::result::Result<DatasourceChange, Fault> {
    let before = old.map(|old| old.dimensions.as_slice()).unwrap_or_default();
    let is_of_source = |code: &str| source.dimensions.iter().any(|dimension| dimension.entry_value == code);
    let mut renamed = HashSet::new();
    let mut dimensions: Vec<Value> = Vec::with_capacity(source.dimensions.len());
    for it in &source.dimensions {
        let of_name = before.iter().find(|other| other.name == it.name && !is_of_source(&other.entry_value));
        let of_name = of_name.filter(|other| renamed.insert(other.id.0));
        let here = before.iter().find(|other| other.entry_value == it.entry_value).or(of_name);
        dimensions.push(match here {
            Some(here) => json!({ "id": here.id, "name": it.name, "entry_value": it.entry_value }),
            None => json!({ "name": it.name, "entry_value": it.entry_value }),
        });
    }
    serde_json::from_value(json!({ "name": source.name, "slug": source.slug, "dimensions_attributes": dimensions }))
        .map_err(|error| Fault::invalid("datasource", "invalid", error.to_string()))
}
