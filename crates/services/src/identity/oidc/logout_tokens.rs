//! Logout tokens: what a client is sent when a session ended there (OpenID Connect Back-Channel Logout 1.0,
//! section 2.4).

use super::KeyRing;
use domain::{
    identity::oidc::{Clients, LogoutNotice, TokenType},
    shared::{Fault, SharedEntropy, UserId},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// How long a token is valid, in seconds: two minutes at most, so that a copy of it is of little use.
const LIFETIME: i64 = 120;

/// Makes logout tokens. Cheap to clone.
#[derive(Clone)]
pub struct LogoutTokens {
    pub keys: KeyRing,
    /// The clients, which choose the algorithm.
    pub clients: Arc<Clients>,
    pub issuer: Arc<str>,
    pub entropy: SharedEntropy,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: UserId,
    aud: &'a str,
    iat: i64,
    exp: i64,
    jti: String,
    /// Left out when all sessions of the person ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
    events: Value,
}

impl LogoutTokens {
    /// A token for a client, issued at this time. An error when the client is not configured any more.
    pub async fn make(&self, notice: &LogoutNotice, at: Timestamp) -> Result<String, Fault> {
        let client =
            self.clients.find(&notice.client_id).ok_or_else(|| Fault::internal("the client is not configured any more"))?;
        let iat = at.as_second();
        let claims = Claims {
            iss: &self.issuer,
            sub: notice.user,
            aud: &client.id,
            iat,
            exp: iat + LIFETIME,
            jti: self.entropy.uuid().simple().to_string(),
            sid: notice.session.map(|session| session.0.simple().to_string()),
            events: json!({ "http://schemas.openid.net/event/backchannel-logout": {} }),
        };
        self.keys.sign(client.id_token_alg, TokenType::Logout, &claims).await
    }
}
