//! The people of a space: its owner. Other people get rights by tokens, so the owner is the only
//! collaborator, and a space has no roles of its own.

use super::{
    access::Manager,
    envelope,
    paginate::{list_parameters, paginate},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat},
};
use domain::{
    content::Right,
    shared::{Fault, Person},
};
use serde_json::{Value, json};
use storage::shared::people;

/// The endpoint `/api/v1/spaces/{space}/collaborators`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management).get("/api/v1/spaces/{space}/collaborators", Right::Read, list)
}

/// 200 `{"collaborators": […]}`: the owner as the administrator; an empty list in a space without an owner.
/// Only administrators see the mail address.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["search"])?;
    let search = query.search("search")?.map(|text| text.to_lowercase());
    let connection = content.store.connection("person.find").await?;
    let owner = people::find_owner(&connection, caller.space()).await?;
    let views: Vec<Value> = owner
        .iter()
        .filter(|person| search.as_ref().is_none_or(|text| person.friendly_name().to_lowercase().contains(text)))
        .map(|person| view(&caller, person))
        .collect();
    let total = i64::try_from(views.len()).unwrap_or_default();
    let page = query.page(100)?;
    let found = paginate(&query, views)?;
    Ok(ApiResponse::ok(&envelope::wrap("collaborators", found.items))?.paged(total, page))
}

fn view(caller: &Manager, person: &Person) -> Value {
    let email = caller.authorized.may(Right::Administer).then_some(person.email.as_str());
    let number = person.id.number();
    json!({
        "id": number,
        "user_id": number,
        "space_id": caller.space(),
        "role": "admin",
        "permissions": [],
        "allowed_path": null,
        "field_permissions": [],
        "space_role_id": null,
        "space_role_ids": [],
        "can_act_as_admin": true,
        "user": {
            "id": number,
            "userid": email.map_or_else(|| number.to_string(), str::to_owned),
            "friendly_name": person.friendly_name(),
            "firstname": person.first_name,
            "lastname": person.last_name,
            "avatar": null,
            "alt_email": null,
            "real_email": email,
            "disabled": false,
        },
        "invitation": null,
    })
}
