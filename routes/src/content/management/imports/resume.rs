//! `POST /api/v1/spaces/{space}/imports/{id}/resume` `{oauth_token}`: 202 with an import that failed or was cancelled, which goes on where it stopped.

use super::{token, view::ImportView};
use crate::{
    content::{
        Content,
        management::{access, below_space, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond, path::segment},
};
use actors::content::importer::{sealed_for, writes::ResumeImport};
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
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, resume(content.clone(), space, id, call)))
        .boxed()
}

async fn resume(content: Content, space: SpaceId, id: ImportId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let body: Body = call.json(DEFAULT_LIMIT).await?;
    let mut checks = Checks::default();
    let token = token::checked(body.oauth_token, &mut checks);
    checks.finish()?;
    let sealed_token = content.import_seal.seal(&sealed_for(space), token.expose_secret().as_bytes(), content.entropy.as_ref())?;
    let import = content.spaces.write(space, by, call.origin(), ResumeImport { id, sealed_token }).await?;
    Answer::json(StatusCode::ACCEPTED, &wrapper::put("import", ImportView::of(&import)))
}
