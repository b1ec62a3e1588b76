//! The proof that an act asks for.

use super::{Administrator, Form, Pages, account};
use domain::shared::Fault;
use services::identity::{RequestContext, admin::confirm};

/// Checks the proof in a form: 400 without one, 403 for a wrong one.
pub(super) async fn confirm(
    pages: &Pages,
    context: &RequestContext,
    administrator: &Administrator,
    form: &Form,
) -> Result<(), Fault> {
    let proved = |has_password| account::credential(form, has_password);
    confirm::confirm(&pages.identity.ctx, context, administrator.claims(), proved).await
}
