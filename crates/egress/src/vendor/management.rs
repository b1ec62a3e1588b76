//! The Management API: complete objects with drafts, one story a request.

use super::{Error, Page, Vendor, http_pool::JsonResponse, list, object, with_query};
use serde_json::Value;

/// The largest pages of lists, and of the entries of datasources.
const PAGE: &str = "100";
const ENTRIES: &str = "1000";

/// Components and their groups, which one response holds.
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
        let mut response = self.managed("/components", &[]).await?;
        let groups = match response.body.get_mut("component_groups").map(Value::take) {
            Some(Value::Array(groups)) => groups,
            _ => self.component_groups().await?,
        };
        Ok(Components { components: list(response, "components")?.items, groups })
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

    /// A page of the datasources with their dimensions.
    pub async fn datasources(&self, page: u64) -> Result<Page, Error> {
        self.page("datasources", page, PAGE, &[]).await
    }

    /// A page of the entries of a datasource; `dimension_value` is the value in the requested dimension.
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

    /// A page of the versions of a story, the newest first, with content: they hold the published content of stories whose draft has changed since.
    pub async fn story_versions(&self, story: i64, page: u64) -> Result<Page, Error> {
        let story = story.to_string();
        self.page("story_versions", page, "25", &[("by_story_id", &story), ("show_content", "1")]).await
    }

    /// A page of the schedulings of stories.
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

    /// A GET below the space, after waiting for the rate limit.
    async fn managed(&self, path: &str, parameters: &[(&str, &str)]) -> Result<JsonResponse, Error> {
        let path = with_query(&format!("/v1/spaces/{}{path}", self.space), parameters);
        let sent = self.management.acquire().await;
        let response = self.pool.get(&self.origins.management, path, Some(&self.token)).await;
        self.management.record(sent, &response);
        response
    }
}
