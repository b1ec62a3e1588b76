//! Responses that need no waiting.

use super::ApiResponse;
use domain::shared::Fault;
use http::{Extensions, HeaderMap, Uri};

/// Responds to a GET that needs no waiting and no body, before any filter runs. Its responses have their
/// default headers already.
pub type FastPath<M = ()> = Box<dyn Fn(&Uri, &HeaderMap) -> FastPathOutcome<M> + Send + Sync>;

/// The outcome of a [`FastPath`].
pub enum FastPathOutcome<M = ()> {
    /// The response or the error.
    Response(Result<ApiResponse, Fault>),
    /// The endpoint has to respond. Its access rule gets what the fast path has found out about the request
    /// ([`ApiRequest`](crate::web::ApiRequest)).
    Miss(Option<M>),
}

/// A [`FastPath`] of any table. What it has found out of a miss is in the extensions of the request, for the
/// filters of that table.
pub(crate) type GroupFastPath = Box<dyn Fn(&Uri, &HeaderMap, &mut Extensions) -> Option<Result<ApiResponse, Fault>> + Send + Sync>;
