//! `/admin/audit`: the audit trail, as a list and as a file, and emptying entries about people who are gone.

mod csv;

use super::{
    Administrator, ApiRequest, ApiResponse, FIRST_PAGE, Form, Pages, about_field, account_of, confirm::confirm, done, entries,
    of_list, problems, refuse, status,
};
use domain::{
    identity::admin::AuditQuery,
    shared::{Fault, PageRequest, Parameters},
};
use http::{HeaderValue, StatusCode, header};
use pages::{
    Problems,
    console::{
        audit::{AuditView, anonymize_page, audit_page, explained},
        list::Paging,
        text::ConsoleText,
    },
};
use services::identity::admin::audit_logs;

/// The fields of the filter.
const FIELDS: [&str; 7] = ["event", "status", "client", "person", "ip", "from", "to"];
/// The most entries of a file: the newest of the filter.
const MOST_IN_FILE: u32 = 5000;

/// What is asked for.
enum AuditPageRequest {
    Entries(AuditQuery),
    /// No account has the address.
    Nobody,
}

/// Reads the filter: that of `GET /api/admin/audit-logs`, with `person` in the place of `user`, which may be
/// an address too.
async fn read(pages: &Pages, query: &Parameters) -> Result<AuditPageRequest, Fault> {
    let Some(user) = account_of(pages, query.get("person").unwrap_or_default()).await? else { return Ok(AuditPageRequest::Nobody) };
    let read = AuditQuery::read(&of_list(&user.replacing(query, "person")));
    read.map(AuditPageRequest::Entries).map_err(|fault| about_field(fault, "person"))
}

/// The page.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let sent = |name: &str| query.get(name).unwrap_or_default();
    let [event, status_name, client, person, ip, from, to] = FIELDS.map(sent);
    let file = file_path(request.raw_query());
    let mut view = AuditView {
        done: done(administrator.visitor.language(), &query, &[("anonymized", ConsoleText::Anonymized)]),
        problems: Problems::default(),
        event,
        status: status_name,
        client,
        clients: pages.identity.oidc.clients.iter().map(|client| (client.id.as_str(), client.name.as_str())).collect(),
        person,
        ip,
        from,
        to,
        entries: Vec::new(),
        paging: Paging { page: FIRST_PAGE.page, per_page: FIRST_PAGE.per_page, total: 0, is_exact: true },
        is_person_unknown: false,
        most_in_file: MOST_IN_FILE,
        file: &file,
    };
    let mut code = StatusCode::OK;
    match read(&pages, &query).await {
        Ok(AuditPageRequest::Nobody) => view.is_person_unknown = true,
        Ok(AuditPageRequest::Entries(wanted)) => {
            let found = audit_logs::list_entries(&pages.identity.ctx, &wanted).await?;
            view.paging = Paging { page: wanted.page.page, total: found.total, ..view.paging };
            view.entries = entries::rows(found.items);
        }
        Err(fault) => {
            let (fault, told) = problems(&administrator, fault, &FIELDS)?;
            (view.problems, code) = (explained(administrator.visitor.language(), told), status(&fault));
        }
    }
    Ok(administrator.page(&pages, code, |console| audit_page(console, &view)))
}

/// The path of the file with the same filter.
fn file_path(query: &str) -> String {
    let kept: Vec<&str> = query.split('&').filter(|pair| FIELDS.iter().any(|name| pair.split('=').next() == Some(name))).collect();
    if kept.is_empty() { "/admin/audit/csv".to_owned() } else { format!("/admin/audit/csv?{}", kept.join("&")) }
}

/// 200 with the newest entries of the filter as a file of comma-separated values (RFC 4180). The audit trail
/// has that it was made.
pub(super) async fn file(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let wanted = match read(&pages, &request.query()?).await? {
        AuditPageRequest::Nobody => None,
        AuditPageRequest::Entries(wanted) => Some(AuditQuery { page: PageRequest { page: 1, per_page: MOST_IN_FILE }, ..wanted }),
    };
    let context = pages.identity.request_context(&request);
    let found = audit_logs::export_entries(pages.identity.acting(&context, administrator.claims()), wanted.as_ref()).await?;
    let name = HeaderValue::from_static("attachment; filename=\"audit.csv\"");
    Ok(ApiResponse::bytes(StatusCode::OK, "text/csv; charset=utf-8", csv::file(&found)).with(header::CONTENT_DISPOSITION, name))
}

/// The page that asks before entries are emptied.
pub(super) async fn show_anonymize(pages: Pages, administrator: Administrator, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let proof = administrator.proof();
    Ok(administrator.ok(&pages, |console| anonymize_page(console, &Problems::default(), proof)))
}

/// Empties what is personal in entries about people who are gone.
pub(super) async fn anonymize(pages: Pages, administrator: Administrator, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let done = async {
        confirm(&pages, &context, &administrator, &form).await?;
        audit_logs::anonymize(pages.identity.acting(&context, administrator.claims())).await
    };
    match Box::pin(done).await {
        Ok(count) => ApiResponse::see_other(&format!("/admin/audit?done=anonymized&count={count}")),
        Err(fault) => {
            let proof = administrator.proof();
            refuse(&pages, administrator, fault, &["password"], |console, problems| anonymize_page(console, &problems, proof))
        }
    }
}
