//! `/admin/mail…`: the connection to the mail server, the mails that are not sent, how mails look, and a
//! test.

use super::{Administrator, ApiRequest, ApiResponse, FIRST_PAGE, Form, Pages, back_to_list, done, of_list, problems};
use crate::{
    identity::{
        Identity,
        admin::email::{locale, send_test, template},
    },
    pages::{status, with_retry},
    web::headers::{MAIL_POLICY, framing_policy},
};
use actors::identity::mail_diagnostics::MailStatus;
use domain::{
    identity::{
        admin::QueuedMailQuery,
        email::shown,
        mail::{RenderedMail, Template},
    },
    shared::Fault,
};
use http::{StatusCode, header};
use pages::{
    Problems,
    console::{
        list::Paging,
        mail::{Connection, MailRow, MailView, PreviewView, TestView, mail_page, preview as preview_page, test as test_page},
        operations_text::OperationsText,
    },
};
use services::identity::admin::mails::{QueuedMail, list_mails, retry_mail};

/// The page; with `measure=true` it connects to the mail server first.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    render(&pages, administrator, &request, (Problems::default(), StatusCode::OK)).await
}

/// Sends a dead mail again: 303 to the page of the list that it was asked for at.
pub(super) async fn retry(pages: Pages, administrator: Administrator, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let retried = async {
        let id = form.text("id").parse().map_err(|_| Fault::not_found())?;
        retry_mail(pages.identity.acting(&context, administrator.claims()), id).await
    };
    match Box::pin(retried).await {
        Ok(()) => back_to_list(&request, "mail"),
        Err(fault) => {
            let (fault, shown) = problems(&administrator, fault, &[])?;
            render(&pages, administrator, &request, (shown, status(&fault))).await
        }
    }
}

async fn render(
    pages: &Pages,
    administrator: Administrator,
    request: &ApiRequest,
    (mut shown, mut code): (Problems, StatusCode),
) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let identity = &pages.identity;
    let mut paging = Paging { page: FIRST_PAGE.page, per_page: FIRST_PAGE.per_page, total: 0, is_exact: true };
    let mut mails = Vec::new();
    match QueuedMailQuery::read(&of_list(&query)) {
        Ok(wanted) => {
            let found = list_mails(&identity.ctx, &wanted).await?;
            paging = Paging { page: wanted.page.page, total: found.total, ..paging };
            mails = found.items;
        }
        Err(fault) => {
            let (fault, problems_shown) = problems(&administrator, fault, &["state"])?;
            (shown, code) = (problems_shown, status(&fault));
        }
    }
    let connection = if query.get("measure") == Some("true") { identity.mail.status().await?.map(connection) } else { None };
    let known = [("mail", OperationsText::MailQueuedAgain), ("all", OperationsText::MailsQueuedAgain)];
    let view = MailView {
        done: done(administrator.visitor.language(), &query, &known),
        problems: shown,
        is_on: identity.mail.is_on(),
        connection,
        state: query.get("state").unwrap_or_default(),
        mails: mails.into_iter().map(row).collect(),
        paging,
    };
    Ok(administrator.page(pages, code, |console| mail_page(console, &view)))
}

fn connection(status: MailStatus) -> Connection {
    Connection {
        server: format!("{}:{}", status.host, status.port),
        from: status.from,
        has_login: status.has_credentials,
        protocol: status.protocol.map(str::to_owned),
        is_authorized: status.is_authorized,
        error: status.problem,
    }
}

fn row(QueuedMail { mail, recipient, is_retryable }: QueuedMail) -> MailRow {
    let error = [mail.error, mail.answer].into_iter().flatten().collect::<Vec<_>>().join(": ");
    MailRow {
        id: mail.id.to_string(),
        state: mail.state,
        template: mail.template,
        user: mail.user.map(|user| user.to_string()),
        recipient,
        attempts: mail.attempts,
        error: Some(error).filter(|error| !error.is_empty()),
        created_at: mail.created_at,
        next_at: mail.next_at,
        is_retryable,
    }
}

/// The mail that is looked at, and the template and the locale that the query chose.
fn previewed<'a>(identity: &'a Identity, request: &ApiRequest) -> Result<(Template, &'a str, RenderedMail), Fault> {
    let query = request.query()?;
    let template = match query.text("template") {
        None => Template::Verification,
        named => template(named)?,
    };
    let locale = locale(identity, query.text("locale"))?;
    Ok((template, locale, identity.mail.preview(template, locale)?))
}

/// How a mail looks.
pub(super) async fn preview(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let (template, locale, mail) = previewed(&pages.identity, &request)?;
    let view = PreviewView { template, locale, locales: pages.identity.ctx.settings.locales.supported(), mail: &mail };
    let response = administrator.ok(&pages, |console| preview_page(console, &view));
    let policy = framing_policy().ok_or_else(|| Fault::internal("the policy of a page with a frame is no header"))?;
    Ok(response.with(header::CONTENT_SECURITY_POLICY, policy))
}

/// The HTML of a mail as a document of its own, for the frame of the page.
pub(super) async fn preview_frame(pages: Pages, _: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let (_, _, mail) = previewed(&pages.identity, &request)?;
    let response = ApiResponse::bytes(StatusCode::OK, "text/html; charset=utf-8", mail.html);
    Ok(response.with(header::CONTENT_SECURITY_POLICY, MAIL_POLICY))
}

/// The page to send a test mail with.
pub(super) async fn show_test(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let notice = done(administrator.visitor.language(), &query, &[("sent", OperationsText::TestSent)]);
    let locales = &pages.identity.ctx.settings.locales;
    let locale = locales.choose(None).unwrap_or_default();
    let to = shown(administrator.email());
    let view =
        TestView { done: notice, problems: Problems::default(), to: &to, template: None, locale, locales: locales.supported() };
    Ok(administrator.ok(&pages, |console| test_page(console, &view)))
}

/// Sends a test mail.
pub(super) async fn test(pages: Pages, administrator: Administrator, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let fields = ["to", "template", "locale"].map(|name| form.given(name));
    let sent = Box::pin(send_test(&pages.identity, &context, administrator.claims(), fields)).await;
    let (shown, code, fault) = match sent.map(|tested| tested.outcome) {
        Ok(Ok(_)) => return ApiResponse::see_other("/admin/mail/test?done=sent"),
        Ok(Err(refused)) => {
            let language = administrator.visitor.language();
            let sentence = pages::Words::fill(OperationsText::TestRefused, language, &[("answer", &refused.response)]);
            (Problems::summary(sentence), StatusCode::BAD_GATEWAY, None)
        }
        Err(fault) => {
            let (fault, shown) = problems(&administrator, fault, &["to"])?;
            (shown, status(&fault), Some(fault))
        }
    };
    let view = TestView {
        done: None,
        problems: shown,
        to: form.text("to"),
        template: form.text("template").parse().ok(),
        locale: form.text("locale"),
        locales: pages.identity.ctx.settings.locales.supported(),
    };
    let response = administrator.page(&pages, code, |console| test_page(console, &view));
    Ok(match fault {
        Some(fault) => with_retry(response, &fault),
        None => response,
    })
}
