//! `/api/oidc/interaction/{uid}`: an interaction, for a login page of the operator's own.

use super::authorize::browser;
use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{Anonymous, ApiRequest, ApiResponse, csrf::Binding},
};
use domain::{
    identity::oidc::{
        Scope,
        policy::{Prompt, Reason},
    },
    shared::{Fault, UserId, timestamp},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use services::identity::oidc::interaction::{self, Action, Decided, InteractionView};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InteractionBody<'a> {
    uid: &'a str,
    prompt: Option<Prompt>,
    reasons: Vec<Reason>,
    client: ClientBody<'a>,
    scopes: &'a [String],
    missing_scopes: &'a [String],
    can_remember: bool,
    login_hint: Option<&'a str>,
    ui_locales: &'a [String],
    acr_values: &'a [String],
    session: Option<SessionBody<'a>>,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClientBody<'a> {
    client_id: &'a str,
    name: &'a str,
    logo_uri: Option<&'a str>,
    policy_uri: Option<&'a str>,
    tos_uri: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionBody<'a> {
    user_id: UserId,
    email: &'a str,
}

/// 200 with what the person has to do next. 404 for an interaction that is over, 403 in another browser.
pub(super) async fn read(identity: Identity, _: Anonymous, uid: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let context = identity.request_context(&request);
    let view = interaction::view(&identity.oidc, &context, browser(&identity, &request), &uid).await?;
    ApiResponse::ok(&body(&view))
}

fn body(view: &InteractionView) -> InteractionBody<'_> {
    let client = &view.client;
    InteractionBody {
        uid: &view.uid,
        prompt: view.pending.map(|(prompt, _)| prompt),
        reasons: view.pending.iter().map(|(_, reason)| *reason).collect(),
        client: ClientBody {
            client_id: &client.id,
            name: &client.name,
            logo_uri: client.logo_uri.as_deref(),
            policy_uri: client.policy_uri.as_deref(),
            tos_uri: client.tos_uri.as_deref(),
        },
        scopes: view.scope.names(),
        missing_scopes: view.missing_scope.names(),
        can_remember: view.can_remember,
        login_hint: view.login_hint.as_deref(),
        ui_locales: &view.ui_locales,
        acr_values: &view.acr_values,
        session: view.person.as_ref().map(|person| SessionBody { user_id: person.facts.user, email: &person.facts.email }),
        expires_at: view.expires_at,
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct FinishBody {
    action: Option<String>,
    granted_scopes: Option<Vec<String>>,
    remember: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finished {
    redirect_to: String,
}

/// 200 with the address to go on at. 401 when no person is signed in, 403 `loginRoleRequired`.
pub(super) async fn finish(identity: Identity, _: Binding, uid: String, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: FinishBody = request.json_fields_or_default(BODY_LIMIT).await?;
    let action = match body.action.as_deref() {
        None | Some("continue" | "login" | "select_account") => Action::Continue,
        Some("consent") => Action::Consent { scope: body.granted_scopes.map(Scope::of), remember: body.remember == Some(true) },
        Some("abort") => Action::Abort,
        Some(_) => return Err(Fault::required("action", "action must be continue, login, select_account, consent or abort")),
    };
    let context = identity.request_context(&request);
    if let Decided::RoleRequired(client) =
        interaction::finish(&identity.oidc, &context, browser(&identity, &request), &uid, action).await?
    {
        return Err(interaction::role_required(&client));
    }
    let redirect_to = format!("{}/oidc/authorize/{uid}", identity.oidc.settings.issuer);
    ApiResponse::ok(&Finished { redirect_to })
}
