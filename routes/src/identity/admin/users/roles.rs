//! The roles of a person at the clients, and moving them to another group.

use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn, body::DEFAULT_LIMIT},
};
use domain::shared::{Code, Detail, Fault, UserId, json};
use serde::{Deserialize, Serialize};
use services::identity::admin::roles::{RolesInGroup, list_roles, rekey_roles, set_roles};

#[derive(Serialize)]
struct Groups {
    groups: Vec<GroupView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupView {
    group: String,
    role_mode: &'static str,
    available: Vec<String>,
    assigned: Vec<String>,
    is_default: bool,
    client_ids: Vec<String>,
    defaults: Vec<DefaultsView>,
}

/// The default roles of a client.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DefaultsView {
    client_id: String,
    roles: Vec<String>,
}

fn view(groups: Vec<RolesInGroup>) -> Groups {
    let view = |roles: RolesInGroup| GroupView {
        group: roles.name,
        role_mode: roles.group.mode.into_str(),
        available: roles.group.roles,
        is_default: roles.assigned.is_none(),
        assigned: roles.assigned.unwrap_or_default(),
        client_ids: roles.group.clients,
        defaults: roles.group.defaults.into_iter().map(|(client_id, roles)| DefaultsView { client_id, roles }).collect(),
    };
    Groups { groups: groups.into_iter().map(view).collect() }
}

/// 200 with every group.
pub(in crate::identity::admin) async fn list(
    identity: Identity,
    _: SignedIn,
    id: UserId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&view(list_roles(&identity.ctx, id).await?))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct RolesBody {
    role_group: Option<String>,
    /// `null` for the default roles.
    #[serde(default, deserialize_with = "json::present")]
    roles: Option<Option<Vec<String>>>,
}

/// Replaces the roles in one group: 200 with every group.
pub(in crate::identity::admin) async fn replace(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let sent = request.strict_json::<RolesBody>(DEFAULT_LIMIT).await?;
    let body = sent.read_beside(&view(list_roles(&identity.ctx, id).await?))?;
    let (Some(role_group), Some(roles)) = (body.role_group, body.roles) else {
        return Err(Fault::fields(Code::Validation, vec![Detail::required("roleGroup"), Detail::required("roles")]));
    };
    let context = identity.request_context(&request);
    ApiResponse::ok(&view(set_roles(identity.acting(&context, signed_in.claims()), id, (role_group, roles)).await?))
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct RekeyBody {
    from: Option<String>,
    to: Option<String>,
}

#[derive(Serialize)]
struct Rekeyed {
    from: String,
    to: String,
    moved: i64,
}

/// 200 with the number of assignments.
pub(in crate::identity::admin) async fn rekey(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let body = request.strict_json::<RekeyBody>(BODY_LIMIT).await?.read()?;
    let sent = |text: Option<String>| text.filter(|text| !text.is_empty());
    let (Some(from), Some(to)) = (sent(body.from), sent(body.to)) else {
        return Err(Fault::fields(Code::Validation, vec![Detail::required("from"), Detail::required("to")]));
    };
    let moved = rekey_roles(identity.acting(&identity.request_context(&request), signed_in.claims()), (&from, &to)).await?;
    ApiResponse::ok(&Rekeyed { from, to, moved })
}
