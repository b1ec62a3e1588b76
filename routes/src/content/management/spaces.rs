//! Spaces: `/api/v1/spaces` and `/api/v1/spaces/{space}`.

mod create;
mod view;

use super::{
    access::{AnySpace, Manager, OwnerOr, TokenOrPerson},
    envelope,
    paginate::{list_parameters, paginate},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, BySession, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{Right, SpaceChange},
    shared::Fault,
};
use services::content::spaces::{DeleteSpace, UpdateSpace};
use storage::content::spaces;
use view::SpaceView;

const KEY: &str = "space";

/// The endpoints of spaces themselves; what is in a space has tables of its own.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces", AnySpace, list)
        .post("/api/v1/spaces", BySession, create::create)
        .get("/api/v1/spaces/{space}", OwnerOr(Right::Read), read)
        .put("/api/v1/spaces/{space}", OwnerOr(Right::Administer), update)
        .delete("/api/v1/spaces/{space}", OwnerOr(Right::Administer), delete)
}

/// 200 `{"spaces": […]}`: a person's own spaces, or the space that a token opens. Filter: `search` (in the name).
async fn list(content: Content, caller: TokenOrPerson, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let mut all = match caller {
        TokenOrPerson::Token(bearer) => {
            let connection = content.store.connection("space.find").await?;
            spaces::find(&connection, bearer.space).await?.into_iter().collect()
        }
        TokenOrPerson::Person(signed_in) => {
            let connection = content.store.connection("space.list").await?;
            spaces::list_owned(&connection, signed_in.user).await?
        }
    };
    let query = list_parameters(&request, &["search"])?;
    if let Some(search) = query.get("search").map(str::to_lowercase) {
        all.retain(|space| space.settings.name.to_lowercase().contains(&search));
    }
    let found = paginate(&query, all)?;
    let views: Vec<_> = found.items.iter().map(SpaceView::of).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("spaces", views))?))
}

/// 200 with the space, for tokens of any role.
async fn read(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("space.find").await?;
    let space = spaces::find(&connection, caller.space).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, SpaceView::of(&space)))
}

/// Of `{"space": {name?, domain?, languages?, default_lang_name?}}`: 200 with the space as it is now. Members that are not named keep their values;
/// `languages` is replaced as a whole. A change moves `cv`.
async fn update(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: SpaceChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    content.spaces.execute(caller.space, caller.actor, request.origin(), UpdateSpace(change)).await?;
    let connection = content.store.connection("space.find").await?;
    let space = spaces::find(&connection, caller.space).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, SpaceView::of(&space)))
}

/// 200 with the space as it was. The deletion is soft: the rows stay for 30 days, and all tokens stop working at once.
async fn delete(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("space.find").await?;
    let space = spaces::find(&connection, caller.space).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    content.spaces.execute(caller.space, caller.actor, request.origin(), DeleteSpace).await?;
    ApiResponse::ok(&envelope::wrap(KEY, SpaceView::of(&space)))
}
