//! Responses from the cache: on the fast path when one is ready, otherwise rendered by the handler of the
//! endpoint.

use super::{
    access::{DeliveryCaller, ReadContext, check_version},
    cache::{CacheKey, CacheMiss, CacheQuery, Rendered},
    cost::ResponseCost,
};
use crate::{
    content::Content,
    web::fast_path::FastPathOutcome,
    web::{ApiRequest, ApiResponse, coding::Accepted},
};
use domain::shared::{Fault, Parameters};
use futures_util::FutureExt;
use http::{HeaderMap, header};
use std::{future::Future, sync::Arc};
use storage::content::delivery::ContentVersion;

/// Responds to a read of a page or less; see [`respond_cached_at`].
pub(super) async fn respond_cached<F, R>(
    content: Content,
    caller: DeliveryCaller,
    request: ApiRequest,
    render: F,
) -> Result<ApiResponse, Fault>
where
    F: FnOnce(ReadContext, Arc<Parameters>) -> R + Send + 'static,
    R: Future<Output = Result<ApiResponse, Fault>> + Send + 'static,
{
    let compile = |_: &Parameters| Ok((ResponseCost::Fixed, ()));
    respond_cached_at(content, caller, request, compile, |ctx, parameters, ()| render(ctx, parameters)).await
}

/// Responds to a read, from the cache or with what `render` returns. That must depend on nothing but the
/// context and the parameters. `compile` makes of the parameters what `render` needs, and says what that
/// costs.
///
/// 401 for a draft with a public token; 422 for a parameter that is unknown or wrong, and for a query that
/// takes too long; 503 when too many other responses are being rendered, and when the database does not
/// answer.
pub(super) async fn respond_cached_at<C, P, F, R>(
    content: Content,
    caller: DeliveryCaller,
    request: ApiRequest,
    compile: C,
    render: F,
) -> Result<ApiResponse, Fault>
where
    C: FnOnce(&Parameters) -> Result<(ResponseCost, P), Fault>,
    P: Send + 'static,
    F: FnOnce(ReadContext, Arc<Parameters>, P) -> R + Send + 'static,
    R: Future<Output = Result<ApiResponse, Fault>> + Send + 'static,
{
    let DeliveryCaller { access, miss } = caller;
    let parameters = miss.parameters()?;
    let version = miss.version()?;
    check_version(version, &access)?;
    let cache_control = cache_control(version, miss.cv() == Some(access.cv));
    let (cost, plan) = compile(&parameters)?;
    let limit = content.delivery_cache.render_timeout();
    let in_space = cost.in_space(access.story_count, limit)?;
    let key = access.timeline.map(|timeline| CacheKey::new(&access, timeline, version, miss.target.clone()));
    let (store, cache, ip) = (content.store.clone(), content.delivery_cache.clone(), request.meta.ip);
    let render = move || {
        async move {
            let mut permit = cache.acquire_render_permit(in_space, &access, ip).await?;
            let mark = access.mark();
            let connection = store.reader("delivery.render", mark.clone()).await?;
            permit.begin();
            let rendering = render(ReadContext { connection, mark: mark.clone(), access, version }, parameters, plan);
            // Dropped, it cancels its statement.
            let response = store.in_time(cost.limit(limit), rendering).await?.ok_or_else(|| cost.out_of_time())??;
            Ok(Rendered { response, is_of_key: !mark.is_passed() })
        }
        .boxed()
    };
    let cached = content.delivery_cache.get_or_render(key, miss.accepted, render).await?;
    cached.respond(cache_control, request.headers.get(header::IF_NONE_MATCH), miss.accepted)
}

/// The fast path: responds when the response is ready in the cache, without any waiting. Otherwise what was
/// found out about the request is left to the endpoint, so that the query is parsed once and the token is
/// hashed once.
pub(super) fn try_cached(content: &Content, path: &str, raw_query: &str, headers: &HeaderMap) -> FastPathOutcome<Arc<CacheMiss>> {
    let Ok(mut query) = CacheQuery::parse(path, raw_query) else { return FastPathOutcome::Miss(None) };
    let Ok(token_hash) = query.token_hash(content) else { return FastPathOutcome::Miss(None) };
    let accepted = Accepted::parse(headers);
    let access = content.delivery_cache.cached_access(&token_hash);
    if let Some(access) = &access
        && let Ok(version) = query.version()
        && let Some(timeline) = access.timeline
        && check_version(version, access).is_ok()
    {
        let is_current = query.cv() == Some(access.cv);
        let mut key = CacheKey::new(access, timeline, version, query.target);
        if let Some(cached) = content.delivery_cache.get(&mut key, accepted) {
            let cache_control = cache_control(version, is_current);
            let response = content
                .delivery_cache
                .count_read(&token_hash)
                .and_then(|()| cached.respond(cache_control, headers.get(header::IF_NONE_MATCH), accepted));
            return FastPathOutcome::Response(response);
        }
        query.target = key.into_target();
    }
    FastPathOutcome::Miss(Some(Arc::new(query.into_miss(token_hash, access, accepted))))
}

/// `Cache-Control` of a response, unless its endpoint sets it. Browsers ask every time. A shared cache may
/// keep a published response for a week when its URL has the current `cv`, because the next publication
/// changes that; without it two seconds are the bound on how old it is.
pub(super) fn cache_control(version: ContentVersion, is_current: bool) -> &'static str {
    match (version, is_current) {
        (ContentVersion::Draft, _) => "private, max-age=0, must-revalidate",
        (ContentVersion::Published, true) => "public, max-age=0, s-maxage=604800",
        (ContentVersion::Published, false) => "public, max-age=0, s-maxage=2",
    }
}
