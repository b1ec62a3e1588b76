//! Presets: known by the source's numbers alone.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::memory::Memory;
use crypto::digest;
use domain::{
    content::{
        import::{Finding, Kind, Outcome, Record, record, rewrite},
        preset::{PresetChange, PresetDraft},
    },
    shared::{Fault, PresetId},
};
use serde_json::json;
use std::collections::HashSet;
use storage::{
    Result,
    content::{imports::lookups, presets},
};

const KIND: Kind = Kind::Preset;

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let here: HashSet<i64> = lookups::presets(&hand.query(), hand.space()).await?.into_iter().collect();
    let mut defaults = Vec::new();
    for item in items {
        let Subject::Record(Record::Preset(preset)) = &item.subject else {
            super::unreadable(KIND, &item.subject, taken);
            continue;
        };
        let Some(component) = memory.known(Kind::Component, preset.component_id) else {
            taken.fail(Finding::new("componentMissing", KIND, preset.id, &preset.name, "its component was not imported"));
            continue;
        };
        let (body, found) = body(preset, component.id, memory);
        taken.found(&found, (KIND, preset.id, &preset.name));
        let print = digest::of_parts([body.as_bytes()]);
        let draft = match read(&body) {
            Ok(draft) => draft,
            Err(fault) => {
                taken.refuse(KIND, preset.id, &preset.name, &fault);
                continue;
            }
        };
        let (outcome, id) = match memory.known(KIND, preset.id).filter(|k| here.contains(&k.id)) {
            Some(known) if known.fingerprint == Some(print) => (Outcome::Unchanged, known.id),
            Some(known) => {
                if let Some(ctx) = hand.ctx() {
                    presets::update(ctx.tx, ctx.space, PresetId(known.id), &draft, ctx.now).await?;
                }
                (Outcome::Updated, known.id)
            }
            None => match hand.ctx() {
                Some(ctx) => (Outcome::Created, presets::insert(ctx.tx, ctx.space, &draft, ctx.now).await?.id.0),
                None => (Outcome::Created, taken.make_up()),
            },
        };
        taken.took(memory, KIND, preset.id, outcome, id, print);
        if let Some(wanting) =
            memory.default_presets.get(&preset.id).and_then(|default_preset| memory.known(Kind::Component, default_preset.0))
            && wanting.id == component.id
        {
            defaults.push((component.id, id));
        }
    }
    if let Some(ctx) = hand.ctx() {
        lookups::set_default_presets(ctx.tx, ctx.space, &defaults).await?;
    }
    Ok(())
}

/// What a caller would send to make it.
fn body(preset: &record::Preset, component: i64, memory: &Memory) -> (String, rewrite::Found) {
    let mut content = if preset.preset.is_object() { preset.preset.clone() } else { json!({}) };
    let found = rewrite::content(&mut content, &memory.maps);
    let image = preset.image.as_ref().map(|url| memory.maps.urls.rewrite(url).unwrap_or_else(|| url.clone()));
    let body = json!({
        "name": preset.name, "component_id": component, "preset": content, "image": image, "color": preset.color,
        "icon": preset.icon, "description": preset.description,
    });
    (body.to_string(), found)
}

fn read(body: &str) -> std::result::Result<PresetDraft, Fault> {
    let change: PresetChange =
        serde_json::from_str(body).map_err(|error| Fault::invalid("preset", "invalid", error.to_string()))?;
    change.apply(None)
}
