//! The proof that an act asks for.

use super::{Administrator, Form, Pages, account};
use domain::shared::Fault;
use services::identity::{
    RequestContext,
    prove::{Purpose, prove},
};

/// Checks the proof in a form: 400 without one, 403 for a wrong one. Nothing is asked for where proofs are
/// turned off.
pub(super) async fn confirm(
    pages: &Pages,
    context: &RequestContext,
    administrator: &Administrator,
    form: &Form,
) -> Result<(), Fault> {
    if !pages.identity.sessions.proofs().is_on() {
        return Ok(());
    }
    let credential = |has_password| account::credential(form, has_password);
    prove(&pages.identity.ctx, context, administrator.claims(), credential, Purpose::Act).await
}
