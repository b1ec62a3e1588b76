//! A space: the tenant.

use super::{
    checks::Checks,
    field::Field,
    language::{self, Language},
};
use crate::shared::{Fault, SpaceId, UserId};
use jiff::Timestamp;
use serde::Deserialize;

/// The attributes of a space that its owner sets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpaceSettings {
    /// The name people see.
    pub name: String,
    /// The URL of previews.
    pub domain: Option<String>,
    /// Languages beside the default one.
    pub languages: Vec<Language>,
    /// The name of the default language.
    pub default_lang_name: Option<String>,
}

/// A space as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// Its number.
    pub id: SpaceId,
    /// The attributes that its owner set.
    pub settings: SpaceSettings,
    /// The owner; `None` when the account was deleted.
    pub owner: Option<UserId>,
    /// The cache version of its published content.
    pub cv: i64,
    /// The number of stories that are not deleted, without folders.
    pub stories_count: i64,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of the last change of its settings.
    pub updated_at: Timestamp,
}

/// The body of a request for a new space or a change of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SpaceChange {
    name: Option<String>,
    domain: Field<Option<String>>,
    languages: Option<Vec<Language>>,
    default_lang_name: Field<Option<String>>,
}

impl SpaceChange {
    /// A change of the name alone.
    pub fn named(name: Option<String>) -> Self {
        Self { name, ..Self::default() }
    }

    /// The settings with this change made.
    pub fn apply(&self, mut to: SpaceSettings) -> Result<SpaceSettings, Fault> {
        let given = self.clone();
        to.name = given.name.unwrap_or(to.name);
        self.domain.apply(&mut to.domain);
        to.languages = given.languages.unwrap_or(to.languages);
        self.default_lang_name.apply(&mut to.default_lang_name);

        let mut checks = Checks::default();
        checks.required("name", &to.name, 255);
        checks.text("domain", to.domain.as_deref(), 2048);
        let is_web = |value: &str| value.starts_with("https://") || value.starts_with("http://");
        if to.domain.as_deref().is_some_and(|domain| !domain.is_empty() && !is_web(domain)) {
            checks.refuse("domain", "invalid", "must start with https:// or http://");
        }
        language::check(&to.languages, &mut checks);
        checks.text("default_lang_name", to.default_lang_name.as_deref(), 255);
        checks.finish()?;
        Ok(to)
    }
}

#[cfg(test)]
mod tests {
    use super::{SpaceChange, SpaceSettings};

    #[test]
    fn wrong_settings_are_refused_by_name() {
        for (body, field) in [
            (r#"{"name":""}"#, "name"),
            (r#"{"domain":"javascript:alert(1)"}"#, "domain"),
            (r#"{"languages":[{"code":"default","name":"x"}]}"#, "languages"),
            (r#"{"languages":[{"code":"de","name":""}]}"#, "languages"),
        ] {
            let change: SpaceChange = serde_json::from_str(body).unwrap();
            let fault = change.apply(SpaceSettings { name: "a".into(), ..SpaceSettings::default() }).unwrap_err();
            assert_eq!(fault.details[0].field, field, "{body}");
        }
    }
}
