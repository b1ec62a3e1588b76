//! `GET /api/admin/actors`: the actors of this process, and what they are doing.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use actors::actor_system::ActorReport;
use domain::shared::Fault;
use serde::Serialize;

#[derive(Serialize)]
struct Actors {
    actors: Vec<ActorReport>,
}

/// 200 with the actors below the root, within a few seconds, whether or not they answer.
pub(super) async fn list(identity: Identity, _: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&Actors { actors: identity.actors.report().await })
}
