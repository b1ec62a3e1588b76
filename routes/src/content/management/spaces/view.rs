//! A space in Storyblok's shape, with those of its members that exist here.

use domain::{
    content::{Language, Space, asset::MetaField, environment::Environment},
    shared::{SpaceId, UserId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;

/// What a caller sees of a space.
#[derive(Serialize)]
pub(super) struct SpaceView<'a> {
    id: SpaceId,
    name: &'a str,
    domain: &'a str,
    languages: &'a [Language],
    default_lang_name: Option<&'a str>,
    /// Whether only valid stories are published; a member of this service.
    publish_requires_valid: bool,
    environments: &'a [Environment],
    asset_custom_meta_data_schema: &'a [MetaField],
    options: Options<'a>,
    /// The cache version that delivery answers as `cv`.
    version: i64,
    stories_count: i64,
    owner_id: Option<UserId>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
}

/// Storyblok's older clients read the languages here.
#[derive(Serialize)]
struct Options<'a> {
    languages: &'a [Language],
}

impl<'a> SpaceView<'a> {
    /// The view of a space.
    pub(super) fn of(space: &'a Space) -> Self {
        let settings = &space.settings;
        Self {
            id: space.id,
            name: &settings.name,
            domain: settings.domain.as_deref().unwrap_or_default(),
            languages: &settings.languages,
            default_lang_name: settings.default_lang_name.as_deref(),
            publish_requires_valid: settings.publish_requires_valid,
            environments: &settings.environments,
            asset_custom_meta_data_schema: &settings.asset_meta_fields,
            options: Options { languages: &settings.languages },
            version: space.cv,
            stories_count: space.stories_count,
            owner_id: space.owner,
            created_at: space.created_at,
            updated_at: space.updated_at,
        }
    }
}
