//! An authorization request: what `/oidc/authorize` is asked, checked as far as that needs no database and no
//! session.
//!
//! ```text
//! Parameters -> target()            client and redirect URI; what is wrong with these is shown on a page, because no redirect can be trusted
//!            -> AuthorizationRequest what is wrong from here on is told to the client by a redirect
//! ```

mod fields;

use super::{
    ClaimsRequest, Client, Clients, GrantType, ResponseMode, ResponseTarget, Scope,
    error::{invalid_request, unauthorized_client},
    misdirected::{not_registered, unknown_client},
    scope::OPENID,
};
use crate::shared::{Code, Fault, Parameters, UserId};
pub use fields::is_verifier;
pub(super) use fields::{checked_scope, resources};
use fields::{code_challenge, max_age, prompts};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use strum::{EnumString, VariantNames};

/// What `prompt` asks for (OpenID Connect Core 1.0, section 3.1.2.1, and Initiating User Registration).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PromptValue {
    /// No page may be shown.
    None,
    /// The person has to sign in again.
    Login,
    /// The person has to be asked for consent.
    Consent,
    /// The person has to be asked for the account.
    SelectAccount,
    /// The person has to be offered a registration.
    Create,
}

/// A request that is valid as far as its parameters go. It is stored while a person signs in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuthorizationRequest {
    pub client_id: String,
    /// Where the response goes.
    pub target: ResponseTarget,
    /// What is asked for, of what the client may ask for.
    pub scope: Scope,
    /// `nonce`, for the ID token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// `code_challenge` by the method S256 (RFC 7636).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge: Option<String>,
    /// `dpop_jkt`: the key that the code is bound to (RFC 9449, section 10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dpop_jkt: Option<String>,
    /// `prompt`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<PromptValue>,
    /// `max_age`, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<u32>,
    /// `login_hint`: the address to sign in with. It is only shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login_hint: Option<String>,
    /// `ui_locales`, the preferred first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ui_locales: Vec<String>,
    /// `acr_values`, the preferred first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acr_values: Vec<String>,
    /// `claims`.
    #[serde(default, skip_serializing_if = "ClaimsRequest::is_empty")]
    pub claims: ClaimsRequest,
    /// `resource` (RFC 8707).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<String>,
    /// The person whom `id_token_hint` names, once the server has verified it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hinted_user: Option<UserId>,
}

/// A request whose response can be sent, but that is refused.
#[derive(Debug, Clone)]
pub struct RefusedRequest {
    /// Where the refusal is told.
    pub target: ResponseTarget,
    pub fault: Fault,
}

impl AuthorizationRequest {
    /// Whether it is one of OpenID Connect, and not of OAuth 2.0 alone.
    pub fn is_openid(&self) -> bool {
        self.scope.has(OPENID)
    }

    /// Whether `prompt` has a value.
    pub fn prompts_for(&self, value: PromptValue) -> bool {
        self.prompts.contains(&value)
    }
}

/// The client and where its response goes. An error is for the person, on a page: a redirect to an
/// unregistered URI would make this server send people wherever the caller wants.
pub fn target(parameters: &Parameters, clients: &Clients) -> Result<(Arc<Client>, ResponseTarget), Fault> {
    let id = parameters.once("client_id")?.ok_or_else(|| invalid_request("client_id is missing"))?;
    let client = clients.find(id).ok_or_else(|| unknown_client(id))?;
    let redirect_uri = parameters.once("redirect_uri")?.ok_or_else(|| invalid_request("redirect_uri is missing"))?;
    if !client.allows_redirect(redirect_uri) {
        return Err(not_registered(client, "redirect_uri", redirect_uri));
    }
    let mode = parameters.once("response_mode").ok().flatten().and_then(|mode| mode.parse().ok()).unwrap_or_default();
    // A repeated state is refused below; whichever is answered, the client does not take the response for one
    // of its own.
    let state = parameters.text("state").map(str::to_owned);
    Ok((Arc::clone(client), ResponseTarget { redirect_uri: redirect_uri.to_owned(), mode, state }))
}

/// Reads the rest of a request. `known_resources` are those that this server issues tokens for.
/// `id_token_hint` is left to the caller, who has the keys.
pub fn read(
    parameters: &Parameters,
    client: &Client,
    target: ResponseTarget,
    known_resources: &[String],
) -> Result<AuthorizationRequest, Box<RefusedRequest>> {
    read_fields(parameters, client, &target, known_resources).map_err(|fault| Box::new(RefusedRequest { target, fault }))
}

fn read_fields(
    parameters: &Parameters,
    client: &Client,
    target: &ResponseTarget,
    known_resources: &[String],
) -> Result<AuthorizationRequest, Fault> {
    // Only a resource may be named several times (RFC 8707, section 2).
    parameters.refuse_repeated(&["resource"])?;
    for (name, code) in [
        ("request", Code::RequestNotSupported),
        ("request_uri", Code::RequestUriNotSupported),
        ("registration", Code::RegistrationNotSupported),
    ] {
        if parameters.text(name).is_some() {
            return Err(Fault::new(code, format!("The parameter {name} is not supported")));
        }
    }
    if parameters.text("response_mode").is_some_and(|mode| mode.parse::<ResponseMode>().is_err()) {
        return Err(Fault::new(Code::UnsupportedResponseMode, "response_mode must be query, fragment or form_post"));
    }
    match parameters.text("response_type") {
        None => return Err(invalid_request("response_type is missing")),
        Some("code") if client.allows_grant(GrantType::AuthorizationCode) => {}
        Some("code") => return Err(unauthorized_client("The client may not use authorization codes")),
        Some(_) => return Err(Fault::new(Code::UnsupportedResponseType, "response_type must be code")),
    }
    let prompts = prompts(parameters)?;
    let scope = checked_scope(parameters, client, &prompts)?;
    let code_challenge = code_challenge(parameters, client)?;
    let request = AuthorizationRequest {
        client_id: client.id.clone(),
        target: target.clone(),
        code_challenge,
        dpop_jkt: parameters.text("dpop_jkt").map(str::to_owned),
        resources: resources(parameters, known_resources)?,
        login_hint: parameters.text("login_hint").map(str::to_owned),
        ui_locales: words(parameters, "ui_locales"),
        nonce: None,
        max_age: None,
        acr_values: Vec::new(),
        claims: ClaimsRequest::default(),
        hinted_user: None,
        prompts,
        scope,
    };
    if !request.is_openid() {
        return Ok(request);
    }
    Ok(AuthorizationRequest {
        nonce: parameters.text("nonce").map(str::to_owned),
        max_age: max_age(parameters)?,
        acr_values: words(parameters, "acr_values"),
        claims: parameters.text("claims").map(ClaimsRequest::parse).transpose()?.unwrap_or_default(),
        ..request
    })
}

/// The words of a parameter, at most ten: more are no wish, but a load.
fn words(parameters: &Parameters, name: &str) -> Vec<String> {
    parameters.text(name).unwrap_or_default().split_ascii_whitespace().take(10).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
