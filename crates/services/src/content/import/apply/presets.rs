//! Presets, identified by their ids at the source.

use super::{
    Applied, ApplyContext, ChunkOutcome,
    record::{PreparedContent, PreparedRecord, report_unusable},
};
use crate::content::import::state::ImportState;
use crypto::digest;
use domain::{
    content::{
        import::{Imported, Kind, Outcome, Record, record, rewrite},
        preset::{PresetChange, PresetDraft},
    },
    shared::{ComponentId, Fault, FieldCode, json::canonical},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use storage::{
    Result,
    content::{imports::lookups, presets},
};

const KIND: Kind = Kind::Preset;

pub(super) async fn apply(context: &ApplyContext<'_>, records: &[PreparedRecord], outcome: &mut ChunkOutcome) -> Result<()> {
    let state = context.state;
    let existing = lookups::presets(context.executor(), context.space()).await?;
    let mut defaults = BTreeMap::new();
    for record in records {
        let PreparedContent::Plain(Record::Preset(preset)) = &record.content else {
            report_unusable(KIND, &record.content, outcome);
            continue;
        };
        let Some(component) = state.mapping(preset.component_id) else {
            outcome.fail(preset.subject().finding("componentMissing", "its component was not imported"));
            continue;
        };
        let (body, result) = request_body(preset, component.id, state);
        outcome.add_rewrite_result(&result, preset.subject());
        let fingerprint = digest::of_parts([canonical(body.clone()).as_bytes()]);
        let body = body.to_string();
        let draft = match read(&body) {
            Ok(draft) => draft,
            Err(fault) => {
                outcome.reject(preset.subject(), &fault);
                continue;
            }
        };
        let mapping = state.mapping(preset.id).filter(|mapping| existing.contains(&mapping.id));
        let (done, id) = match (mapping, context.ctx()) {
            (Some(mapping), _) if mapping.fingerprint == Some(fingerprint) => (Outcome::Unchanged, mapping.id),
            (Some(mapping), ctx) => {
                if let Some(ctx) = ctx {
                    presets::update(ctx.tx, ctx.space, mapping.id, &draft, ctx.now).await?;
                }
                (Outcome::Updated, mapping.id)
            }
            (None, Some(ctx)) => (Outcome::Created, presets::insert(ctx.tx, ctx.space, &draft, ctx.now).await?.id),
            (None, None) => (Outcome::Created, outcome.next_fake_id()),
        };
        outcome.record_outcome(state, (KIND, preset.id), Applied { outcome: done, id, fingerprint });
        let owner = state.default_presets.get(&preset.id).and_then(|owner| state.mapping(owner.component));
        if owner.is_some_and(|owner| owner.id == component.id) {
            defaults.insert(component.id, id);
        }
    }
    if let Some(ctx) = context.ctx() {
        lookups::set_default_presets(ctx.tx, ctx.space, &defaults).await?;
    }
    Ok(())
}

/// The request body with which a client would create the preset.
fn request_body(preset: &record::Preset, component: ComponentId, state: &ImportState) -> (Value, rewrite::RewriteResult) {
    let mut content = if preset.preset.is_object() { preset.preset.clone() } else { json!({}) };
    let result = rewrite::content(&mut content, &state.maps);
    let image = preset.image.as_ref().map(|url| state.maps.urls.rewrite(url).unwrap_or_else(|| url.clone()));
    let body = json!({
        "name": preset.name, "component_id": component, "preset": content, "image": image, "color": preset.color,
        "icon": preset.icon, "description": preset.description,
    });
    (body, result)
}

fn read(body: &str) -> std::result::Result<PresetDraft, Fault> {
    let change: PresetChange =
        serde_json::from_str(body).map_err(|error| Fault::invalid("preset", FieldCode::Invalid, error.to_string()))?;
    change.apply(None)
}
