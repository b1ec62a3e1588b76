//! Components: known by their names, because bloks refer to them so. One of the same name that is here becomes what it is at the source. One whose
//! name is gone at the source is known by its number, and takes the new name.
//!
//! There are sources in which two components have one name, or even one number. The first one counts.

use super::{Hand, Item, Subject, Taken, hierarchy};
use crate::content::importer::memory::Memory;
use crypto::digest;
use domain::{
    content::{
        component::{ComponentChange, Definition},
        import::{Finding, Kind, Outcome, Record, record, rewrite},
    },
    shared::{ComponentId, Fault, GroupId, PresetId},
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
    let groups: HashSet<Uuid> = hierarchy::here::<GroupId>(hand, memory).await?.into_iter().map(|h| h.uuid).collect();
    here.extend(memory.made.components.iter().cloned());
    let mut seen = HashSet::new();
    let names: HashSet<&str> = items.iter().map(Item::label).collect();
    let fields = fields(items);
    for item in items {
        let Subject::Record(Record::Component(component)) = &item.subject else {
            super::unreadable(KIND, &item.subject, taken);
            continue;
        };
        let group = component.component_group_uuid.filter(|uuid| groups.contains(uuid));
        if group != component.component_group_uuid {
            taken.warn(Finding::new("groupMissing", KIND, component.id, &component.name, "its group is missing: it has none"));
        }
        let mut schema = schema(component, memory);
        let found = rewrite::schema(&mut schema, &memory.maps, &fields);
        taken.found(&found, (KIND, component.id, &component.name));
        let body = moved(component, memory).body(group, &schema);
        let print = digest::of_parts([body.as_bytes(), &component.preset_id.unwrap_or(0).to_be_bytes()]);
        let known = memory.known(KIND, by_name(&component.name));
        let is_first = seen.insert(component.name.as_str());
        let former = former(component, &here, &names, memory).filter(|_| !here.contains_key(&component.name));
        let mine = here.get(&component.name).or_else(|| here.get(former.as_ref()?)).copied();
        let outcome = match mine {
            Some(id) if !is_first => {
                let message = "another component of the source has this name: that one counts";
                taken.skip(Finding::new("duplicateName", KIND, component.id, &component.name, message));
                // Its presets are that one's presets.
                number(taken, component, id);
                continue;
            }
            Some(id) if known.is_some_and(|known| known.id == id && known.fingerprint == Some(print)) => {
                Ok((Outcome::Unchanged, id))
            }
            Some(id) => {
                if known.is_none() && former.is_none() && !memory.is_own {
                    let message = "a component of this name was here: it became what it is at the source";
                    taken.warn(Finding::new("replaced", KIND, component.id, &component.name, message));
                }
                let preset = component
                    .preset_id
                    .and_then(|preset_id| memory.known(Kind::Preset, preset_id))
                    .map(|preset_id| PresetId(preset_id.id));
                update(hand, id, &body, preset).await?.map(|()| (Outcome::Updated, id))
            }
            None => match create(hand, &body).await? {
                Ok(id) => Ok((Outcome::Created, id.unwrap_or_else(|| taken.make_up()))),
                Err(fault) => Err(fault),
            },
        };
        match outcome {
            Ok((outcome, id)) => {
                if let Some(former) = &former {
                    here.remove(former);
                }
                here.insert(component.name.clone(), id);
                if hand.ctx().is_none() {
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

/// The name under which it is here, when the source has none of that name any more.
fn former(component: &record::Component, here: &HashMap<String, i64>, names: &HashSet<&str>, memory: &Memory) -> Option<String> {
    let known = memory.known(KIND, component.id)?;
    let (name, _) = here.iter().find(|(name, id)| **id == known.id && !names.contains(name.as_str()))?;
    Some(name.clone())
}

/// The fields of all of them.
fn fields(items: &[Item]) -> rewrite::Schemas {
    let mut fields = rewrite::Schemas::default();
    for item in items {
        if let Subject::Record(Record::Component(it)) = &item.subject
            && let Some(schema) = it.schema()
        {
            fields.insert(&it.name, schema);
        }
    }
    fields
}

/// The component with its preview picture where that is now.
fn moved<'a>(component: &'a record::Component, memory: &Memory) -> Cow<'a, record::Component> {
    let image =
        component.definition.get("image").and_then(Value::as_str).and_then(|definition| memory.maps.urls.rewrite(definition));
    let Some(image) = image else { return Cow::Borrowed(component) };
    let mut moved = component.clone();
    moved.definition.insert("image".to_owned(), image.into());
    Cow::Owned(moved)
}

/// Remembers what the source's number is here, for presets.
fn number(taken: &mut Taken, component: &record::Component, id: i64) {
    if taken.ids.iter().any(|id| (id.0, id.1) == (KIND, component.id)) {
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
    let definition = match read(body).and_then(|value| value.create()) {
        Ok(definition) => definition,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some(ctx) = hand.ctx() else { return Ok(Ok(None)) };
    Ok(Ok(Some(components::insert(ctx.tx, ctx.space, &definition, ctx.now).await?.id.0)))
}

/// Makes it what it is at the source: what is not told there is not here either. It goes on to start from its preset until presets come, if that is still
/// the one.
async fn update(hand: &Hand<'_>, id: i64, body: &str, preset: Option<PresetId>) -> Result<std::result::Result<(), Fault>> {
    let definition = match read(body).and_then(|value| value.create()) {
        Ok(definition) => definition,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some(ctx) = hand.ctx() else { return Ok(Ok(())) };
    let Some(old) = components::lock(ctx.tx, ctx.space, ComponentId(id)).await? else { return Ok(Err(Fault::not_found())) };
    let preset_id = old.definition.preset_id.filter(|preset_id| preset == Some(*preset_id));
    components::update(ctx.tx, ctx.space, ComponentId(id), &Definition { preset_id, ..definition }, ctx.now).await?;
    Ok(Ok(()))
}

fn read(body: &str) -> std::result::Result<ComponentChange, Fault> {
    let read = serde_json::from_str(body).map(ComponentChange::from_other_system);
    read.map_err(|error| Fault::invalid("component", "invalid", error.to_string()))
}
