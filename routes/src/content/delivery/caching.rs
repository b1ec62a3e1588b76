//! An answer of the Delivery API: from what is kept, or rendered; how long it may be kept (decisions 9), and 304 for who has it already.

use super::{
    access::{self, Reading},
    reads::{Accepted, Asked, Key, Size},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use futures_util::FutureExt;
use http::{HeaderMap, header};
use std::{future::Future, sync::Arc};
use storage::content::delivery::{ContentVersion, read_access::ReadAccess};

/// Answers a read of a page or less; see [`answer_of`].
pub(super) async fn answer<F, R>(
    content: Content,
    who: Arc<ReadAccess>,
    request: ApiRequest,
    known: &[&str],
    render: F,
) -> Result<ApiResponse, Fault>
where
    F: FnOnce(Reading, Parameters) -> R + Send + 'static,
    R: Future<Output = Result<ApiResponse, Fault>> + Send + 'static,
{
    answer_of(Size::Page, content, who, request, known, render).await
}

/// Answers a read. `render` is only called when the answer is not there yet; what it answers must depend on nothing but the reading and
/// the parameters, of which `known` and the common ones are allowed.
///
/// 401 for a draft with a public token; 422 for a parameter that is unknown or wrong;
/// 503 when too many others wait for answers that nobody has kept.
pub(super) async fn answer_of<F, R>(
    size: Size,
    content: Content,
    who: Arc<ReadAccess>,
    request: ApiRequest,
    known: &[&str],
    render: F,
) -> Result<ApiResponse, Fault>
where
    F: FnOnce(Reading, Parameters) -> R + Send + 'static,
    R: Future<Output = Result<ApiResponse, Fault>> + Send + 'static,
{
    let asked = Asked::read(request.path(), request.raw_query())?;
    let parameters = request.query()?;
    access::only(&parameters, known)?;
    let copy = access::copy(&asked, &who)?;
    let lifetime = lifetime(copy, asked.cv()? == Some(who.cv));
    let accepted = Accepted::read(&request.headers);
    let key = Key::new(&who, copy, asked.target);
    let (store, reads) = (content.store.clone(), content.reads.clone());
    let render = move || {
        async move {
            let _turn = reads.turn(size, who.space).await?;
            let connection = store.connection("delivery.render").await?;
            render(Reading { connection, reader: who, copy }, parameters).await
        }
        .boxed()
    };
    let entry = content.reads.obtain(key, accepted, render).await?;
    entry.answer(lifetime, request.headers.get(header::IF_NONE_MATCH), accepted)
}

/// The same for a read whose answer lies ready: it asks nobody and waits for nothing. `None` leaves the request to [`answer`].
pub(super) fn ready(content: &Content, path: &str, raw_query: &str, headers: &HeaderMap) -> Option<Result<ApiResponse, Fault>> {
    let asked = Asked::read(path, raw_query).ok()?;
    let token = access::hash(content, &asked).ok()?;
    let reader = content.reads.remembered(&token)?;
    let copy = access::copy(&asked, &reader).ok()?;
    let lifetime = lifetime(copy, asked.cv().ok()? == Some(reader.cv));
    let accepted = Accepted::read(headers);
    let entry = content.reads.ready(&mut Key::new(&reader, copy, asked.target), accepted)?;
    Some(content.reads.count(&token).and_then(|()| entry.answer(lifetime, headers.get(header::IF_NONE_MATCH), accepted)))
}

/// `Cache-Control` of an answer; an endpoint that knows better sets it.
pub(super) fn lifetime(copy: ContentVersion, is_current: bool) -> &'static str {
    match (copy, is_current) {
        (ContentVersion::Draft, _) => "private, max-age=0, must-revalidate",
        (ContentVersion::Published, true) => "public, max-age=0, s-maxage=604800",
        (ContentVersion::Published, false) => "public, max-age=0, s-maxage=2",
    }
}
