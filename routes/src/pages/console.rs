//! `/admin…`: the console of administrators. A list is a GET whose address can be kept; an act with
//! consequences has a page that names them and asks for a proof.

mod access;
mod audit;
mod blocks;
mod clients;
mod configuration;
mod confirm;
mod entries;
mod keys;
mod mail;
mod overview;
mod person_filter;
mod retry_all;
mod roles;
mod sign_out_everybody;
mod spaces;
mod tokens;
mod users;
mod workers;

pub(super) use workers::Streams;

use super::{Form, Pages, account, is_of_form, status, with_retry};
use crate::web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, proved};
use access::{Administrator, ByConsole};
use domain::shared::{Fault, Language, PageRequest, Parameters};
use pages::{Problems, Words};
use person_filter::{about_field, account_of};
use users::{acts, create, edit, list, read, roles as user_roles};

/// How many items a page of a list has.
const PER_PAGE: u32 = 50;

/// The pages of the console.
pub(super) fn endpoints(pages: &Pages) -> Endpoints<Pages> {
    let table = Endpoints::new(pages, ErrorFormat::Page)
        .get("/admin", ByConsole, overview::show)
        .get("/admin/users", ByConsole, list::show)
        .get("/admin/users/new", ByConsole, create::show)
        .post("/admin/users/new", ByConsole, create::create)
        .get("/admin/users/{id}", ByConsole, read::show)
        .get("/admin/users/{id}/edit", ByConsole, edit::show)
        .post("/admin/users/{id}/edit", ByConsole, edit::save)
        .get("/admin/users/{id}/sessions", ByConsole, read::sessions)
        .get("/admin/users/{id}/apps", ByConsole, read::apps)
        .get("/admin/users/{id}/roles", ByConsole, user_roles::show)
        .get("/admin/users/{id}/roles/change", ByConsole, user_roles::show_change)
        .post("/admin/users/{id}/roles/change", ByConsole, user_roles::change)
        .get("/admin/spaces", ByConsole, spaces::list::show)
        .get("/admin/spaces/{space}/owner", ByConsole, spaces::acts::show_owner)
        .post("/admin/spaces/{space}/owner", ByConsole, spaces::acts::give_owner)
        .get("/admin/spaces/{space}/undelete", ByConsole, spaces::acts::show_undelete)
        .post("/admin/spaces/{space}/undelete", ByConsole, spaces::acts::undelete)
        .get("/admin/tokens", ByConsole, tokens::show)
        .get("/admin/tokens/revoke", ByConsole, tokens::show_revoke)
        .post("/admin/tokens/revoke", ByConsole, tokens::revoke)
        .get("/admin/roles", ByConsole, roles::show)
        .get("/admin/roles/rekey", ByConsole, roles::show_rekey)
        .post("/admin/roles/rekey", ByConsole, roles::rekey)
        .get("/admin/clients", ByConsole, clients::list)
        .get("/admin/clients/{id}", ByConsole, clients::show)
        .get("/admin/clients/{id}/secret", ByConsole, clients::show_secret)
        .post("/admin/clients/{id}/secret", ByConsole, clients::reveal_secret)
        .get("/admin/audit", ByConsole, audit::show)
        // The audit trail has each file that was made of it.
        .get_that_writes("/admin/audit/csv", proved(ByConsole), audit::file)
        .get("/admin/audit/anonymize", ByConsole, audit::show_anonymize)
        .post("/admin/audit/anonymize", ByConsole, audit::anonymize)
        .get("/admin/configuration", ByConsole, configuration::show)
        .get("/admin/mail", ByConsole, mail::show)
        .post("/admin/mail", ByConsole, mail::retry)
        .get("/admin/mail/retry", ByConsole, retry_all::show_mails)
        .post("/admin/mail/retry", ByConsole, retry_all::retry_mails)
        .get("/admin/mail/preview", ByConsole, mail::preview)
        .get("/admin/mail/preview/frame", ByConsole, mail::preview_frame)
        .get("/admin/mail/test", ByConsole, mail::show_test)
        .post("/admin/mail/test", ByConsole, mail::test)
        .get("/admin/workers", ByConsole, workers::show)
        .get("/admin/workers/events", ByConsole, workers::stream)
        .get("/admin/workers/{name}", ByConsole, workers::dead)
        .post("/admin/workers/{name}", ByConsole, workers::retry)
        .get("/admin/workers/{name}/retry", ByConsole, retry_all::show)
        .post("/admin/workers/{name}/retry", ByConsole, retry_all::retry)
        .get("/admin/blocks", ByConsole, blocks::show)
        .post("/admin/blocks", ByConsole, blocks::lift)
        .get("/admin/keys", ByConsole, keys::show)
        .get("/admin/keys/rotate", ByConsole, keys::show_rotate)
        .post("/admin/keys/rotate", ByConsole, keys::rotate)
        .get("/admin/keys/replace", ByConsole, keys::show_replace)
        .post("/admin/keys/replace", ByConsole, keys::replace)
        .get("/admin/sign-out-everybody", ByConsole, sign_out_everybody::show)
        .post("/admin/sign-out-everybody", ByConsole, sign_out_everybody::sign_out);
    acts::add_to(table)
}

/// What was done just before, by the query of the redirect that followed it: `done` names it, and `count` is
/// a number in its sentence.
fn done(language: Language, query: &Parameters, known: &[(&str, impl Words)]) -> Option<String> {
    let sent = query.get("done")?;
    let (_, text) = known.iter().find(|(name, _)| *name == sent)?;
    let count: u64 = query.get("count").and_then(|count| count.parse().ok()).unwrap_or_default();
    Some(text.fill(language, &[("count", &count.to_string())]))
}

/// 303 to the same page of a list, which says what was done.
fn back_to_list(request: &ApiRequest, what: &str) -> Result<ApiResponse, Fault> {
    ApiResponse::see_other(request.own_path().in_list(None).with(&format!("done={what}")).as_str())
}

/// The parameters of a list with the length of the console's pages.
fn of_list(query: &Parameters) -> Parameters {
    let own = query.pairs().filter(|(name, _)| *name != "perPage").map(|(name, value)| (name.to_owned(), value.to_owned()));
    Parameters::new(own.chain([("perPage".to_owned(), PER_PAGE.to_string())]).collect())
}

/// The first page of a list, for a filter that cannot be read.
const FIRST_PAGE: PageRequest = PageRequest { page: 1, per_page: PER_PAGE };

/// What is wrong with a form or a filter, and its status; a fault that no form shows goes on.
fn problems(administrator: &Administrator, fault: Fault, fields: &[&str]) -> Result<(Fault, Problems), Fault> {
    if !is_of_form(&fault) {
        return Err(fault);
    }
    let problems = Problems::of(administrator.visitor.language(), &fault, fields);
    Ok((fault, problems))
}

/// The page again, with what is wrong with its form. `fields` are those that the form has.
fn refuse(
    pages: &Pages,
    administrator: Administrator,
    fault: Fault,
    fields: &[&str],
    render: impl FnOnce(&pages::console::Console<'_>, Problems) -> String,
) -> Result<ApiResponse, Fault> {
    let (fault, problems) = problems(&administrator, fault, fields)?;
    let response = administrator.page(pages, status(&fault), |console| render(console, problems));
    Ok(with_retry(response, &fault))
}
