//! Resolving what stories refer to: `rels`, `links` and `assets` beside them (facts, sections 1.8 to 1.10).
//!
//! The content keeps its UUIDs; what they name stands once, in the root of the answer, and clients put it in its place. Where more is
//! named than may be resolved at once, the UUIDs alone are given, and clients fetch them with `by_uuids`.

mod views;

use super::{
    access::Reading,
    view::{self, Rendering},
};
use crate::content::Assets;
use domain::{
    content::references::{Relations, Uuids, assets as named_assets, linked_stories},
    shared::{Fault, Parameters},
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

/// The parameters.
pub(super) const PARAMETERS: [&str; 6] =
    ["resolve_relations[]", "resolve_level", "resolve_links", "resolve_links_level", "resolve_assets", "from_release"];
/// How many small links are resolved at once.
const MAX_LINKS: usize = 500;
/// How many assets are resolved at once; further ones are left to what content says of them.
const MAX_ASSETS: usize = 1000;

/// What is to be resolved.
pub(super) struct Wanted {
    relations: Relations,
    /// Whether relations of relations are wanted, too.
    is_deep: bool,
    links: Option<LinkForm>,
    links_deep: bool,
    assets: Option<Arc<Assets>>,
}

/// What was resolved. In an overflow the list of UUIDs takes the place of the stories.
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

impl Wanted {
    /// Reads the parameters; `deep` is the depth of relations when it is not said. 422 that names the parameter at fault.
    pub(super) fn read(query: &Parameters, deep: bool, assets: &Arc<Assets>) -> Result<Self, Fault> {
        let is_two = |name: &'static str| match query.parsed::<u8>(name)? {
            Some(level @ (1 | 2)) => Ok(Some(level == 2)),
            Some(_) => Err(Fault::invalid(name, "invalid", "must be 1 or 2")),
            None => Ok(None),
        };
        let links = match query.get("resolve_links") {
            None | Some("" | "0") => None,
            Some("1" | "url") => Some(LinkForm::Url),
            Some("link") => Some(LinkForm::Link),
            Some("story") => Some(LinkForm::Story),
            Some(_) => return Err(Fault::invalid("resolve_links", "invalid", "must be url, link or story")),
        };
        if query.text("from_release").is_some() {
            return Err(Fault::invalid("from_release", "unknown", "names no release: this service has none"));
        }
        Ok(Self {
            relations: Relations::parse(&query.list("resolve_relations"))?,
            is_deep: is_two("resolve_level")?.unwrap_or(deep),
            links,
            links_deep: is_two("resolve_links_level")?.unwrap_or(false),
            assets: query.flag("resolve_assets")?.then(|| assets.clone()),
        })
    }

    /// What the statement that reads the stories is to read with them.
    pub(super) fn follow(&self, limit: usize) -> RelationPlan {
        let relations = if self.relations.is_empty() { 0 } else { 1 + usize::from(self.is_deep) };
        let links = if self.links.is_none() { 0 } else { 1 + usize::from(self.links_deep) };
        let kinds = |step| {
            let related = self.relations.names().filter(|_| step < relations);
            // Links are resolved of the stories and of what is related to them; of what these link to only when that is asked for.
            let linked = (links > 0 && (step <= relations || self.links_deep)).then(String::new);
            related.chain(linked).collect()
        };
        let most = if matches!(self.links, None | Some(LinkForm::Story)) { limit } else { limit.max(MAX_LINKS) };
        // One more, so that what is too many is seen to be.
        RelationPlan {
            steps: (0..relations + links).map(kinds).collect(),
            limit: i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1),
        }
    }

    /// Resolves what these stories refer to; at most `limit` stories of each kind. What was not read with them is read now.
    pub(super) async fn resolve(
        &self,
        reading: &Reading,
        rendering: &Rendering,
        stories: &[DeliveredStory],
        followed: &RelatedStories,
        limit: usize,
    ) -> Result<Resolved, Fault> {
        let page = Page { reading, rendering, followed };
        let mut resolved = Resolved::default();
        let mut trees = Vec::new();
        if !self.relations.is_empty() || self.links.is_some() || self.assets.is_some() {
            trees = rendering.trees(stories)?;
        }
        let related = match self.related(&page, &trees, limit).await? {
            Found::Stories(related) => {
                resolved.rels = Some(view::values(&related, reading, rendering)?);
                related
            }
            Found::TooMany(uuids) => {
                resolved.rel_uuids = Some(uuids);
                Vec::new()
            }
        };
        trees.extend(rendering.trees(&related)?);
        if let Some(assets) = &self.assets {
            resolved.assets = Some(asset_views(reading, assets, &trees).await?);
        }
        match self.linked(&page, &trees, limit).await? {
            Found::Stories(linked) => resolved.links = Some(self.link_views(&linked, reading, rendering)?),
            Found::TooMany(uuids) => resolved.link_uuids = Some(uuids),
        }
        Ok(resolved)
    }

    /// The stories that relations name, then those that these name.
    async fn related(&self, page: &Page<'_>, trees: &[Value], limit: usize) -> Result<Found, Fault> {
        page.two_steps(trees, limit, self.is_deep, |tree, uuids| self.relations.collect(tree, uuids)).await
    }

    /// The stories that links lead to, then those that their links lead to.
    async fn linked(&self, page: &Page<'_>, trees: &[Value], limit: usize) -> Result<Found, Fault> {
        match self.links {
            None => Ok(Found::Stories(Vec::new())),
            Some(LinkForm::Story) => page.two_steps(trees, limit, self.links_deep, linked_stories).await,
            Some(_) => page.two_steps(trees, MAX_LINKS, self.links_deep, linked_stories).await,
        }
    }

    fn link_views(&self, linked: &[DeliveredStory], reading: &Reading, rendering: &Rendering) -> Result<Vec<Value>, Fault> {
        match self.links {
            Some(LinkForm::Story) => view::values(linked, reading, rendering),
            Some(form) => Ok(linked.iter().map(|l| link_view(l, form, rendering)).collect()),
            None => Ok(Vec::new()),
        }
    }
}

/// What has been read already, and how more of it is read.
struct Page<'a> {
    reading: &'a Reading,
    rendering: &'a Rendering,
    followed: &'a RelatedStories,
}

impl Page<'_> {
    /// The stories that these trees name, and for who wants it deep those that they name themselves; at most so many in all.
    async fn two_steps(
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
        let Self { reading, followed, .. } = self;
        let unknown: Vec<Uuid> = uuids.iter().copied().filter(|uuid| followed.get(*uuid).is_none()).collect();
        let mut others = HashMap::new();
        if !unknown.is_empty() {
            let found = by_uuids(&reading.connection, reading.reader.space, reading.copy, &unknown).await?;
            others.extend(found.into_iter().map(|f| (f.uuid, f)));
        }
        let story = |uuid: &Uuid| match followed.get(*uuid) {
            Some(story) => story.cloned(),
            None => others.remove(uuid),
        };
        Ok(uuids.iter().filter_map(story).collect())
    }
}

enum Found {
    Stories(Vec<DeliveredStory>),
    /// More than may be resolved at once.
    TooMany(Vec<Uuid>),
}

/// The assets that are named in fields. Content keeps what its author wrote beside them; clients put the one over the other.
async fn asset_views(reading: &Reading, assets: &Assets, trees: &[Value]) -> Result<Vec<Value>, Fault> {
    let ids = named_assets(trees, MAX_ASSETS);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = assets::find_all(&reading.connection, reading.reader.space, &ids).await?;
    Ok(found.iter().map(|f| asset_view(assets, f)).collect())
}
