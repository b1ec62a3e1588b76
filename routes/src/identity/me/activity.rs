//! `GET /api/me/activity`: what happened to the account lately: sign-ins, changes of the password, exports.

use crate::{
    identity::{Identity, export::EntryView, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use serde::Serialize;
use std::num::IntErrorKind;
use storage::identity::audit;
use warp::Filter;

/// How many entries are told when nobody says how many.
const USUAL: i64 = 20;
/// How many are told at most.
const MOST: i64 = 100;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "activity")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, activity(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
struct Activity {
    activity: Vec<EntryView>,
    limit: i64,
}

async fn activity(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in(&request).await?;
    let limit = match request.query()?.get("limit") {
        None | Some("") => USUAL,
        Some(text) => match text.parse::<u32>() {
            Ok(number) if number >= 1 => i64::from(number).min(MOST),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => MOST,
            _ => return Err(Fault::invalid("limit", "invalid", "must be a whole number of at least 1")),
        },
    };
    let connection = identity.ctx.store.connection("account.activity").await?;
    let entries = audit::list(&connection, signed_in.user, None, limit).await?;
    ApiResponse::ok(&Activity { activity: entries.into_iter().map(EntryView::from).collect(), limit })
}
