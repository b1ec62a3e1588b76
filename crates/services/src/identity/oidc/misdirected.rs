//! Notes in the log and in the audit trail that an application's request could not be answered to it, so that
//! the one who has to mend the configuration finds it.
//!
//! Any page can make browsers send such requests. So a client is noted once a minute for each address that
//! the requests come from, those that name no client once a minute for each address, and all processes
//! together note 60 a minute at most.

use super::OidcContext;
use crate::identity::RequestContext;
use domain::{
    identity::oidc::misdirected::misdirected,
    shared::{Fault, Kind},
};
use serde_json::json;
use storage::{
    identity::{audit, oidc::refusal_turns},
    transact,
};

/// How much is kept of what was sent, in characters.
const MAX_KEPT: usize = 500;

/// Notes a fault that is such a refusal, and returns it.
pub(super) async fn record_misdirected(ctx: &OidcContext, request: &RequestContext, fault: Fault) -> Fault {
    let Some(refused) = &misdirected(&fault) else { return fault };
    let (client, limits) = (refused.client.map(|client| client.id), &*ctx.identity.limits);
    if limits.peek_misdirected(client, request.ip).is_err() {
        return fault;
    }
    // Characters that cannot be seen, and those that the database does not take, are left out.
    let sent = refused.sent.chars().filter(|c| !c.is_control()).take(MAX_KEPT).collect::<String>();
    let sent = sent.as_str();
    let noted = transact!(ctx.identity.store, "oidc.misdirected", async |tx| {
        match limits.misdirected(tx, client, request.ip).await {
            Err(fault) if fault.kind() == Kind::TooMany => return Ok(false),
            counted => counted?,
        }
        if !refusal_turns::take(tx).await? {
            return Ok(false);
        }
        let attempt = request.source.attempt(None);
        let attempt = client.map_or(attempt, |client| attempt.client(client));
        let details = json!({ "reason": refused.code.name(), "parameter": refused.parameter, "sent": sent });
        audit::record_failure(tx, audit::Event::OidcRequestRefused, details, attempt).await?;
        Ok(true)
    })
    .await;
    match noted {
        Ok(true) => tracing::info!(
            client.id = client,
            client.address = %request.ip,
            request.id = request.source.origin.request_id.map(tracing::field::display),
            error = refused.code.name(),
            parameter = refused.parameter,
            sent,
            "an application's request is refused on a page: correct the application, or register what it sends"
        ),
        Ok(false) => {}
        // The person is told all the same.
        Err(error) => tracing::warn!(%error, "the refusal of an application's request was not recorded"),
    }
    fault
}
