//! Offers: challenges that the page to sign in with brings along, so that autofill can offer passkeys as soon
//! as the page is there. Most pages are left without an answer, so nothing is stored and nothing counted
//! before one comes.
//!
//! ```text
//! GET /login  -> offer_login()    challenge, and what its check needs, sealed for the browser
//! the answer  -> consume_offer()  opens the seal, and writes down that the challenge was answered: a second answer finds that
//! ```

use super::challenge::ChallengeState;
use crate::identity::IdentityContext;
use crypto::{
    opaque_token,
    passkeys::{self, Started},
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{
    identity::one_time::{self, Hash, NewOneTime},
    transact,
};

/// A challenge that nothing is stored of.
#[derive(Debug)]
pub struct PasskeyOffer {
    /// The options of `navigator.credentials.get`, as JSON. The challenge is among them.
    pub options: Value,
    /// What the browser sends back with the answer.
    pub sealed: String,
}

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct Offered {
    /// The hash of the challenge.
    hash: Hash,
    /// What the check of the answer needs.
    state: Value,
    /// When it was made.
    at: Timestamp,
}

/// Makes an offer for a browser; only the same browser may answer it.
pub fn offer_login(ctx: &IdentityContext, browser: &str) -> Result<PasskeyOffer, Fault> {
    let Started { options, challenge, state } = ctx.passkeys.start_authentication(&[])?;
    let hash = opaque_token::hash(&challenge).ok_or_else(|| Fault::internal("a challenge of another length"))?;
    let offered = Offered { hash, state, at: ctx.clock.now() };
    let plain = serde_json::to_vec(&offered).map_err(|error| Fault::internal(format!("passkey offer: {error}")))?;
    let sealed = ctx.secrets.seal_offer(browser, &plain, &ctx.entropy)?;
    Ok(PasskeyOffer { options, sealed })
}

/// Consumes an offer that is answered, before the rest of the answer is read. `None` when its time is over,
/// it was answered before, it was made for another browser, or the answer is one to another challenge.
pub(super) async fn consume_offer(
    ctx: &IdentityContext,
    browser: &str,
    sealed: &str,
    credential: &Value,
    now: Timestamp,
) -> Result<Option<ChallengeState>, Fault> {
    let opened = ctx.secrets.open_offer(browser, sealed);
    let offered: Option<Offered> = opened.and_then(|plain| serde_json::from_slice(plain.expose_secret()).ok());
    let answered = passkeys::challenge_of(credential).as_deref().and_then(opaque_token::hash);
    let is_answered = |offered: &Offered| Some(offered.hash) == answered && OneTime::PasskeyLogin.expires_at(offered.at) > now;
    let Some(Offered { hash, state, at }) = offered.filter(is_answered) else { return Ok(None) };
    let row = &NewOneTime::without_account(OneTime::PasskeyLogin, hash, ctx.entropy.uuid(), json!({}), at);
    let is_first = transact!(ctx, "passkey.use_offer", async |tx| { one_time::add_used(tx, row, now).await }).await?;
    Ok(is_first.then(|| ChallengeState::of_offer(state)))
}
