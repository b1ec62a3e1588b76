//! Test mails of administrators: how many there may be, and what the audit trail says.

use super::ActingAdministrator;
use crate::identity::IdentityContext;
use domain::{
    identity::mail::Template,
    shared::{Fault, UserId},
};
use serde_json::{Value, json};
use storage::{identity::audit, transact};

/// The audit event.
const SENT: audit::Event = audit::Event::AdminEmailTestSent;

/// Counts a test; 429 after ten of an administrator in ten minutes, at whichever process.
pub async fn acquire(ctx: &IdentityContext, admin: UserId) -> Result<(), Fault> {
    ctx.limits.email_test.acquire(&ctx.store, &admin.to_string()).await
}

/// Records a test, with the code of the error if the mail server refused it. The address is not part of the entry: it may be a stranger's. The mail
/// is on its way, so that the entry is written also when the right was removed meanwhile.
pub async fn record(by: ActingAdministrator<'_>, template: Template, refusal: Option<&'static str>) -> Result<(), Fault> {
    transact!(by.ctx, "email.record_test", async |tx| {
        let attempt = by.attempt(None);
        let details = |reason: Option<&str>| -> Value { json!({ "template": template.name(), "reason": reason }) };
        match refusal {
            None => audit::record_with(tx, SENT, &details(None), attempt).await,
            Some(reason) => audit::record_failure(tx, SENT, details(Some(reason)), attempt).await,
        }
    })
    .await
}
