//! Spaces: `/api/v1/spaces` and `/api/v1/spaces/{space}`.

mod create;
mod view;

use super::{
    access::{AnySpace, Manager, TokenOrPerson},
    envelope,
    paginate::{list_parameters, paginate},
    warnings::{WithWarnings, of_members},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, BySession, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{Right, Space, SpaceChange},
    shared::{Fault, SpaceId},
};
use serde_json::json;
use services::content::spaces::{DeleteSpace, UpdateSpace};
use storage::content::spaces;
use view::SpaceView;

const KEY: &str = "space";

/// The settings that Storyblok's documentation names as writable, and that are not here.
const WITHOUT_EFFECT: [&str; 51] = [
    "ai_text_generator_disabled",
    "asset_aws_role",
    "asset_region",
    "auto_delete_old_versions_after_days",
    "aws_arn",
    "backup_frequency",
    "backup_time",
    "backup_week_day",
    "billing_address",
    "blueprint_reference",
    "branch_deployed_hook",
    "cloudinary_api_key",
    "cloudinary_cloud_name",
    "crawl_config",
    "custom_upload_limit_in_mb",
    "datasource_entry_saved_hook",
    "default_ai_lang_code",
    "default_root",
    "dimensions_app_folders",
    "duplicatable",
    "enable_dimensions_app_ai_translation",
    "enable_extended_char_set_in_stories_slug",
    "encode_preview_urls",
    "hosted_backup",
    "inherit_org_ai_configuration",
    "is_demo",
    "maintenance",
    "mobile_size",
    "onboarding_step",
    "onboarding_tour_disabled",
    "owner_id",
    "parent_id",
    "personal_s3_asset_bucket",
    "release_merged_hook",
    "required_assest_fields",
    "routes",
    "s3_bucket",
    "searchblok_id",
    "show_stories_alternative_versions",
    "stage_changed_hook",
    "story_published_hook",
    "story_saved_hook",
    "strong_auth",
    "tablet_size",
    "track_statistics",
    "translatable_asset_fields",
    "uniq_domain",
    "use_translated_stories",
    "version",
    "visual_mode_disable",
    "webhook_token",
];

/// The endpoints of spaces themselves; what is in a space has tables of its own.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces", AnySpace, list)
        .post("/api/v1/spaces", BySession, create::create)
        .get("/api/v1/spaces/{space}", Right::Read, read)
        .put("/api/v1/spaces/{space}", Right::Administer, update)
        .delete("/api/v1/spaces/{space}", Right::Administer, delete)
}

/// 200 `{"spaces": […]}`: the spaces that a person is a member of, or the space that a token opens. Filter:
/// `search` (in the name).
async fn list(content: Content, caller: TokenOrPerson, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let mut all = match caller {
        TokenOrPerson::Token(bearer) => {
            let connection = content.store.connection("space.find").await?;
            spaces::find(&connection, bearer.space).await?.into_iter().collect()
        }
        TokenOrPerson::Person(signed_in) => {
            let connection = content.store.connection("space.list").await?;
            spaces::list_of(&connection, signed_in.user).await?
        }
    };
    let query = list_parameters(&request, &["search"])?;
    if let Some(search) = query.get("search").map(str::to_lowercase) {
        all.retain(|space| space.settings.name.to_lowercase().contains(&search));
    }
    let found = paginate(&query, all)?;
    let views: Vec<_> = found.items.iter().map(SpaceView::of).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("spaces", views))?))
}

/// 200 with the space, for tokens of any role.
async fn read(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let space = find(&content, caller.space()).await?;
    ApiResponse::ok(&envelope::wrap(KEY, SpaceView::of(&space)))
}

async fn find(content: &Content, space: SpaceId) -> Result<Space, Fault> {
    let connection = content.store.connection("space.find").await?;
    spaces::find(&connection, space).await?.ok_or_else(Fault::not_found)
}

/// Of `{"space": {name?, domain?, languages?, default_lang_name?, publish_requires_valid?, …}}`: 200 with the
/// space as it is now, and `warnings` about settings that are not here. Members that are not named keep their
/// values; `languages`, which may stand below `options`, is replaced as a whole. A change moves `cv`.
async fn update(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let (change, sent): (SpaceChange, _) = envelope::read_with_members(&mut request, KEY, DEFAULT_LIMIT).await?;
    // What the caller has read is the space before this change.
    let warnings = of_members(&sent, &json!(SpaceView::of(&find(&content, caller.space()).await?)), &WITHOUT_EFFECT);
    change.refuse_own_origin(content.sessions.base_url())?;
    content.execute(&caller, UpdateSpace(change)).await?;
    let space = find(&content, caller.space()).await?;
    ApiResponse::ok(&WithWarnings::new(envelope::wrap(KEY, SpaceView::of(&space)), warnings))
}

/// 200 with the space as it was. The deletion is soft: the rows stay for 30 days, and all tokens stop working
/// at once.
async fn delete(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let space = find(&content, caller.space()).await?;
    content.execute(&caller, DeleteSpace).await?;
    ApiResponse::ok(&envelope::wrap(KEY, SpaceView::of(&space)))
}
