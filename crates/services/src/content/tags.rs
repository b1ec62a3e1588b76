//! Commands of tags, over all stories that have them. Readers see them at once, in drafts and in what is
//! published, so each of them moves `cv`. They make no versions of the stories, which do not hold tags, and
//! no events.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right, story::clean_tags},
    shared::{Fault, FieldCode, StoryId},
};
use serde_json::json;
use std::collections::BTreeSet;
use storage::content::tags::{self, Tag};

/// The most tags of a story.
const MAX_TAGS: i32 = 500;

/// Renames a tag. One that has the new name already is merged with it.
pub struct RenameTag {
    pub from: String,
    pub to: String,
}

impl SpaceCommand for RenameTag {
    type Output = Tag;

    const NAME: &'static str = "tag.rename";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Tag, Changes)> {
        let to = name(&self.to)?;
        let old = tags::find(ctx.tx, ctx.space, &self.from).await?.ok_or_else(Fault::not_found)?;
        if to == old.name {
            return Ok((old, Changes::default()));
        }
        let stories = tags::rename(ctx.tx, ctx.space, &old.name, &to).await?;
        let after = tags::find(ctx.tx, ctx.space, &to).await?.ok_or_else(Fault::not_found)?;
        let meta = json!({ "from": old.name, "stories": stories });
        let changes = Changes::default().and_audit("tag.rename", "tag", &to, to.as_str(), meta).visible();
        Ok((after, changes))
    }
}

/// Removes a tag from all stories.
pub struct DeleteTag(pub String);

impl SpaceCommand for DeleteTag {
    type Output = ();

    const NAME: &'static str = "tag.delete";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let old = tags::find(ctx.tx, ctx.space, &self.0).await?.ok_or_else(Fault::not_found)?;
        let stories = tags::remove(ctx.tx, ctx.space, &old.name).await?;
        let meta = json!({ "stories": stories });
        Ok(((), Changes::default().and_audit("tag.delete", "tag", &old.name, old.name.as_str(), meta).visible()))
    }
}

/// Adds tags to stories. All of them get theirs, or none; 404 for a story that does not exist.
pub struct TagStories(pub Vec<(StoryId, Vec<String>)>);

impl SpaceCommand for TagStories {
    type Output = ();

    const NAME: &'static str = "tag.associate";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let mut pairs = Vec::new();
        for (story, given) in &self.0 {
            pairs.extend(clean_tags(given.clone())?.into_iter().map(|tag| (*story, tag)));
        }
        let ids: BTreeSet<i64> = self.0.iter().map(|(story, _)| story.0).collect();
        let ids: Vec<i64> = ids.into_iter().collect();
        if tags::active_stories(ctx.tx, ctx.space, &ids).await?.len() < ids.len() {
            return Err(Fault::not_found().into());
        }
        let mut changes = Changes::default();
        for story in tags::add(ctx.tx, ctx.space, &pairs).await? {
            if story.tags > MAX_TAGS {
                return Err(Fault::invalid("tag_list", FieldCode::TooMany, format!("has more than {MAX_TAGS} tags")).into());
            }
            let added: Vec<&str> = pairs.iter().filter(|(id, _)| *id == story.id).map(|(_, tag)| tag.as_str()).collect();
            changes = changes.and_audit("story.tag", "story", story.id, story.name, json!({ "tags": added })).visible();
        }
        Ok(((), changes))
    }
}

/// The name of a tag as stories store it. 422 when there is nothing of it.
fn name(text: &str) -> Result<String, Fault> {
    let cleaned = clean_tags(vec![text.to_owned()])
        .map_err(|_| Fault::invalid("name", FieldCode::TooLong, "is too long (maximum is 255 characters)"))?;
    cleaned.into_iter().next().ok_or_else(|| Fault::invalid("name", FieldCode::Blank, "can't be blank"))
}
