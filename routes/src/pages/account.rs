//! `/account/…`: the pages of a person who is signed in. Before a change of what signs in, the use cases ask
//! for a proof, which the form of the change takes.

pub(super) mod activity;
pub(super) mod app;
pub(super) mod apps;
pub(super) mod backup_codes;
pub(super) mod data;
pub(super) mod delete;
pub(super) mod email;
mod first_steps;
pub(super) mod passkeys;
pub(super) mod password;
pub(super) mod profile;
pub(super) mod prove;
pub(super) mod security;
pub(super) mod sessions;

use super::{Form, Pages, Visitor, refuse};
use crate::web::{ApiRequest, SignedIn};
use domain::{
    identity::Account,
    shared::{Code, Detail, Fault},
};
use pages::{
    Text,
    account::{DoneNotice, proof::Proof},
};
use services::identity::reauth::Credential;
use storage::identity::accounts;

/// A person who is signed in, at a page.
type Owner = (Visitor, SignedIn);

/// The account of a person; 401 when it was deleted at this moment.
pub(super) async fn find(pages: &Pages, signed_in: SignedIn) -> Result<Account, Fault> {
    let connection = pages.identity.ctx.store.connection("account.find").await?;
    accounts::find(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)
}

/// What was done just before, by the query of the redirect that followed it.
pub(crate) fn done(request: &ApiRequest, known: &[(&str, Text)]) -> Result<Option<DoneNotice>, Fault> {
    let query = request.query()?;
    let sent = query.get("done").unwrap_or_default();
    Ok(known.iter().find(|(name, _)| *name == sent).map(|(_, text)| DoneNotice(*text)))
}

/// What proves who an account belongs to: its password if it has one, and a passkey otherwise.
pub(super) fn proof(account: &Account) -> Proof {
    if account.has_password { Proof::Password } else { Proof::Passkey }
}

/// The proof that a form holds; 400 when it was left out.
pub(super) fn credential(form: &Form, has_password: bool) -> Result<Credential, Fault> {
    if has_password {
        let missing = || Fault::of(Code::PasswordRequired).about(vec![Detail::required("password")]);
        return form.secret("password").map(Credential::Password).ok_or_else(missing);
    }
    // The script of the page has put there what the authenticator answered.
    let credential = serde_json::from_str(form.text("credential"));
    let credential = credential.map_err(|_| Fault::required("credential", "Send what the authenticator answered"))?;
    Ok(Credential::Passkey { challenge: form.owned("challenge"), credential })
}
