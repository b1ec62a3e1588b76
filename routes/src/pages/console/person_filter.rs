//! A filter for a person: the field takes an address too, where the API takes an id.

use super::Pages;
use domain::{
    identity::Email,
    shared::{Fault, Parameters},
};
use storage::identity::accounts;

/// The person of a filter, as the API names them: an id, or what was typed in its place.
pub(super) struct FilteredPerson(String);

/// Reads what was typed; `None` when no account has the address.
pub(super) async fn account_of(pages: &Pages, typed: &str) -> Result<Option<FilteredPerson>, Fault> {
    let typed = typed.trim();
    if !typed.contains('@') {
        return Ok(Some(FilteredPerson(typed.to_owned())));
    }
    let connection = pages.identity.ctx.store.connection("account.find_by_email").await?;
    let found = match Email::parse(typed) {
        Some(email) => accounts::find_by_email(&connection, &email).await?,
        None => None,
    };
    Ok(found.map(|found| FilteredPerson(found.account.id.to_string())))
}

impl FilteredPerson {
    /// The parameters with `user` in the place of the field.
    pub(super) fn replacing(&self, query: &Parameters, field: &str) -> Parameters {
        let others = query.pairs().filter(|(name, _)| *name != "user" && *name != field);
        let others = others.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Parameters::new(others.chain([("user".to_owned(), self.0.clone())]).collect())
    }
}

/// The fault of the parameters, about the field.
pub(super) fn about_field(mut fault: Fault, field: &str) -> Fault {
    for detail in fault.details.iter_mut().filter(|detail| detail.field == "user") {
        field.clone_into(&mut detail.field);
    }
    fault
}
