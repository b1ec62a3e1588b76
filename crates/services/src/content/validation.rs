//! Validates a story's content by the schemas of its space ([`domain::content::validation`]), and keeps what
//! is not valid from being published where the space wants that.
//!
//! Two rounds to the database at most: the components that the content names, with their groups if one of
//! them asks for those; then the stories, entries and languages that their fields ask for.

use super::CommandContext;
use domain::{
    content::{
        story::StoryContent,
        validation::{Begun, Problems, Schemas, begin, validate},
    },
    shared::SpaceId,
};
use serde_json::Value;
use storage::{Executor, Result, content::validation};

/// The problems of a content.
pub async fn problems(executor: &impl Executor, space: SpaceId, content: &Value) -> Result<Problems> {
    let names: Vec<&str> = Schemas::names(content).into_iter().collect();
    let components = validation::components(executor, space, &names).await?;
    let groups = if Schemas::restrict_by_groups(&components) { validation::groups(executor, space).await? } else { Vec::new() };
    let schemas = Schemas::new(components, &groups);
    match begin(content, &schemas) {
        Begun::Complete(problems) => Ok(problems),
        Begun::Needs(needs) => {
            let surroundings = validation::surroundings(executor, space, &needs).await?;
            Ok(validate(content, &schemas, &surroundings))
        }
    }
}

/// The problems for which a content is not to be published; `None` when it may be.
pub(super) async fn obstacles(ctx: &CommandContext<'_>, content: &StoryContent) -> Result<Option<Problems>> {
    if !ctx.locked.publish_requires_valid {
        return Ok(None);
    }
    Ok(Some(problems(ctx.tx, ctx.space, content.tree()?).await?).filter(Problems::has_errors))
}

/// 422 for a content that is not to be published.
pub(super) async fn require_publishable(ctx: &CommandContext<'_>, content: &StoryContent) -> Result<()> {
    match obstacles(ctx, content).await? {
        None => Ok(()),
        Some(problems) => Err(problems.refusal().into()),
    }
}
