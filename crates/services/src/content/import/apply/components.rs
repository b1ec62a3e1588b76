//! Components, identified by their names, because blocks refer to them by name: an existing component of the
//! same name becomes what it is at the source. A component that was renamed at the source is identified by
//! its id there, and gets the new name.
//!
//! Some sources have two components of one name, or even of one id. The first one counts.

use super::{
    Applied, ApplyContext, ChunkOutcome, hierarchy,
    record::{PreparedContent, PreparedRecord, report_unusable},
};
use crate::content::{components::append_version, import::state::ImportState};
use crypto::digest;
use domain::{
    content::{
        component::{ComponentChange, ComponentEvent, Definition},
        import::{
            Fingerprint, IdMapping, Imported, Kind, Outcome, Record, SourceId,
            record::{self, AssetFolder, ComponentGroup},
            rewrite,
        },
    },
    shared::{ComponentId, Fault, FieldCode, PresetId},
};
use serde_json::{Map, Value};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};
use storage::{
    Result,
    content::{components, imports::lookups},
};
use uuid::Uuid;

const KIND: Kind = Kind::Component;

/// What the components of a chunk are compared with.
struct Existing<'a> {
    /// The ids of the components here, by name.
    by_name: HashMap<String, ComponentId>,
    /// The UUIDs of the groups here.
    groups: HashSet<Uuid>,
    /// The names of all components of the chunk.
    source_names: HashSet<&'a str>,
    /// The schemas of all components of the chunk.
    source_schemas: rewrite::Schemas,
}

pub(super) async fn apply(context: &ApplyContext<'_>, records: &[PreparedRecord], outcome: &mut ChunkOutcome) -> Result<()> {
    let groups = hierarchy::list_existing::<ComponentGroup>(context).await?;
    let mut existing = Existing {
        by_name: lookups::components(context.executor(), context.space()).await?,
        groups: groups.into_iter().map(|group| group.uuid).collect(),
        source_names: records.iter().map(PreparedRecord::label).collect(),
        source_schemas: schemas(records),
    };
    existing.by_name.extend(context.state.dry_run_created.components.clone());
    let mut seen = HashSet::new();
    for record in records {
        let PreparedContent::Plain(Record::Component(component)) = &record.content else {
            report_unusable(KIND, &record.content, outcome);
            continue;
        };
        let is_first = seen.insert(component.name.as_str());
        apply_one(context, component, is_first, &mut existing, outcome).await?;
    }
    Ok(())
}

async fn apply_one(
    context: &ApplyContext<'_>,
    component: &record::Component,
    is_first: bool,
    existing: &mut Existing<'_>,
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let state = context.state;
    let group = component.component_group_uuid.filter(|uuid| existing.groups.contains(uuid));
    if group != component.component_group_uuid {
        outcome.warn(component.subject().finding("groupMissing", "its group is missing: it has none"));
    }
    let mut schema = schema(component, state);
    let result = rewrite::schema(&mut schema, &state.maps, &existing.source_schemas);
    outcome.add_rewrite_result(&result, component.subject());
    let body = with_rewritten_image(component, state).body(group, &schema);
    let fingerprint = digest::of_parts([body.as_bytes(), &component.preset_id.unwrap_or_default().number().to_be_bytes()]);
    let mapping = state.mapping(name_id(&component.name));
    let has_name = existing.by_name.contains_key(&component.name);
    let former_name = former_name(component, existing, state).filter(|_| !has_name);
    let found = existing.by_name.get(former_name.as_ref().unwrap_or(&component.name)).copied();
    let is_unchanged = |id| mapping.is_some_and(|mapping| mapping.id == id && mapping.fingerprint == Some(fingerprint));
    let applied = match found {
        Some(id) if !is_first => {
            let message = "another component of the source has this name: that one counts";
            outcome.skip(component.subject().finding("duplicateName", message));
            // The presets of this component become presets of the first one.
            map_source_id(outcome, component, id);
            return Ok(());
        }
        Some(id) if is_unchanged(id) => Ok((Outcome::Unchanged, id)),
        Some(id) => {
            if mapping.is_none() && former_name.is_none() && !state.is_same_space {
                let message = "a component of this name was here: it became what it is at the source";
                outcome.warn(component.subject().finding("replaced", message));
            }
            let preset = component.preset_id.and_then(|id| state.mapping(id)).map(|mapping| mapping.id);
            update(context, id, &body, preset).await?.map(|()| (Outcome::Updated, id))
        }
        None => create(context, &body, outcome).await?.map(|id| (Outcome::Created, id)),
    };
    match applied {
        Ok((done, id)) => {
            if let Some(former_name) = &former_name {
                existing.by_name.remove(former_name);
            }
            existing.by_name.insert(component.name.clone(), id);
            if context.ctx().is_none() {
                outcome.dry_run_created.components.insert(component.name.clone(), id);
            }
            map_source_id(outcome, component, id);
            outcome.record_outcome(state, (KIND, name_id(&component.name)), Applied { outcome: done, id, fingerprint });
            outcome.schemas.insert(component.name.clone(), schema);
        }
        Err(fault) => outcome.reject(component.subject(), &fault),
    }
    Ok(())
}

/// The name that the component has here, if the source has no component of that name any more.
fn former_name(component: &record::Component, existing: &Existing<'_>, state: &ImportState) -> Option<String> {
    let mapping = state.mapping(component.id)?;
    let is_former = |(name, id): &(&String, &ComponentId)| **id == mapping.id && !existing.source_names.contains(name.as_str());
    existing.by_name.iter().find(is_former).map(|(name, _)| name.clone())
}

/// The schemas of all components of a chunk.
fn schemas(records: &[PreparedRecord]) -> rewrite::Schemas {
    let mut schemas = rewrite::Schemas::default();
    for record in records {
        if let PreparedContent::Plain(Record::Component(component)) = &record.content
            && let Some(schema) = component.schema()
        {
            schemas.insert(&component.name, schema);
        }
    }
    schemas
}

/// The component with the new URL of its preview image.
fn with_rewritten_image<'a>(component: &'a record::Component, state: &ImportState) -> Cow<'a, record::Component> {
    let image = component.definition.get("image").and_then(Value::as_str).and_then(|url| state.maps.urls.rewrite(url));
    let Some(image) = image else { return Cow::Borrowed(component) };
    let mut rewritten = component.clone();
    rewritten.definition.insert("image".to_owned(), image.into());
    Cow::Owned(rewritten)
}

/// Maps the component's id at the source, by which presets refer to it.
fn map_source_id(outcome: &mut ChunkOutcome, component: &record::Component, id: ComponentId) {
    if outcome.ids.get(component.id).is_some() {
        let message = "another component of the source has its number: presets of that number are the other one's";
        outcome.warn(component.subject().finding("duplicateId", message));
        return;
    }
    outcome.ids.insert(component.id, IdMapping::reserved(id));
}

/// A negative id derived from a name, under which a component's mapping is stored. The source's own ids are
/// positive.
fn name_id(name: &str) -> SourceId<record::Component> {
    let digest: Fingerprint = digest::of_parts([name.as_bytes()]);
    let mut half = [0; 8];
    half.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
    SourceId::of(i64::from_be_bytes(half) | i64::MIN)
}

/// The schema with the ids of asset folders rewritten.
fn schema(component: &record::Component, state: &ImportState) -> Map<String, Value> {
    let mut schema = component.schema().cloned().unwrap_or_default();
    for field in schema.values_mut().filter_map(Value::as_object_mut) {
        if let Some(folder) = field.get_mut("asset_folder_id")
            && let Some(old) = folder.as_i64()
            && let Some(new) = state.mapping(SourceId::<AssetFolder>::of(old))
        {
            *folder = new.id.0.into();
        }
    }
    schema
}

async fn create(
    context: &ApplyContext<'_>,
    body: &str,
    outcome: &mut ChunkOutcome,
) -> Result<std::result::Result<ComponentId, Fault>> {
    let definition = match read(body).and_then(|change| change.create()) {
        Ok(definition) => definition,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some(ctx) = context.ctx() else { return Ok(Ok(outcome.next_fake_id())) };
    let created = components::insert(ctx.tx, ctx.space, &definition, ctx.now).await?;
    append_version(ctx, created.id, ComponentEvent::Create).await?;
    Ok(Ok(created.id))
}

/// Replaces the whole definition: an attribute that is missing at the source is removed here. The default
/// preset stays until presets are imported, if it is still the same one.
async fn update(
    context: &ApplyContext<'_>,
    id: ComponentId,
    body: &str,
    preset: Option<PresetId>,
) -> Result<std::result::Result<(), Fault>> {
    let definition = match read(body).and_then(|change| change.create()) {
        Ok(definition) => definition,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some(ctx) = context.ctx() else { return Ok(Ok(())) };
    let Some(old) = components::lock(ctx.tx, ctx.space, id).await? else { return Ok(Err(Fault::not_found())) };
    let preset_id = old.definition.preset_id.filter(|id| preset == Some(*id));
    components::update(ctx.tx, ctx.space, id, &Definition { preset_id, ..definition }, ctx.now).await?;
    append_version(ctx, id, ComponentEvent::Update).await?;
    Ok(Ok(()))
}

fn read(body: &str) -> std::result::Result<ComponentChange, Fault> {
    let read = serde_json::from_str(body).map(ComponentChange::from_other_system);
    read.map_err(|error| Fault::invalid("component", FieldCode::Invalid, error.to_string()))
}
