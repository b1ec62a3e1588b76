//! `/admin/users`: the list of people.

use crate::pages::{
    Pages,
    console::{Administrator, FIRST_PAGE, done, of_list, problems},
    status,
};
use crate::web::{ApiRequest, ApiResponse};
use domain::{identity::admin::UserQuery, shared::Fault};
use http::StatusCode;
use pages::{
    Problems,
    console::{
        list::Paging,
        text::ConsoleText,
        users::{UsersView, users_page},
    },
};
use services::identity::admin::user_details::list_users;

/// The fields of the filter.
const FIELDS: [&str; 5] = ["search", "emailVerified", "isAdmin", "suspended", "sort"];

/// The page: the people that `GET /api/admin/users` lists, with the same parameters.
pub(in crate::pages::console) async fn show(
    pages: Pages,
    administrator: Administrator,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let (mut accounts, mut shown, mut code) = (Vec::new(), Problems::default(), StatusCode::OK);
    let mut paging = Paging { page: FIRST_PAGE.page, per_page: FIRST_PAGE.per_page, total: 0, is_exact: true };
    match UserQuery::read(&of_list(&query)) {
        Ok(wanted) => {
            let found = list_users(&pages.identity.ctx, &wanted).await?;
            accounts = found.accounts;
            paging = Paging { page: wanted.page.page, total: found.total, is_exact: found.is_total_exact, ..paging };
        }
        Err(fault) => {
            let (fault, told) = problems(&administrator, fault, &FIELDS)?;
            (shown, code) = (told, status(&fault));
        }
    }
    let sent = |name: &str| query.get(name).unwrap_or_default();
    let [search, email_verified, is_admin, suspended, sort] = FIELDS.map(sent);
    let view = UsersView {
        done: done(administrator.visitor.language(), &query, &[("deleted", ConsoleText::UserDeleted)]),
        problems: shown,
        search,
        email_verified,
        is_admin,
        suspended,
        sort,
        accounts: &accounts,
        paging,
    };
    Ok(administrator.page(&pages, code, |console| users_page(console, &view)))
}
