//! The Management API: complete objects with drafts, one story a request.

use super::{
    Error, Limits, Member, RECORD, Record, STORY, Vendor, VendorPage,
    http_pool::{Expected, Response},
    list, list_of, object, object_of, with_query,
};

/// The largest pages of lists, and of the entries of datasources.
const PAGE: &str = "100";
const ENTRIES: &str = "1000";

/// Components and their groups, which one response holds.
#[derive(Debug)]
pub struct Components {
    pub components: Vec<Record>,
    pub groups: Vec<Record>,
}

impl Vendor {
    /// The space itself: languages, counts, `first_token`.
    pub async fn space(&self) -> Result<Record, Error> {
        object(self.managed("", &[], (const { &[object_of("space")] }, RECORD)).await?)
    }

    /// All components and their groups.
    pub async fn components(&self) -> Result<Components, Error> {
        let wanted = const { &[list_of("components"), list_of("component_groups")] };
        let mut response = self.managed("/components", &[], (wanted, RECORD)).await?;
        let components = response.take(0).ok_or(Error::Unreadable)?;
        let groups = match response.take(1) {
            Some(groups) => groups,
            None => self.component_groups().await?,
        };
        Ok(Components { components, groups })
    }

    /// All component groups.
    pub async fn component_groups(&self) -> Result<Vec<Record>, Error> {
        self.whole("/component_groups", const { &[list_of("component_groups")] }).await
    }

    /// All presets.
    pub async fn presets(&self) -> Result<Vec<Record>, Error> {
        self.whole("/presets", const { &[list_of("presets")] }).await
    }

    /// A page of the tags of components and assets.
    pub async fn internal_tags(&self, page: u64) -> Result<VendorPage, Error> {
        self.page("/internal_tags", (page, PAGE), &[], (const { &[list_of("internal_tags")] }, RECORD)).await
    }

    /// A page of the datasources with their dimensions.
    pub async fn datasources(&self, page: u64) -> Result<VendorPage, Error> {
        self.page("/datasources", (page, PAGE), &[], (const { &[list_of("datasources")] }, RECORD)).await
    }

    /// A page of the entries of a datasource; `dimension_value` is the value in the requested dimension.
    pub async fn datasource_entries(&self, datasource: i64, dimension: Option<i64>, page: u64) -> Result<VendorPage, Error> {
        let (datasource, dimension) = (datasource.to_string(), dimension.map(|dimension| dimension.to_string()));
        let dimension = dimension.as_deref().map(|dimension| ("dimension", dimension));
        let parameters: Vec<_> = [("datasource_id", datasource.as_str())].into_iter().chain(dimension).collect();
        let wanted = const { &[list_of("datasource_entries")] };
        self.page("/datasource_entries", (page, ENTRIES), &parameters, (wanted, RECORD)).await
    }

    /// All folders of assets.
    pub async fn asset_folders(&self) -> Result<Vec<Record>, Error> {
        self.whole("/asset_folders", const { &[list_of("asset_folders")] }).await
    }

    /// A page of the assets, without their bodies.
    pub async fn assets(&self, page: u64) -> Result<VendorPage, Error> {
        self.page("/assets", (page, PAGE), &[], (const { &[list_of("assets")] }, RECORD)).await
    }

    /// A page of the stories and folders, without content.
    pub async fn stories(&self, page: u64) -> Result<VendorPage, Error> {
        let parameters = [("with_translated_stories", "1")];
        self.page("/stories", (page, PAGE), &parameters, (const { &[list_of("stories")] }, RECORD)).await
    }

    /// A story with its draft.
    pub async fn story(&self, story: i64) -> Result<Record, Error> {
        object(self.managed(&format!("/stories/{story}"), &[], (const { &[object_of("story")] }, STORY)).await?)
    }

    /// A page of the versions of a story, the newest first, with content: they hold the published content of
    /// stories whose draft has changed since.
    pub async fn story_versions(&self, story: i64, page: u64) -> Result<VendorPage, Error> {
        let story = story.to_string();
        let parameters = [("by_story_id", story.as_str()), ("show_content", "1")];
        self.page("/story_versions", (page, "25"), &parameters, (const { &[list_of("story_versions")] }, STORY)).await
    }

    /// A page of the schedulings of stories.
    pub async fn story_schedulings(&self, page: u64) -> Result<VendorPage, Error> {
        self.page("/story_schedulings", (page, PAGE), &[], (const { &[list_of("story_schedulings")] }, RECORD)).await
    }

    /// The tokens of the delivery API, which only an admin's token may read.
    pub async fn api_keys(&self) -> Result<Vec<Record>, Error> {
        self.whole("/api_keys", const { &[list_of("api_keys")] }).await
    }

    /// A list without pages.
    async fn whole(&self, path: &str, wanted: &'static [Member]) -> Result<Vec<Record>, Error> {
        Ok(list(self.managed(path, &[], (wanted, RECORD)).await?)?.items)
    }

    async fn page(
        &self,
        path: &str,
        (page, per_page): (u64, &str),
        parameters: &[(&str, &str)],
        expected: (&'static [Member], Limits),
    ) -> Result<VendorPage, Error> {
        let page = page.to_string();
        let paging = [("page", page.as_str()), ("per_page", per_page)];
        let parameters: Vec<_> = paging.into_iter().chain(parameters.iter().copied()).collect();
        list(self.managed(path, &parameters, expected).await?)
    }

    /// A GET below the space, after waiting for the rate limit.
    async fn managed(
        &self,
        path: &str,
        parameters: &[(&str, &str)],
        (wanted, limits): (&'static [Member], Limits),
    ) -> Result<Response, Error> {
        let path = with_query(&format!("/v1/spaces/{}{path}", self.space), parameters);
        let sent = self.management.acquire().await;
        let expected = Expected { wanted, limits, memory: &self.memory };
        let response = self.pool.get((&self.origins.management, path), Some(&self.token), expected).await;
        self.management.record(sent, &response);
        response
    }
}
