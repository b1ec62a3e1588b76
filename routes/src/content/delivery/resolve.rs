//! Resolves the references of stories: `rels`, `links` and `assets` beside them in the response.
//!
//! The content keeps its UUIDs. What they refer to is in the root of the response, once, and clients insert
//! it. When more is referred to than may be resolved at once, the response has the UUIDs alone, and clients
//! fetch these with `by_uuids`.

mod views;

use super::{
    access::ReadContext,
    view::{self, Rendering},
};
use crate::content::Assets;
use domain::{
    content::references::{Relations, Uuids, assets as named_assets, linked_stories},
    shared::{Fault, FieldCode, Parameters},
};
use serde::Serialize;
use serde_json::Value;
use std::{collections::HashMap, sync::Arc};
use storage::content::{
    assets,
    delivery::{
        relations::{RelatedStories, RelationPlan},
        stories::by_uuids,
        story::DeliveredStory,
    },
};
use uuid::Uuid;
use views::{LinkForm, asset_view, link_view};

/// How many links are resolved at once in the forms `url` and `link`.
const MAX_LINKS: usize = 500;
/// How many assets are resolved at once; of further ones clients have only what the content says.
const MAX_ASSETS: usize = 1000;

/// What is to be resolved.
pub(super) struct ResolveOptions {
    relations: Relations,
    /// Whether relations of relations are resolved, too.
    relations_deep: bool,
    links: Option<LinkForm>,
    links_deep: bool,
    assets: Option<Arc<Assets>>,
}

/// The resolved members of a response. When there are too many stories, the list of their UUIDs takes their
/// place.
#[derive(Debug, Default, Serialize)]
pub(super) struct Resolved {
    #[serde(skip_serializing_if = "Option::is_none")]
    rels: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rel_uuids: Option<Vec<Uuid>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link_uuids: Option<Vec<Uuid>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assets: Option<Vec<Value>>,
}

impl ResolveOptions {
    /// Parses the parameters; `deep` says whether relations of relations are resolved when `resolve_level` is
    /// not given. 422 that names the parameter that is wrong.
    pub(super) fn read(query: &Parameters, deep: bool, assets: &Arc<Assets>) -> Result<Self, Fault> {
        let is_two = |name: &'static str| match query.parsed::<u8>(name)? {
            Some(level @ (1 | 2)) => Ok(Some(level == 2)),
            Some(_) => Err(Fault::invalid(name, FieldCode::Invalid, "must be 1 or 2")),
            None => Ok(None),
        };
        let links = match query.get("resolve_links") {
            None | Some("" | "0") => None,
            Some("1" | "url") => Some(LinkForm::Url),
            Some("link") => Some(LinkForm::Link),
            Some("story") => Some(LinkForm::Story),
            Some(_) => return Err(Fault::invalid("resolve_links", FieldCode::Invalid, "must be url, link or story")),
        };
        if query.text("from_release").is_some_and(|release| release != "0") {
            return Err(Fault::invalid("from_release", FieldCode::Unknown, "names no release: this service has none"));
        }
        Ok(Self {
            relations: Relations::parse(&query.list("resolve_relations"))?,
            relations_deep: is_two("resolve_level")?.unwrap_or(deep),
            links,
            links_deep: is_two("resolve_links_level")?.unwrap_or(false),
            assets: query.flag("resolve_assets")?.then(|| assets.clone()),
        })
    }

    /// What the statement that reads the stories reads together with them.
    pub(super) fn relation_plan(&self, limit: usize) -> RelationPlan {
        let relations = if self.relations.is_empty() { 0 } else { 1 + usize::from(self.relations_deep) };
        let links = if self.links.is_none() { 0 } else { 1 + usize::from(self.links_deep) };
        let kinds = |step| {
            let related = self.relations.names().filter(|_| step < relations);
            // Links of the stories and of related stories are resolved; those of linked stories only with
            // `resolve_links_level=2`.
            let linked = (links > 0 && (step <= relations || self.links_deep)).then(String::new);
            related.chain(linked).collect()
        };
        let most = if matches!(self.links, None | Some(LinkForm::Story)) { limit } else { limit.max(MAX_LINKS) };
        // One more than the limit, so that an excess is noticed.
        RelationPlan {
            steps: (0..relations + links).map(kinds).collect(),
            limit: i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1),
        }
    }

    /// Resolves the references of stories, at most `limit` stories of each kind. Stories that were not read
    /// together with them are read now.
    pub(super) async fn resolve(
        &self,
        ctx: &ReadContext,
        rendering: &Rendering,
        stories: &[DeliveredStory],
        prefetched: &RelatedStories,
        limit: usize,
    ) -> Result<Resolved, Fault> {
        let page = Page { ctx, rendering, prefetched };
        let mut resolved = Resolved::default();
        let mut trees = Vec::new();
        if !self.relations.is_empty() || self.links.is_some() || self.assets.is_some() {
            trees = rendering.trees(stories)?;
        }
        let related = match self.related(&page, &trees, limit).await? {
            Found::Stories(related) => {
                resolved.rels = Some(view::values(&related, ctx, rendering)?);
                related
            }
            Found::TooMany(uuids) => {
                resolved.rel_uuids = Some(uuids);
                Vec::new()
            }
        };
        trees.extend(rendering.trees(&related)?);
        if let Some(assets) = &self.assets {
            resolved.assets = Some(asset_views(ctx, assets, &trees).await?);
        }
        match self.linked(&page, &trees, limit).await? {
            Found::Stories(linked) => resolved.links = Some(self.link_views(&linked, ctx, rendering)?),
            Found::TooMany(uuids) => resolved.link_uuids = Some(uuids),
        }
        Ok(resolved)
    }

    /// The stories of the relations, then the stories of their relations.
    async fn related(&self, page: &Page<'_>, trees: &[Value], limit: usize) -> Result<Found, Fault> {
        page.resolve_levels(trees, limit, self.relations_deep, |tree, uuids| self.relations.collect(tree, uuids)).await
    }

    /// The targets of the links, then the targets of their links.
    async fn linked(&self, page: &Page<'_>, trees: &[Value], limit: usize) -> Result<Found, Fault> {
        match self.links {
            None => Ok(Found::Stories(Vec::new())),
            Some(LinkForm::Story) => page.resolve_levels(trees, limit, self.links_deep, linked_stories).await,
            Some(_) => page.resolve_levels(trees, MAX_LINKS, self.links_deep, linked_stories).await,
        }
    }

    fn link_views(&self, linked: &[DeliveredStory], ctx: &ReadContext, rendering: &Rendering) -> Result<Vec<Value>, Fault> {
        match self.links {
            Some(LinkForm::Story) => view::values(linked, ctx, rendering),
            Some(form) => Ok(linked.iter().map(|l| link_view(l, form, rendering)).collect()),
            None => Ok(Vec::new()),
        }
    }
}

/// The context of resolving, with the stories that were read already.
struct Page<'a> {
    ctx: &'a ReadContext,
    rendering: &'a Rendering,
    prefetched: &'a RelatedStories,
}

impl Page<'_> {
    /// The stories that the trees refer to and, when `is_deep`, those that these refer to; at most `limit` in
    /// all.
    async fn resolve_levels(
        &self,
        trees: &[Value],
        limit: usize,
        is_deep: bool,
        collect: impl Fn(&Value, &mut Uuids),
    ) -> Result<Found, Fault> {
        let mut uuids = Uuids::default();
        for tree in trees {
            collect(tree, &mut uuids);
        }
        if uuids.as_slice().len() > limit {
            return Ok(Found::TooMany(uuids.as_slice().to_vec()));
        }
        let mut found = self.fetch(uuids.as_slice()).await?;
        if is_deep && !found.is_empty() {
            let known = uuids.as_slice().len();
            self.rendering.trees(&found)?.iter().for_each(|tree| collect(tree, &mut uuids));
            if uuids.as_slice().len() > limit {
                return Ok(Found::TooMany(uuids.as_slice().to_vec()));
            }
            found.extend(self.fetch(uuids.after(known)).await?);
        }
        Ok(Found::Stories(found))
    }

    /// The stories of these UUIDs, in their order.
    async fn fetch(&self, uuids: &[Uuid]) -> Result<Vec<DeliveredStory>, Fault> {
        let Self { ctx, prefetched, .. } = self;
        let unknown: Vec<Uuid> = uuids.iter().copied().filter(|uuid| prefetched.get(*uuid).is_none()).collect();
        let mut others = HashMap::new();
        if !unknown.is_empty() {
            let found = by_uuids(&ctx.connection, ctx.scope(), &unknown).await?;
            others.extend(found.into_iter().map(|f| (f.uuid, f)));
        }
        let story = |uuid: &Uuid| match prefetched.get(*uuid) {
            Some(story) => story.cloned(),
            None => others.remove(uuid),
        };
        Ok(uuids.iter().filter_map(story).collect())
    }
}

enum Found {
    Stories(Vec<DeliveredStory>),
    /// There are more than may be resolved at once.
    TooMany(Vec<Uuid>),
}

/// The assets of fields. The content keeps what its author wrote about them; clients merge the two.
async fn asset_views(ctx: &ReadContext, assets: &Assets, trees: &[Value]) -> Result<Vec<Value>, Fault> {
    let ids = named_assets(trees, MAX_ASSETS);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = assets::find_all(&ctx.connection, ctx.access.space, &ids).await?;
    Ok(found.iter().map(|f| asset_view(assets, f)).collect())
}
