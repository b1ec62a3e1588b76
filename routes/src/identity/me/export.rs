//! `GET /api/me/export`: everything that is known about the account, as a file. It is written down that it was taken.

use crate::{
    identity::{Identity, export, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use http::{HeaderValue, header};
use storage::identity::{accounts, audit::RecordEvent};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "export")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, take(identity.clone(), request)))
        .boxed()
}

async fn take(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.refuse_head()?;
    let signed_in = identity.sessions.signed_in(&request).await?;
    identity.ctx.limits.export(signed_in.user)?;
    let source = identity.source(&request);
    let at = source.at;
    identity.ctx.store.transact(&RecordEvent { user: signed_in.user, event: "account.exported", source }).await?;
    let connection = identity.ctx.store.connection("account.export").await?;
    let account = accounts::find(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    let document = export::of(&identity, &connection, account, at).await?;
    let name = format!("account-export-{}-{}.json", signed_in.user, at.strftime("%Y-%m-%d"));
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""))
        .map_err(|error| Fault::internal(format!("name of an export: {error}")))?;
    Ok(ApiResponse::ok(&document)?.with(header::CONTENT_DISPOSITION, disposition))
}
