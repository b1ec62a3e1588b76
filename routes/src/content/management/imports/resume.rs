//! `POST /api/v1/spaces/{space}/imports/{id}/resume` `{oauth_token}`: 202 with an import that failed or was cancelled, which goes on where it stopped.

use super::{token, view::ImportView};
use crate::{
    content::{
        Content,
        management::{access, below_space, wrapper},
    },
    web::{
        ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, path::segment, request::api_request,
    },
};
use actors::content::importer::{commands::ResumeImport, sealed_for};
use domain::{
    content::{Checks, Right},
    shared::{Fault, ImportId, SpaceId},
};
use http::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use warp::Filter;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Body {
    #[serde(deserialize_with = "token::read")]
    oauth_token: Option<SecretString>,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("imports")
        .and(segment::<ImportId>())
        .and(warp::path!("resume"))
        .and(warp::post())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, resume(content.clone(), space, id, request))
        })
        .boxed()
}

async fn resume(content: Content, space: SpaceId, id: ImportId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let body: Body = request.json(DEFAULT_LIMIT).await?;
    let mut checks = Checks::default();
    let token = token::checked(body.oauth_token, &mut checks);
    checks.finish()?;
    let sealed_token = content.import_seal.seal(&sealed_for(space), token.expose_secret().as_bytes(), content.entropy.as_ref())?;
    let import = content.spaces.execute(space, by, request.origin(), ResumeImport { id, sealed_token }).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &wrapper::put("import", ImportView::of(&import)))
}
