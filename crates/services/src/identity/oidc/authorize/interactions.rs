//! Interactions: authorization requests that wait for a person. Each is a one-time token; its identifier
//! stands in the address of the page, and only the browser that began it may go on with it.

use crate::identity::oidc::OidcContext;
use crypto::opaque_token;
use domain::{
    identity::{
        oidc::{
            AuthorizationRequest, Client,
            interaction::{Interaction, InteractionProgress},
            policy::Prompt,
        },
        one_time::{Kind, State},
    },
    shared::{Code, Fault},
};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use storage::{
    Result as StoreResult, Tx,
    identity::one_time::{self, Hash, NewOneTime, OneTimeToken},
    transact,
};

/// An interaction, and the page that comes next.
#[derive(Debug)]
pub struct StartedInteraction {
    pub uid: String,
    pub prompt: Prompt,
    /// The value of the browser's interaction cookie, if it needs one.
    pub cookie: Option<SecretString>,
}

/// An interaction that goes on.
pub(in crate::identity::oidc) struct StoredInteraction {
    pub(in crate::identity::oidc) uid: String,
    /// The hash of the identifier.
    pub(in crate::identity::oidc) hash: Hash,
    pub(in crate::identity::oidc) interaction: Interaction,
    pub(in crate::identity::oidc) token: OneTimeToken,
}

/// 404 for an interaction that does not exist, has expired or was finished.
fn not_found() -> Fault {
    let message = "This sign-in has expired or was finished; start again at the application that you came from";
    Fault::new(Code::InteractionNotFound, message)
}

/// Stores an interaction of a new request.
pub(super) async fn start(
    ctx: &OidcContext,
    request: AuthorizationRequest,
    prompt: Prompt,
    cookie: Option<&str>,
    at: Timestamp,
) -> Result<StartedInteraction, Fault> {
    let entropy = ctx.identity.entropy.as_ref();
    let (cookie, browser) = if let Some(browser) = browser_of(ctx, cookie) {
        (None, browser)
    } else {
        let (cookie, _) = opaque_token::generate(entropy);
        let browser = browser_of(ctx, Some(cookie.expose_secret())).unwrap_or_default();
        (Some(cookie), browser)
    };
    let (uid, hash) = opaque_token::generate(entropy);
    let interaction = Interaction { request, browser, progress: InteractionProgress::new(at) };
    let id = ctx.identity.entropy.uuid();
    let token = &NewOneTime::without_account(Kind::Interaction, hash, id, to_payload(&interaction)?, at);
    transact!(ctx.identity, "interaction.start", async |tx| { one_time::add(tx, token).await }).await?;
    Ok(StartedInteraction { uid: uid.expose_secret().to_owned(), prompt, cookie })
}

/// What is stored of the browser with an interaction cookie; `None` for a cookie that this server cannot have
/// issued.
fn browser_of(ctx: &OidcContext, cookie: Option<&str>) -> Option<String> {
    let cookie = cookie.filter(|cookie| opaque_token::hash(cookie).is_some())?;
    Some(ctx.identity.secrets.browser(&format!("interaction:{cookie}")))
}

/// Finds an interaction of this browser.
pub(in crate::identity::oidc) async fn find(
    ctx: &OidcContext,
    uid: &str,
    cookie: Option<&str>,
    at: Timestamp,
) -> Result<StoredInteraction, Fault> {
    let hash = opaque_token::hash(uid).ok_or_else(not_found)?;
    let connection = ctx.identity.store.connection("interaction.find").await?;
    let stored = one_time::find(&connection, Kind::Interaction, &hash).await?.ok_or_else(not_found)?;
    if stored.state(at) != State::Usable {
        return Err(not_found());
    }
    let interaction: Interaction = serde_json::from_value(stored.token.payload.clone())
        .map_err(|error| Fault::internal(format!("a stored interaction cannot be read: {error}")))?;
    let browser = browser_of(ctx, cookie);
    let is_same_browser = browser.is_some_and(|browser| crypto::token::same(browser.as_bytes(), interaction.browser.as_bytes()));
    if !is_same_browser {
        let message = "This sign-in was started in another browser; start again at the application that you came from";
        return Err(Fault::new(Code::InteractionOfOtherBrowser, message));
    }
    Ok(StoredInteraction { uid: uid.to_owned(), hash, interaction, token: stored.token })
}

/// The client of an interaction; 404 when it is not configured any more.
pub(in crate::identity::oidc) fn client_of(ctx: &OidcContext, stored: &StoredInteraction) -> Result<Arc<Client>, Fault> {
    ctx.clients.find(&stored.interaction.request.client_id).cloned().ok_or_else(not_found)
}

/// Writes what the person has done. 404 when the interaction was finished, or changed by another request,
/// meanwhile.
pub(in crate::identity::oidc) async fn save(
    ctx: &OidcContext,
    stored: &StoredInteraction,
    progress: InteractionProgress,
) -> Result<(), Fault> {
    let interaction = Interaction { progress, ..stored.interaction.clone() };
    let payload = &to_payload(&interaction)?;
    let at = ctx.identity.clock.now();
    let is_saved = transact!(ctx.identity, "interaction.save", async |tx| {
        one_time::renew(tx, Kind::Interaction, &stored.token, payload, at).await
    })
    .await?;
    if is_saved { Ok(()) } else { Err(not_found()) }
}

/// Ends an interaction without a code.
pub(super) async fn finish(ctx: &OidcContext, stored: &StoredInteraction, at: Timestamp) -> Result<(), Fault> {
    transact!(ctx.identity, "interaction.finish", async |tx| {
        one_time::consume(tx, Kind::Interaction, &stored.hash, at).await.map(|_| ())
    })
    .await
}

/// Uses an interaction up, in the transaction that issues its code. 404 when it was used before.
pub(super) async fn consume(tx: &Tx<'_>, hash: &Hash, at: Timestamp) -> StoreResult<()> {
    one_time::consume(tx, Kind::Interaction, hash, at).await?.map(|_| ()).ok_or_else(|| not_found().into())
}

fn to_payload(interaction: &Interaction) -> Result<serde_json::Value, Fault> {
    serde_json::to_value(interaction).map_err(|error| Fault::internal(format!("interaction: {error}")))
}
