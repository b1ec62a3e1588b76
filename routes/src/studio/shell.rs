//! `/studio/{space}/…`: the shell of the application. Everything below a space is the same document; the
//! application reads the rest of the address itself.

use super::{Bundle, Reader, Studio};
use crate::web::{ApiRequest, ApiResponse, headers};
use domain::{
    content::{Space, query::ListOrder},
    shared::{Fault, PageRequest, SpaceId},
};
use http::{StatusCode, header};
use pages::studio::{
    missing_page,
    shell::{ShellView, shell},
};
use serde_json::{Value, json};
use storage::{
    Connection,
    content::{
        components::{self, ComponentName},
        members, spaces,
        stories::list::{self as stories, Extras, ListedStory, StoryFilter},
    },
};

/// The most folders that the shell brings. The application asks for more when a person scrolls to them.
const FOLDERS: u32 = 100;

/// 200 with the shell, for members; the page of a 404 for others, so that spaces cannot be probed; 501 with a
/// page that says how to build the application where the server has none.
pub(super) async fn show(
    studio: Studio,
    (visitor, signed_in): Reader,
    space: SpaceId,
    _rest: String,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let connection = studio.content.store.connection("studio.shell").await?;
    let role = members::find_role(&connection, space, signed_in.user).await?.ok_or_else(Fault::not_found)?;
    let Some(bundle) = &studio.bundle else {
        return Ok(visitor.page(&studio.pages, StatusCode::NOT_IMPLEMENTED, missing_page));
    };
    let space = spaces::find(&connection, space).await?.ok_or_else(Fault::not_found)?;
    let (name, email) = visitor.person().unwrap_or_default();
    let data = json!({
        "language": visitor.language().tag(),
        "csrf_token": visitor.csrf_token(),
        "base_url": *studio.base_url,
        "person": { "id": signed_in.user, "name": name, "email": email },
        "role": role,
        "space": space_view(&space),
        "asset_max_mb": studio.content.assets.blobs.max_bytes() >> 20,
        "tree": top_of_tree(&connection, space.id).await?,
        "components": component_names(&connection, space.id).await?,
    });
    let url = |file: &str| format!("/assets/studio/{file}");
    let (script, style) = (url(bundle.script), url(bundle.style));
    let texts = url(texts_of(bundle, visitor.language().tag()));
    let data = data.to_string();
    let view = ShellView { space: &space.settings.name, script: &script, texts: &texts, style: &style, data: &data };
    let frames = preview_sources(&space, &studio.base_url);
    let policy = headers::studio_policy(&frames).ok_or_else(|| Fault::internal("the policy of the studio"))?;
    Ok(visitor.ok(&studio.pages, |frame| shell(frame, view)).with(header::CONTENT_SECURITY_POLICY, policy))
}

/// Where the pages come from that the application frames: the origins at which the space is previewed. This
/// server is none of them, because a page of it in a frame could do whatever the person may.
fn preview_sources(space: &Space, base_url: &str) -> Vec<String> {
    let settings = &space.settings;
    let locations = settings.domain.iter().chain(settings.environments.iter().map(|environment| &environment.location));
    let own = headers::source_of(base_url);
    let mut sources: Vec<String> = locations
        .filter_map(|location| headers::source_of(location))
        // A host with an asterisk would stand for others as well.
        .filter(|source| Some(source) != own.as_ref() && source.starts_with("http") && !source.contains('*'))
        .collect();
    sources.sort();
    sources.dedup();
    sources
}

/// The file with the texts of a language, else the first one.
fn texts_of(bundle: &Bundle, language: &str) -> &'static str {
    let found = bundle.texts.iter().find(|(known, _)| *known == language).or(bundle.texts.first());
    found.map_or(bundle.script, |(_, file)| file)
}

fn space_view(space: &Space) -> Value {
    json!({
        "id": space.id,
        "name": space.settings.name,
        "languages": space.settings.languages,
        "default_lang_name": space.settings.default_lang_name,
        "domain": space.settings.domain,
        "environments": space.settings.environments,
        "publish_requires_valid": space.settings.publish_requires_valid,
        "asset_meta_fields": space.settings.asset_meta_fields,
    })
}

/// The first folders at the top, and how many there are, in the names of the Management API.
async fn top_of_tree(connection: &Connection, space: SpaceId) -> Result<Value, Fault> {
    let extras = Extras { counts: true, ..Extras::default() };
    let at_the_top = StoryFilter { parent: Some(0), is_folder: Some(true), ..StoryFilter::default() };
    let page = PageRequest { page: 1, per_page: FOLDERS };
    let found = stories::list(connection, space, &at_the_top, &ListOrder::Position, page, extras).await?.page;
    Ok(json!({ "folders": found.items.iter().map(folder).collect::<Vec<_>>(), "total": found.total }))
}

async fn component_names(connection: &Connection, space: SpaceId) -> Result<Vec<Value>, Fault> {
    let found = components::names(connection, space).await?;
    let view = |component: &ComponentName| {
        let ComponentName { name, display_name, is_root } = component;
        json!({ "name": name, "display_name": display_name, "is_root": is_root })
    };
    Ok(found.iter().map(view).collect())
}

fn folder(ListedStory { story, children, .. }: &ListedStory) -> Value {
    json!({
        "id": story.story.id,
        "name": story.draft.name,
        "slug": story.story.place.slug,
        "full_slug": story.story.place.full_slug,
        "parent_id": story.story.place.parent,
        "children": children,
        "default_root": story.story.default_root,
    })
}
