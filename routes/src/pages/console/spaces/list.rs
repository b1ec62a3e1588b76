//! `/admin/spaces`: the list of spaces.

use crate::pages::{
    Pages,
    console::{Administrator, FIRST_PAGE, done, of_list, problems},
    status,
};
use crate::web::{ApiRequest, ApiResponse};
use domain::{identity::admin::SpaceQuery, shared::Fault};
use http::StatusCode;
use pages::{
    Problems,
    console::{
        list::Paging,
        spaces::{SpacesView, spaces_page},
        text::ConsoleText,
    },
};
use services::identity::admin::spaces::list_spaces;

/// The fields of the filter.
const FIELDS: [&str; 3] = ["search", "orphaned", "deleted"];
/// What was done just before.
const DONE: [(&str, ConsoleText); 2] = [("owner", ConsoleText::OwnerGiven), ("undelete", ConsoleText::SpaceUndeleted)];

/// The page: the spaces that `GET /api/admin/spaces` lists, with the same parameters.
pub(in crate::pages::console) async fn show(
    pages: Pages,
    administrator: Administrator,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let (mut spaces, mut shown, mut code) = (Vec::new(), Problems::default(), StatusCode::OK);
    let mut paging = Paging { page: FIRST_PAGE.page, per_page: FIRST_PAGE.per_page, total: 0, is_exact: true };
    match SpaceQuery::read(&of_list(&query)) {
        Ok(wanted) => {
            let found = list_spaces(&pages.identity.ctx, &wanted).await?;
            spaces = found.items;
            paging = Paging { page: wanted.page.page, total: found.total, ..paging };
        }
        Err(fault) => {
            let (fault, told) = problems(&administrator, fault, &FIELDS)?;
            (shown, code) = (told, status(&fault));
        }
    }
    let [search, orphaned, deleted] = FIELDS.map(|name| query.get(name).unwrap_or_default());
    let done = done(administrator.visitor.language(), &query, &DONE);
    let view = SpacesView { done, problems: shown, search, orphaned, deleted, spaces: &spaces, paging };
    Ok(administrator.page(&pages, code, |console| spaces_page(console, &view)))
}
