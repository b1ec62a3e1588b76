//! The management API: whole objects with their drafts, one story a request.

use super::{Error, Page, Vendor, lines::Asked, list, object, with_query};
use serde_json::Value;

/// The most that lists give at a time: stories and assets, and the entries of datasources.
const PAGE: &str = "100";
const ENTRIES: &str = "1000";

/// Components and their groups: the source gives both at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// The components.
    pub components: Vec<Value>,
    /// The groups.
    pub groups: Vec<Value>,
}

impl Vendor {
    /// The space itself: languages, counts, `first_token`.
    pub async fn space(&self) -> Result<Value, Error> {
        object(self.managed("", &[]).await?, "space")
    }

    /// All components and their groups.
    pub async fn components(&self) -> Result<Components, Error> {
        let mut answer = self.managed("/components", &[]).await?;
        let groups = match answer.body.get_mut("component_groups").map(Value::take) {
            Some(Value::Array(groups)) => groups,
            _ => self.component_groups().await?,
        };
        Ok(Components { components: list(answer, "components")?.items, groups })
    }

    /// All component groups.
    pub async fn component_groups(&self) -> Result<Vec<Value>, Error> {
        Ok(list(self.managed("/component_groups", &[]).await?, "component_groups")?.items)
    }

    /// All presets.
    pub async fn presets(&self) -> Result<Vec<Value>, Error> {
        Ok(list(self.managed("/presets", &[]).await?, "presets")?.items)
    }

    /// A page of the tags of components and assets.
    pub async fn internal_tags(&self, page: u64) -> Result<Page, Error> {
        self.page("internal_tags", page, PAGE, &[]).await
    }

    /// A page of the datasources, each with its dimensions.
    pub async fn datasources(&self, page: u64) -> Result<Page, Error> {
        self.page("datasources", page, PAGE, &[]).await
    }

    /// A page of the entries of a datasource; `dimension_value` is filled for the dimension that is asked for.
    pub async fn datasource_entries(&self, datasource: i64, dimension: Option<i64>, page: u64) -> Result<Page, Error> {
        let (datasource, dimension) = (datasource.to_string(), dimension.map(|dimension| dimension.to_string()));
        let dimension = dimension.as_deref().map(|dimension| ("dimension", dimension));
        let parameters: Vec<_> = [("datasource_id", datasource.as_str())].into_iter().chain(dimension).collect();
        self.page("datasource_entries", page, ENTRIES, &parameters).await
    }

    /// All folders of assets.
    pub async fn asset_folders(&self) -> Result<Vec<Value>, Error> {
        Ok(list(self.managed("/asset_folders", &[]).await?, "asset_folders")?.items)
    }

    /// A page of the assets, without their bodies.
    pub async fn assets(&self, page: u64) -> Result<Page, Error> {
        self.page("assets", page, PAGE, &[]).await
    }

    /// A page of the stories and folders, without content.
    pub async fn stories(&self, page: u64) -> Result<Page, Error> {
        self.page("stories", page, PAGE, &[("with_translated_stories", "1")]).await
    }

    /// A story with its draft.
    pub async fn story(&self, story: i64) -> Result<Value, Error> {
        object(self.managed(&format!("/stories/{story}"), &[]).await?, "story")
    }

    /// A page of the versions of a story, the newest first, with content: where what was published is found when the draft has gone on.
    pub async fn story_versions(&self, story: i64, page: u64) -> Result<Page, Error> {
        let story = story.to_string();
        self.page("story_versions", page, "25", &[("by_story_id", &story), ("show_content", "1")]).await
    }

    /// A page of what is planned for stories.
    pub async fn story_schedulings(&self, page: u64) -> Result<Page, Error> {
        self.page("story_schedulings", page, PAGE, &[]).await
    }

    /// The tokens of the delivery API, which only an admin's token may read.
    pub async fn api_keys(&self) -> Result<Vec<Value>, Error> {
        Ok(list(self.managed("/api_keys", &[]).await?, "api_keys")?.items)
    }

    async fn page(&self, name: &str, page: u64, per_page: &str, parameters: &[(&str, &str)]) -> Result<Page, Error> {
        let page = page.to_string();
        let paging = [("page", page.as_str()), ("per_page", per_page)];
        let parameters: Vec<_> = paging.into_iter().chain(parameters.iter().copied()).collect();
        list(self.managed(&format!("/{name}"), &parameters).await?, name)
    }

    /// A GET below the space, when it is its turn.
    async fn managed(&self, path: &str, parameters: &[(&str, &str)]) -> Result<Asked, Error> {
        let path = with_query(&format!("/v1/spaces/{}{path}", self.space), parameters);
        let turn = self.management.turn().await;
        let answer = self.lines.get(&self.origins.management, path, Some(&self.token)).await;
        self.management.done(turn, &answer);
        answer
    }
}
