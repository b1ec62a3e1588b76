//! Components: known by their names, because bloks refer to them so. One of the same name that is here becomes what it is at the source.
//!
//! There are sources in which two components have one name, or even one number. The first one counts.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::memory::Memory;
use crypto::digest;
use domain::{
    content::{
        component::ComponentChange,
        import::{Finding, Kind, Outcome, Record, record},
    },
    shared::{ComponentId, Fault},
};
use serde_json::{Map, Value};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};
use storage::{
    Result,
    content::{
        components,
        imports::{ids::Known, lookups},
    },
};
use uuid::Uuid;

const KIND: Kind = Kind::Component;

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let mut here: HashMap<String, i64> = lookups::components(&hand.query(), hand.space()).await?.into_iter().collect();
    let mut groups: HashSet<Uuid> = lookups::groups(&hand.query(), hand.space()).await?.into_iter().map(|(uuid, _)| uuid).collect();
    groups.extend(memory.made.groups.iter().map(|(uuid, _)| *uuid));
    here.extend(memory.made.components.iter().cloned());
    let mut seen = HashSet::new();
    for item in items {
        let Subject::Record(Record::Component(component)) = &item.subject else {
            super::unreadable(KIND, &item.subject, taken);
            continue;
        };
        let group = component.component_group_uuid.filter(|uuid| groups.contains(uuid));
        if group != component.component_group_uuid {
            taken.warn(Finding::new("groupMissing", KIND, component.id, &component.name, "its group is missing: it has none"));
        }
        let schema = schema(component, memory);
        let body = moved(component, memory).body(group, &schema);
        let print = digest::of_parts([body.as_bytes()]);
        let known = memory.known(KIND, by_name(&component.name));
        let is_first = seen.insert(component.name.as_str());
        let outcome = match here.get(&component.name).copied() {
            Some(id) if !is_first => {
                let message = "another component of the source has this name: that one counts";
                taken.skip(Finding::new("duplicateName", KIND, component.id, &component.name, message));
                // Its presets are that one's presets.
                number(taken, component, id);
                continue;
            }
            Some(id) if known.is_some_and(|it| it.id == id && it.fingerprint == Some(print)) => Ok((Outcome::Unchanged, id)),
            Some(id) => {
                if known.is_none() {
                    let message = "a component of this name was here: it became what it is at the source";
                    taken.warn(Finding::new("replaced", KIND, component.id, &component.name, message));
                }
                update(hand, id, &body).await?.map(|()| (Outcome::Updated, id))
            }
            None => match create(hand, &body).await? {
                Ok(id) => Ok((Outcome::Created, id.unwrap_or_else(|| taken.make_up()))),
                Err(fault) => Err(fault),
            },
        };
        match outcome {
            Ok((outcome, id)) => {
                here.insert(component.name.clone(), id);
                if hand.desk().is_none() {
                    taken.made.components.push((component.name.clone(), id));
                }
                number(taken, component, id);
                taken.took(memory, KIND, by_name(&component.name), outcome, id, print);
                taken.schemas.push((component.name.clone(), schema));
            }
            Err(fault) => taken.refuse(KIND, component.id, &component.name, &fault),
        }
    }
    Ok(())
}

/// The component with its preview picture where that is now.
fn moved<'a>(component: &'a record::Component, memory: &Memory) -> Cow<'a, record::Component> {
    let image = component.definition.get("image").and_then(Value::as_str).and_then(|it| memory.maps.urls.rewrite(it));
    let Some(image) = image else { return Cow::Borrowed(component) };
    let mut moved = component.clone();
    moved.definition.insert("image".to_owned(), image.into());
    Cow::Owned(moved)
}

/// Remembers what the source's number is here, for presets.
fn number(taken: &mut Taken, component: &record::Component, id: i64) {
    if taken.ids.iter().any(|it| (it.0, it.1) == (KIND, component.id)) {
        let message = "another component of the source has its number: presets of that number are the other one's";
        taken.warn(Finding::new("duplicateId", KIND, component.id, &component.name, message));
        return;
    }
    taken.ids.push((KIND, component.id, Known::reserved(id)));
}

/// A number that stands for a name. The source's own are positive.
fn by_name(name: &str) -> i64 {
    let mut half = [0; 8];
    half.iter_mut().zip(digest::of_parts([name.as_bytes()])).for_each(|(to, from)| *to = from);
    i64::from_be_bytes(half) | i64::MIN
}

/// The fields, with the folders of assets that they name.
fn schema(component: &record::Component, memory: &Memory) -> Map<String, Value> {
    let mut schema = component.schema().cloned().unwrap_or_default();
    for field in schema.values_mut().filter_map(Value::as_object_mut) {
        if let Some(folder) = field.get_mut("asset_folder_id")
            && let Some(old) = folder.as_i64()
            && let Some(new) = memory.known(Kind::AssetFolder, old)
        {
            *folder = new.id.into();
        }
    }
    schema
}

async fn create(hand: &Hand<'_>, body: &str) -> Result<std::result::Result<Option<i64>, Fault>> {
    let definition = match read(body).and_then(|it| it.create()) {
        Ok(definition) => definition,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some(desk) = hand.desk() else { return Ok(Ok(None)) };
    Ok(Ok(Some(components::insert(desk.tx, desk.space, &definition, desk.now).await?.id.0)))
}

async fn update(hand: &Hand<'_>, id: i64, body: &str) -> Result<std::result::Result<(), Fault>> {
    let change = match read(body) {
        Ok(change) => change,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some(desk) = hand.desk() else { return Ok(change.create().map(drop)) };
    let Some(old) = components::lock(desk.tx, desk.space, ComponentId(id)).await? else { return Ok(Err(Fault::not_found())) };
    match change.apply(old.definition) {
        Ok(definition) => {
            components::update(desk.tx, desk.space, ComponentId(id), &definition, desk.now).await?;
            Ok(Ok(()))
        }
        Err(fault) => Ok(Err(fault)),
    }
}

fn read(body: &str) -> std::result::Result<ComponentChange, Fault> {
    serde_json::from_str(body).map_err(|error| Fault::invalid("component", "invalid", error.to_string()))
}
