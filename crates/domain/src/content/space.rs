//! A space: the tenant.

use super::{
    asset::{MetaField, meta_field},
    checks::Checks,
    environment::{self, Environment},
    field::Field,
    language::{self, Language},
};
use crate::shared::{Code, Fault, FieldCode, SpaceId, UserId};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

/// For how long a deleted space can be brought back. The database keeps the same time.
pub const GRACE: SignedDuration = SignedDuration::from_hours(30 * 24);

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
    /// Whether only valid stories are published.
    pub publish_requires_valid: bool,
    /// Where it is previewed, beside the URL of previews.
    pub environments: Vec<Environment>,
    /// The fields of its assets.
    pub asset_meta_fields: Vec<MetaField>,
}

/// A space as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
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

/// A space as an administrator acts on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdministeredSpace {
    pub name: String,
    /// The owner; `None` when the account was deleted.
    pub owner: Option<UserId>,
    /// The time of its deletion.
    pub deleted_at: Option<Timestamp>,
}

impl AdministeredSpace {
    /// Whether this owner is to be written: `false` when they own the space already. 409 `spaceDeleted`, and
    /// `spaceHasOwner` when another account owns it.
    pub fn takes_owner(&self, owner: UserId) -> Result<bool, Fault> {
        if self.deleted_at.is_some() {
            return Err(Fault::of(Code::SpaceDeleted));
        }
        match self.owner {
            None => Ok(true),
            Some(current) if current == owner => Ok(false),
            Some(_) => Err(Fault::of(Code::SpaceHasOwner)),
        }
    }

    /// Whether the space is to be brought back: `false` when it is not deleted. 409 `graceOver` when it was
    /// deleted too long ago.
    pub fn can_be_undeleted(&self, now: Timestamp) -> Result<bool, Fault> {
        let Some(deleted_at) = self.deleted_at else { return Ok(false) };
        if now.duration_since(deleted_at) >= GRACE {
            return Err(Fault::of(Code::GraceOver));
        }
        Ok(true)
    }
}

/// The body of a request for a new space or a change of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SpaceChange {
    name: Option<String>,
    domain: Field<Option<String>>,
    languages: Option<Vec<Language>>,
    options: Option<Options>,
    default_lang_name: Field<Option<String>>,
    publish_requires_valid: Option<bool>,
    environments: Option<Vec<Environment>>,
    asset_custom_meta_data_schema: Option<Vec<MetaField>>,
}

/// Where Storyblok's older clients write the languages.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Options {
    languages: Option<Vec<Language>>,
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
        to.languages = given.languages.or(given.options.and_then(|options| options.languages)).unwrap_or(to.languages);
        self.default_lang_name.apply(&mut to.default_lang_name);
        to.publish_requires_valid = given.publish_requires_valid.unwrap_or(to.publish_requires_valid);
        to.environments = given.environments.unwrap_or(to.environments);
        to.asset_meta_fields = given.asset_custom_meta_data_schema.unwrap_or(to.asset_meta_fields);

        let mut checks = Checks::default();
        checks.required("name", &to.name, 255);
        checks.text("domain", to.domain.as_deref(), 2048);
        let is_web = |value: &str| value.starts_with("https://") || value.starts_with("http://");
        if to.domain.as_deref().is_some_and(|domain| !domain.is_empty() && !is_web(domain)) {
            checks.refuse("domain", FieldCode::Invalid, "must start with https:// or http://");
        }
        language::check(&to.languages, &mut checks);
        checks.text("default_lang_name", to.default_lang_name.as_deref(), 255);
        environment::check(&to.environments, &mut checks);
        meta_field::check(&to.asset_meta_fields, &mut checks);
        checks.finish()?;
        Ok(to)
    }

    /// 422 for an environment at the origin of this server.
    pub fn refuse_own_origin(&self, base_url: &str) -> Result<(), Fault> {
        let mut checks = Checks::default();
        environment::refuse_own(self.environments.as_deref().unwrap_or_default(), base_url, &mut checks);
        checks.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{AdministeredSpace, GRACE, SpaceChange, SpaceSettings};
    use crate::shared::UserId;
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    const SPACE: AdministeredSpace = AdministeredSpace { name: String::new(), owner: None, deleted_at: None };

    #[test]
    fn only_a_space_without_an_owner_is_given_one() {
        let (ann, bob) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        let refusal = |space: &AdministeredSpace| space.takes_owner(ann).map_err(|fault| fault.code.name());
        assert_eq!(refusal(&SPACE), Ok(true));
        assert_eq!(refusal(&AdministeredSpace { owner: Some(ann), ..SPACE }), Ok(false));
        assert_eq!(refusal(&AdministeredSpace { owner: Some(bob), ..SPACE }), Err("spaceHasOwner"));
        assert_eq!(refusal(&AdministeredSpace { deleted_at: Some(Timestamp::UNIX_EPOCH), ..SPACE }), Err("spaceDeleted"));
    }

    #[test]
    fn a_space_comes_back_until_its_grace_is_over() {
        let deleted = AdministeredSpace { deleted_at: Some(Timestamp::UNIX_EPOCH), ..SPACE };
        let after =
            |passed: SignedDuration| deleted.can_be_undeleted(Timestamp::UNIX_EPOCH + passed).map_err(|fault| fault.code.name());
        assert_eq!(after(GRACE - SignedDuration::from_secs(1)), Ok(true));
        assert_eq!(after(GRACE), Err("graceOver"));
        assert_eq!(SPACE.can_be_undeleted(Timestamp::UNIX_EPOCH).map_err(|fault| fault.code.name()), Ok(false));
    }

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

    #[test]
    fn a_preview_url_is_one_of_the_web_or_none() {
        let verdict = |domain: &str| {
            let change: SpaceChange = serde_json::from_value(serde_json::json!({"name": "A", "domain": domain})).unwrap();
            change.apply(SpaceSettings::default()).map(|to| to.domain).map_err(|fault| fault.details[0].field.clone())
        };
        for right in ["https://a.example/", "http://localhost:3000/", ""] {
            assert!(verdict(right).is_ok(), "{right}");
        }
        for wrong in ["a.example", "ftp://a.example", "javascript:alert(1)"] {
            assert_eq!(verdict(wrong), Err("domain".to_owned()), "{wrong}");
        }
        let renamed =
            SpaceChange::named(Some("B".into())).apply(SpaceSettings { name: "A".into(), ..SpaceSettings::default() }).unwrap();
        assert_eq!(renamed.name, "B");
    }
}
