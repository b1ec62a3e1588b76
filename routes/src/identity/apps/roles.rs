//! `/api/apps/roles`: the roles of a person at the client that asks.

use super::CallingApp;
use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, UserId};
use serde::{Deserialize, Serialize};
use services::identity::roles::{self, NamedPerson};
use warp::reply::Response;

/// The roles that were read.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RolesView<'a> {
    client_id: &'a str,
    role_group: &'a str,
    user_id: UserId,
    roles: Vec<String>,
}

/// The roles that were set.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SetRolesView<'a> {
    client_id: &'a str,
    user_id: UserId,
    roles: Vec<String>,
}

/// Who gets which roles. The client is the one that authenticated itself, whatever the body says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct SetRolesBody {
    user_id: Option<String>,
    email: Option<String>,
    roles: Option<Vec<String>>,
}

/// 200 with the roles of a person, named by `userId` or `email`; 400 and 404 as [`roles::find`].
pub(super) async fn read(identity: Identity, caller: CallingApp, request: ApiRequest) -> Result<Response, Fault> {
    let answer = async |client: &_, request: ApiRequest| {
        let query = request.query()?;
        let person = NamedPerson { user_id: query.get("userId"), email: query.get("email") };
        let context = identity.request_context(&request);
        let user_id = roles::find(&identity.ctx, &context, client, person).await?;
        let roles = roles::read(&identity.ctx, client, user_id).await?;
        ApiResponse::ok(&RolesView { client_id: &client.id, role_group: client.role_group(), user_id, roles })
    };
    caller.within_limit(&identity, request, answer).await
}

/// Sets the roles of a person: 200 with them.
pub(super) async fn replace(identity: Identity, caller: CallingApp, request: ApiRequest) -> Result<Response, Fault> {
    let answer = async |client: &_, mut request: ApiRequest| {
        let body: SetRolesBody = request.json_fields(BODY_LIMIT).await?;
        let sent = body.roles.ok_or_else(|| Fault::required("roles", "Send the roles as an array"))?;
        let person = NamedPerson { user_id: body.user_id.as_deref(), email: body.email.as_deref() };
        let context = identity.request_context(&request);
        let user_id = roles::find(&identity.ctx, &context, client, person).await?;
        let roles = roles::set(&identity.ctx, &context, client, user_id, sent).await?;
        ApiResponse::ok(&SetRolesView { client_id: &client.id, user_id, roles })
    };
    caller.within_limit(&identity, request, answer).await
}
