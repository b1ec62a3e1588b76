//! What the endpoints have in common that clients send forms to: reading the form, which pages may read the
//! answer, and the nonce of the next DPoP proof.

use super::{
    cors::{self, Readers, Requested},
    dpop,
};
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use futures_util::future::BoxFuture;
use warp::reply::Response;

/// What answers a form.
pub(super) type Serve = for<'a> fn(&'a Identity, &'a ApiRequest, &'a Parameters) -> BoxFuture<'a, Result<ApiResponse, Fault>>;

/// Reads a form of at most `limit` bytes and answers it. 400 `invalid_request` when the body is no form.
pub(super) async fn answer(identity: &Identity, mut request: ApiRequest, limit: usize, serve: Serve) -> Response {
    let requested = Requested::of(&request);
    let mut response = match request.form(limit).await {
        Ok(form) => {
            let outcome = serve(identity, &request, &form).await;
            cors::respond(&requested, &cors::readers(identity, &request, &form), outcome)
        }
        Err(fault) => cors::respond::<Response>(&requested, &Readers::All, Err(fault)),
    };
    if dpop::is_proved(&request) {
        dpop::add_nonce(identity, response.headers_mut());
    }
    response
}
