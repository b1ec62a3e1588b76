//! The settings of a space that an import adds: languages, the default language's name and where it is
//! previewed.
//! Existing settings are not changed.

use crate::content::command::CommandContext;
use domain::{
    content::{
        SpaceChange, SpaceSettings,
        import::{Finding, Kind, Report, record},
        language,
    },
    shared::Fault,
};
use serde_json::{Value, json};
use storage::{Result, content::spaces};

/// The settings of a space before and after.
pub(super) struct MergedSettings {
    before: SpaceSettings,
    pub(super) after: SpaceSettings,
}

/// Adds the settings that the source has and the space lacks. Invalid ones are left out and reported.
pub(super) async fn merge(ctx: &CommandContext<'_>, source: &record::Space, report: &mut Report) -> Result<MergedSettings> {
    let before = spaces::lock(ctx.tx, ctx.space).await?.ok_or_else(Fault::not_found)?;
    let mut settings = before.clone();
    for language in &source.languages {
        if settings.languages.iter().any(|other| language::suffix(&other.code) == language::suffix(&language.code)) {
            continue;
        }
        let mut languages = settings.languages.clone();
        languages.push(language.clone());
        match change(&settings, json!({ "languages": languages })) {
            Ok(changed) => settings = changed,
            Err(fault) => {
                report.warnings.add(Finding::new("languageInvalid", Kind::Story, 0, &language.code, &*fault.message));
            }
        }
    }
    let name = source.default_lang_name.as_ref().filter(|name| !name.trim().is_empty() && settings.default_lang_name.is_none());
    if let Some(Ok(changed)) = name.map(|name| change(&settings, json!({ "default_lang_name": name }))) {
        settings = changed;
    }
    let is_missing = settings.domain.as_ref().is_none_or(String::is_empty);
    if let Some(domain) = source.domain.as_ref().filter(|domain| !domain.trim().is_empty() && is_missing) {
        match change(&settings, json!({ "domain": domain })) {
            Ok(changed) => settings = changed,
            Err(fault) => report.warnings.add(Finding::new("domainInvalid", Kind::Story, 0, domain, &*fault.message)),
        }
    }
    settings = with_environments(settings, source, report);
    settings = with_asset_fields(settings, source, report);
    settings.publish_requires_valid |= source.publish_requires_valid.unwrap_or(false);
    Ok(MergedSettings { before, after: settings })
}

/// Adds the environments that the space has none of the same name of.
fn with_environments(mut settings: SpaceSettings, source: &record::Space, report: &mut Report) -> SpaceSettings {
    for environment in &source.environments {
        let name = environment.get("name").and_then(Value::as_str).unwrap_or_default();
        if settings.environments.iter().any(|own| own.name == name) {
            continue;
        }
        let mut all: Vec<Value> = settings.environments.iter().map(|own| json!(own)).collect();
        all.push(json!({ "name": name, "location": environment.get("location").and_then(Value::as_str).unwrap_or_default() }));
        match change(&settings, json!({ "environments": all })) {
            Ok(changed) => settings = changed,
            Err(fault) => report.warnings.add(Finding::new("environmentInvalid", Kind::Story, 0, name, &*fault.message)),
        }
    }
    settings
}

/// Adds the fields of assets that the space has none of the same key of. Of one that is not valid assets keep
/// their values all the same.
fn with_asset_fields(mut settings: SpaceSettings, source: &record::Space, report: &mut Report) -> SpaceSettings {
    for field in &source.asset_custom_meta_data_schema {
        let key = field.get("key").and_then(Value::as_str).unwrap_or_default();
        if settings.asset_meta_fields.iter().any(|own| own.key == key) {
            continue;
        }
        let mut all: Vec<Value> = settings.asset_meta_fields.iter().map(|own| json!(own)).collect();
        all.push(field.clone());
        match change(&settings, json!({ "asset_custom_meta_data_schema": all })) {
            Ok(changed) => settings = changed,
            Err(fault) => report.warnings.add(Finding::new("assetFieldInvalid", Kind::Asset, 0, key, &*fault.message)),
        }
    }
    settings
}

impl MergedSettings {
    /// Saves the settings if they changed. Returns whether they did.
    pub(super) async fn save(self, ctx: &CommandContext<'_>) -> Result<bool> {
        let changed = self.before != self.after;
        if changed {
            spaces::update(ctx.tx, ctx.space, &self.after, ctx.now).await?;
        }
        Ok(changed)
    }
}

fn change(settings: &SpaceSettings, body: Value) -> std::result::Result<SpaceSettings, Fault> {
    let change: SpaceChange = serde_json::from_value(body).map_err(|error| Fault::internal(error.to_string()))?;
    change.apply(settings.clone())
}
