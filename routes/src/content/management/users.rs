//! The person behind a request: `/api/v1/users/me`. Storyblok's clients ask it whether a token is valid, and
//! whose it is.

use super::{
    access::{AnySpace, TokenOrPerson},
    envelope,
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat},
};
use domain::shared::{Fault, Person};
use serde_json::{Value, json};
use storage::shared::people;

/// The endpoint.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management).get("/api/v1/users/me", AnySpace, read)
}

/// 200 `{"user": {…}}`: of a token the person who made it; where that is not known, the owner of its space;
/// where there is none, the token itself by its name.
async fn read(content: Content, caller: TokenOrPerson, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("person.find").await?;
    let user = match caller {
        TokenOrPerson::Person(signed_in) => {
            let person = people::find(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
            view(Some(&person), "")
        }
        TokenOrPerson::Token(bearer) => {
            let maker = match bearer.created_by {
                Some(person) => people::find(&connection, person).await?,
                None => people::find_owner(&connection, bearer.space).await?,
            };
            view(maker.as_ref(), &bearer.name)
        }
    };
    ApiResponse::ok(&envelope::wrap("user", user))
}

/// A person in Storyblok's shape. What does not exist here has the value that it has at Storyblok for an
/// account that does not use it.
fn view(person: Option<&Person>, token: &str) -> Value {
    json!({
        "id": person.map_or(0, |p| p.id.number()),
        "userid": person.map_or(token, |p| &p.email),
        "email": person.map_or("", |p| &p.email),
        "friendly_name": person.map_or_else(|| token.to_owned(), Person::friendly_name),
        "firstname": person.map(|p| &p.first_name),
        "lastname": person.and_then(|p| p.last_name.as_ref()),
        "lang": person.map(|p| &p.locale),
        "created_at": person.map(|p| domain::shared::timestamp::format(p.created_at)),
        "confirmed": person.is_some_and(|p| p.email_verified),
        "username": null,
        "use_username": false,
        "alt_email": null,
        "phone": null,
        "avatar": null,
        "timezone": null,
        "login_strategy": "password",
        "role": "normal",
        "organization": null,
        "org": {},
        "org_role": null,
        "has_org": false,
        "has_partner": false,
        "partner_role": null,
        "partner_status": null,
        "sso": false,
        "is_editor": null,
        "job_role": null,
        "job_title": null,
        "company_name": null,
        "notified": [],
        "favourite_spaces": [],
        "favourite_ideas": [],
        "disclaimer_ids": [],
        "configured_2fa_options": [],
        "totp_factor_verified": false,
        "beta_user": false,
        "track_statistics": false,
        "live_chat_enabled": false,
        "ui_theme": {},
    })
}
