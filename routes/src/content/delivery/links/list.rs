//! `GET /api/v2/cdn/links`: 200 `{"links": {uuid: …}}`: the whole map, or one page of it when `page`,
//! `per_page` or `paginated` is given.

use super::{View, view};
use crate::{
    content::{
        Content,
        delivery::{
            access::{DeliveryCaller, ReadContext},
            cached::respond_cached_at,
            cost::ResponseCost,
        },
    },
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::query::{QueryCost, SortKey, sort},
    shared::{Fault, PageRequest, Parameters, json::BoundedWriter},
};
use std::sync::Arc;
use storage::content::delivery::links::{Link, LinkFilter, for_each as for_each_link};

/// How many links a page may have.
const MAX_PER_PAGE: u32 = 1_000;

pub(in crate::content::delivery) async fn list(
    content: Content,
    caller: DeliveryCaller,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let max = content.delivery_cache.max_response();
    respond_cached_at(content, caller, request, compile, move |ctx, query, order| render(ctx, query, order, max)).await
}

fn compile(query: &Parameters) -> Result<(ResponseCost, Vec<SortKey>), Fault> {
    let order = query.text("sort_by").map(sort::parse).transpose()?.unwrap_or_default();
    let cost = QueryCost::of_order(&order);
    Ok((if is_paged(query)? { ResponseCost::Query(cost) } else { ResponseCost::WholeSpace(cost) }, order))
}

fn is_paged(query: &Parameters) -> Result<bool, Fault> {
    Ok(query.get("page").is_some() || query.get("per_page").is_some() || query.flag("paginated")?)
}

async fn render(ctx: ReadContext, query: Arc<Parameters>, order: Vec<SortKey>, max: usize) -> Result<ApiResponse, Fault> {
    let page = is_paged(&query)?.then(|| query.page(MAX_PER_PAGE)).transpose()?;
    let text = |name| query.text(name);
    let filter = LinkFilter {
        starts_with: text("starts_with").map(str::to_owned),
        parent: query.parsed("with_parent")?,
        uuid: query.parsed("by_uuid")?,
    };
    let with_dates = query.flag("include_dates")?;
    let mut body = LinkMap::new(max)?;
    let write = |link: Link| Ok(body.add(&view(&link, with_dates))?);
    let total = for_each_link(&ctx.connection, ctx.scope(), &filter, &order, page, write).await?;
    let whole = PageRequest { page: 1, per_page: u32::try_from(total).unwrap_or(u32::MAX).max(1) };
    Ok(ApiResponse::json_bytes(body.finish()?).paged(total, page.unwrap_or(whole)))
}

/// The body `{"links": {uuid: …}}`, serialised link by link: that of 100,000 stories has 40 MB.
struct LinkMap(BoundedWriter);

impl LinkMap {
    fn new(max: usize) -> Result<Self, Fault> {
        let mut writer = BoundedWriter::new(max);
        writer.push(b"{\"links\":{")?;
        Ok(Self(writer))
    }

    fn add(&mut self, link: &View<'_>) -> Result<(), Fault> {
        if self.0.as_slice().last() != Some(&b'{') {
            self.0.push(b",")?;
        }
        self.0.write_json(&link.uuid)?;
        self.0.push(b":")?;
        self.0.write_json(link)
    }

    fn finish(mut self) -> Result<BoundedWriter, Fault> {
        self.0.push(b"}}")?;
        Ok(self.0)
    }
}
