//! `GET /api/admin/email/preview`: a mail with sample values. Nothing is sent, and its link and code do not
//! work.

use super::{locale, template};
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::Fault;
use serde::Serialize;

#[derive(Serialize)]
struct PreviewView<'a> {
    template: &'static str,
    locale: &'a str,
    subject: String,
    html: String,
    text: String,
    sources: SourcesView,
}

/// Where each part comes from: `builtin`, `override` or `localeOverride`.
#[derive(Serialize)]
struct SourcesView {
    subject: &'static str,
    html: &'static str,
    text: &'static str,
}

/// 200 with subject and both bodies; 400 for an unknown template or locale.
pub(in crate::identity::admin) async fn preview(
    identity: Identity,
    _: SignedIn,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let template = template(query.text("template"))?;
    let locale = locale(&identity, query.text("locale"))?;
    let mail = identity.mail.preview(template, locale)?;
    let [subject, html, text] = mail.sources.map(<&str>::from);
    ApiResponse::ok(&PreviewView {
        template: template.into_str(),
        locale,
        subject: mail.subject,
        html: mail.html,
        text: mail.text,
        sources: SourcesView { subject, html, text },
    })
}
