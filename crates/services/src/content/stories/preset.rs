//! The preset that the content of a new story begins with.

use crate::content::command::CommandContext;
use domain::{
    content::blocks,
    shared::{Fault, FieldCode, PresetId},
};
use serde_json::{Map, Value};
use storage::{Result, content::presets};

/// Which preset that is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PresetChoice {
    #[default]
    Nothing,
    Preset(PresetId),
    /// The default preset of the story's component, if it has one.
    Default,
}

/// The content that a caller sent, completed by the fields that only the preset has. 422 on `preset_id` for a
/// preset that does not exist, or that is of another component than the content.
pub(super) async fn with_preset(
    ctx: &CommandContext<'_>,
    choice: PresetChoice,
    content: Option<Value>,
    default_root: Option<&str>,
) -> Result<Option<Value>> {
    let given = match content {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(given)) => given,
        // What is no object is refused by the checks of every content.
        other => return Ok(other),
    };
    let component = blocks::component(&given).or(default_root).map(str::to_owned);
    let found = match (choice, &component) {
        (PresetChoice::Preset(id), _) => {
            let unknown = || Fault::invalid("preset_id", FieldCode::Unknown, "must be a preset of this space");
            Some(presets::find_content(ctx.tx, ctx.space, id).await?.ok_or_else(unknown)?)
        }
        (PresetChoice::Default, Some(component)) => presets::find_default_content(ctx.tx, ctx.space, component).await?,
        _ => None,
    };
    let Some(preset) = found else { return Ok(Some(Value::Object(given))) };
    if component.as_ref().is_some_and(|component| *component != preset.component) {
        return Err(Fault::invalid("preset_id", FieldCode::OtherComponent, format!("is a preset of {}", preset.component)).into());
    }
    let start: Value = serde_json::from_str(preset.content.get())
        .map_err(|error| Fault::internal(format!("a preset of {}: {error}", preset.component)))?;
    let Value::Object(mut start) = blocks::without_uids(start) else { return Ok(Some(Value::Object(given))) };
    start.insert("component".to_owned(), preset.component.into());
    start.extend(given);
    Ok(Some(Value::Object(start)))
}
