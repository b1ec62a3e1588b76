//! `/studio/new`: a new space. Its tokens are shown once, on the page that follows: until then they are in a
//! cookie, sealed for the person who made the space and good for five minutes.

use super::{Reader, Studio};
use crate::{
    pages::{Form, refuse},
    web::{
        ApiRequest, ApiResponse,
        cookie::{self, Keep},
    },
};
use domain::{
    content::{SpaceChange, SpaceSettings},
    shared::{Fault, SpaceId, UserId},
};
use http::{StatusCode, header};
use pages::{
    Problems,
    studio::{NewTokens, new_space_page, tokens_gone_page, tokens_page},
};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use services::content::spaces::CreatedSpace;
use std::time::Duration;
use storage::content::spaces;

/// The label of the key that the cookie is sealed with.
pub(super) const SEAL: &str = "new-space-tokens/1";
/// How long the tokens can be shown.
const KEPT_FOR: Duration = Duration::from_mins(5);

/// What the cookie holds.
#[derive(Serialize, Deserialize)]
struct Kept {
    space: SpaceId,
    /// Each token by its kind.
    tokens: Vec<(String, String)>,
    /// When the space was made, in Unix seconds.
    at: i64,
}

/// The form.
pub(super) async fn show(studio: Studio, (visitor, _): Reader, _: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(visitor.ok(&studio.pages, |frame| new_space_page(frame, &Problems::default(), "")))
}

/// Makes a space of the field `name`: 303 to the page of its tokens, or the form again.
pub(super) async fn create(studio: Studio, (visitor, signed_in): Reader, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&studio.pages, &visitor, &mut request).await?;
    let name = form.text("name").trim();
    let change = SpaceChange::named(Some(name.to_owned()));
    let made = match change.apply(SpaceSettings::default()) {
        Ok(settings) => studio.content.create_space(&signed_in, &request, &settings).await,
        Err(fault) => Err(fault),
    };
    match made {
        Ok(space) => keep(&studio, signed_in.user, &space),
        Err(fault) => refuse(&studio.pages, visitor, fault, &["name"], |frame, problems| new_space_page(frame, &problems, name)),
    }
}

fn purpose(user: UserId) -> String {
    format!("tokens of a new space of {user}")
}

/// 303 to the page of the tokens, with the cookie.
fn keep(studio: &Studio, user: UserId, space: &CreatedSpace) -> Result<ApiResponse, Fault> {
    let tokens = space.tokens.iter().map(|(kind, secret)| (kind.into_str().to_owned(), secret.expose_secret().to_owned()));
    let kept = Kept { space: space.id, tokens: tokens.collect(), at: studio.content.clock.now().as_second() };
    let plain = domain::shared::json::to_vec(&kept)?;
    let sealed = studio.seal.seal_text(&purpose(user), &plain, studio.content.entropy.as_ref())?;
    let cookies = studio.content.sessions.cookies();
    let cookie = cookies.set(cookies.new_tokens(), &sealed, Keep::For(KEPT_FOR))?;
    Ok(ApiResponse::see_other("/studio/new/tokens")?.with(header::SET_COOKIE, cookie))
}

/// Shows the tokens and deletes the cookie: 200; 404 with a page that says so when there are none any more.
pub(super) async fn show_tokens(studio: Studio, (visitor, signed_in): Reader, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let cookies = studio.content.sessions.cookies();
    let Some(kept) = open(&studio, signed_in.user, &request) else {
        return Ok(visitor.page(&studio.pages, StatusCode::NOT_FOUND, tokens_gone_page));
    };
    let connection = studio.content.store.connection("space.find").await?;
    let space = spaces::find(&connection, kept.space).await?.ok_or_else(Fault::not_found)?;
    let view = NewTokens { space: kept.space.0, name: &space.settings.name, tokens: &kept.tokens };
    let response = visitor.ok(&studio.pages, |frame| tokens_page(frame, view));
    Ok(response.with(header::SET_COOKIE, cookies.set(cookies.new_tokens(), "", Keep::Delete)?))
}

/// What the cookie of the person holds, if it is not too old.
fn open(studio: &Studio, user: UserId, request: &ApiRequest) -> Option<Kept> {
    let sealed = cookie::find(&request.headers, studio.content.sessions.cookies().new_tokens())?;
    let opened = studio.seal.open_text(&purpose(user), sealed)?;
    let kept: Kept = serde_json::from_slice(opened.expose_secret()).ok()?;
    let age = u64::try_from(studio.content.clock.now().as_second().checked_sub(kept.at)?).ok()?;
    (age <= KEPT_FOR.as_secs()).then_some(kept)
}
