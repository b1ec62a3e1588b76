//! `{"story_scheduling": {story_id, publish_at, language?, status?}}`.

use crate::{
    content::management::wrapper,
    web::{ApiRequest, body::DEFAULT_LIMIT},
};
use domain::shared::{Fault, StoryId, timestamp};
use jiff::Timestamp;
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Body {
    story_id: Option<StoryId>,
    publish_at: Option<String>,
    language: Option<String>,
    status: Option<String>,
}

impl Body {
    pub(super) async fn read(request: &mut ApiRequest) -> Result<Self, Fault> {
        let body: Self = wrapper::read(request, "story_scheduling", DEFAULT_LIMIT).await?;
        if body.language.as_deref().is_some_and(|language| !["", "default", "[default]"].contains(&language)) {
            return Err(Fault::invalid("language", "unsupported", "cannot be set: a story is published in all its languages"));
        }
        if body.status.as_deref().is_some_and(|status| status != "scheduled") {
            return Err(Fault::invalid("status", "invalid", "can only be scheduled"));
        }
        Ok(body)
    }

    pub(super) fn story(&self) -> Result<StoryId, Fault> {
        self.story_id.ok_or_else(|| Fault::invalid("story_id", "blank", "can't be blank"))
    }

    pub(super) fn publish_at(&self) -> Result<Timestamp, Fault> {
        match self.publish_at.as_deref() {
            None | Some("") => Err(Fault::invalid("publish_at", "blank", "can't be blank")),
            Some(text) => timestamp::parse("publish_at", text),
        }
    }
}
