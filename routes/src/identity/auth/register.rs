//! `POST /api/auth/register`: creates an account. It starts no session.

use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::{
    identity::RegistrationRequest,
    shared::{Fault, UserId},
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use services::identity::registration::{self, RegistrationOutcome};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct RegistrationBody {
    email: Option<String>,
    #[serde(default, deserialize_with = "super::password")]
    password: Option<SecretString>,
    first_name: Option<String>,
    last_name: Option<String>,
    display_name: Option<String>,
    locale: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Registered {
    message: &'static str,
    email_verification_required: bool,
    /// Absent while mail is on, because the answer is the same for a taken address.
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<User>,
}

#[derive(Serialize)]
struct User {
    id: UserId,
    email: String,
}

/// 201, the same for a taken address while mail is on.
pub(super) async fn register(identity: Identity, browser: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    registration::check_enabled(&identity.ctx)?;
    let body: RegistrationBody = request.json_fields(BODY_LIMIT).await?;
    let registration = RegistrationRequest {
        email: body.email,
        password: body.password,
        first_name: body.first_name,
        last_name: body.last_name,
        display_name: body.display_name,
        locale: body.locale,
    };
    let outcome =
        registration::register(&identity.ctx, &identity.request_context(&request), browser.browser_hash(), registration).await?;
    let language = request.meta.language;
    ApiResponse::created(&match outcome {
        RegistrationOutcome::Registered { user, email } => Registered {
            message: Message::AccountReady.in_language(language),
            email_verification_required: false,
            user: Some(User { id: user, email: email.as_str().to_owned() }),
        },
        RegistrationOutcome::VerificationRequired => Registered {
            message: Message::VerificationLinkSent.in_language(language),
            email_verification_required: true,
            user: None,
        },
    })
}
