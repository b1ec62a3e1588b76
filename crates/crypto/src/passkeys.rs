//! Passkeys (WebAuthn level 3), on webauthn-rs: options for browsers, and the verification of their
//! responses.
//!
//! ```text
//! start_registration(owner, known)   -> Started       options for the browser, the state to store, the challenge
//! finish_registration(answer, state)  -> NewKey
//! start_authentication(allowed)      -> Started       with an empty list, any passkey of this server may answer (usernameless)
//! finish_authentication(answer, state, key) -> Seen
//! ```
//!
//! The library checks the type, the challenge, the origin, the domain, user presence and user verification,
//! the signature and the counter. The rest is done here: the options ask for a discoverable passkey, a
//! response from a page that another site embeds is refused (at a login the library does not check that), and
//! only a hash of the challenge is stored.

mod answer;
mod attestation;
mod state;

pub use answer::{Assertion, Registration, challenge_of};

use domain::{identity::RelyingParty, shared::Fault};
use serde::Serialize;
use serde_json::Value;
use state::{with_challenge, without_challenge};
use std::{ops::RangeInclusive, time::Duration};
use uuid::Uuid;
use webauthn_rs::{
    DEFAULT_AUTHENTICATOR_TIMEOUT, Webauthn, WebauthnBuilder,
    prelude::{Credential, DiscoverableAuthentication, PasskeyRegistration, Url, WebauthnError},
};
use webauthn_rs_proto::{AllowCredentials, PublicKeyCredentialDescriptor, ResidentKeyRequirement};

/// How long a browser waits for its user: as long as a challenge is valid.
const TIMEOUT: Duration = DEFAULT_AUTHENTICATOR_TIMEOUT;

/// The lengths that a credential id may have, in bytes (WebAuthn, section 5.1.3 and others).
const CREDENTIAL_ID: RangeInclusive<usize> = 1..=1023;

/// Makes the options of ceremonies and verifies the responses of browsers.
#[derive(Debug, Clone)]
pub struct Passkeys(Webauthn);

/// The owner of a new passkey, as the authenticator shows it.
#[derive(Debug, Clone, Copy)]
pub struct PasskeyOwner<'a> {
    /// The user handle: authenticators store it and send it back at a login.
    pub handle: &'a [u8],
    /// A name that distinguishes the account from others of the same person.
    pub name: &'a str,
    /// The name of the person.
    pub display_name: &'a str,
}

/// A passkey that is registered already.
#[derive(Debug, Clone, Copy)]
pub struct RegisteredPasskey<'a> {
    pub credential_id: &'a [u8],
    /// How browsers reach its authenticator.
    pub transports: &'a [String],
}

/// A ceremony that was started.
#[derive(Debug)]
pub struct Started {
    /// The options for the browser, as `@simplewebauthn/browser` reads them.
    pub options: Value,
    /// The challenge that the authenticator signs. It must not be stored.
    pub challenge: String,
    /// The state that the verification of the response needs; it does not hold the challenge.
    pub state: Value,
}

/// A passkey that was just registered.
#[derive(Debug)]
pub struct NewKey {
    pub credential_id: Vec<u8>,
    /// The public key, and what the authenticator stated about itself.
    pub credential: Value,
    /// The signature counter of the authenticator.
    pub sign_count: u32,
    /// Whether it may be synchronised to several devices (backup eligible).
    pub is_synced: bool,
    /// Whether it is on several devices now (backed up).
    pub is_backed_up: bool,
    /// The model of its authenticator, if the authenticator states it.
    pub aaguid: Option<Uuid>,
}

/// A passkey as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct Key<'a> {
    /// The credential of its registration.
    pub credential: &'a Value,
    /// The signature counter of its last use.
    pub sign_count: u32,
    /// Whether it was backed up at its last use.
    pub is_backed_up: bool,
}

/// What a valid response states about the passkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedPasskey {
    pub sign_count: u32,
    /// Whether it is on several devices now.
    pub is_backed_up: bool,
}

/// Why a response is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResponseRefusal {
    /// The signature counter went back: the key may have been cloned.
    CountWentBack,
    /// Any other reason, as a text for the log.
    Wrong(String),
}

impl From<WebauthnError> for ResponseRefusal {
    fn from(error: WebauthnError) -> Self {
        match error {
            WebauthnError::CredentialPossibleCompromise => Self::CountWentBack,
            other => Self::Wrong(other.to_string()),
        }
    }
}

impl Passkeys {
    /// Makes the verifier of a relying party; browsers show the name to people.
    pub fn new(site: &RelyingParty, name: &str) -> Result<Self, Fault> {
        let broken = |what: &dyn std::fmt::Display| Fault::internal(format!("passkeys of {}: {what}", site.id));
        let origins =
            site.origins.iter().map(|origin| Url::parse(origin)).collect::<Result<Vec<_>, _>>().map_err(|error| broken(&error))?;
        let (first, more) = origins.split_first().ok_or_else(|| broken(&"no origin"))?;
        let builder = WebauthnBuilder::new(&site.id, first).map_err(|error| broken(&error))?.rp_name(name).timeout(TIMEOUT);
        let builder = more.iter().fold(builder, WebauthnBuilder::append_allowed_origin);
        builder.build().map(Self).map_err(|error| broken(&error))
    }

    /// Starts the registration of a passkey that is none of the known ones.
    pub fn start_registration(&self, owner: PasskeyOwner<'_>, known: &[RegisteredPasskey<'_>]) -> Result<Started, Fault> {
        let PasskeyOwner { handle, name, display_name } = owner;
        // The library takes only UUIDs for user handles, and does nothing with the handle but write it into
        // the options; so it is set there. The known passkeys are set there, too. A credential id that is
        // registered all the same, by this account or another, is refused where it is stored.
        let (asked, state) =
            self.0.start_passkey_registration(Uuid::nil(), name, display_name, None).map_err(|error| not_started(&error))?;
        let mut options = asked.public_key;
        options.user.id = handle.to_vec();
        if let Some(selection) = &mut options.authenticator_selection {
            // A login asks for no user name, so the authenticator must store the user handle.
            selection.resident_key = Some(ResidentKeyRequirement::Required);
            selection.require_resident_key = true;
        }
        if let Some(extensions) = &mut options.extensions {
            // Browsers do not support these extensions everywhere; the options themselves require user
            // presence and verification.
            (extensions.cred_protect, extensions.uvm) = (None, None);
        }
        options.exclude_credentials = Some(known.iter().map(RegisteredPasskey::described).collect());
        options.hints = Some(Vec::new());
        started(&options, &options.challenge, &state)
    }

    /// Verifies the response to a registration.
    pub fn finish_registration(&self, answer: &Registration, state: &Value) -> Result<NewKey, ResponseRefusal> {
        answer.check()?;
        let state: PasskeyRegistration = with_challenge(state, answer.challenge())?;
        let credential = Credential::from(self.0.finish_passkey_registration(&answer.to_library(), &state)?);
        if credential.cred_id != answer.credential_id() {
            return Err(ResponseRefusal::Wrong("the key that was signed has another id".to_owned()));
        }
        if !CREDENTIAL_ID.contains(&credential.cred_id.len()) {
            return Err(ResponseRefusal::Wrong(format!("an id of {} bytes", credential.cred_id.len())));
        }
        Ok(NewKey {
            sign_count: credential.counter,
            is_synced: credential.backup_eligible,
            is_backed_up: credential.backup_state,
            aaguid: attestation::aaguid(answer.attestation_object()),
            credential: serde_json::to_value(&credential).map_err(|error| ResponseRefusal::Wrong(error.to_string()))?,
            credential_id: credential.cred_id,
        })
    }

    /// Starts an authentication with one of these passkeys, or with any passkey when the list is empty.
    pub fn start_authentication(&self, allowed: &[RegisteredPasskey<'_>]) -> Result<Started, Fault> {
        let (asked, state) = self.0.start_discoverable_authentication().map_err(|error| not_started(&error))?;
        let mut options = asked.public_key;
        options.allow_credentials = allowed.iter().map(RegisteredPasskey::allowed).collect();
        (options.extensions, options.hints) = (None, Some(Vec::new()));
        started(&options, &options.challenge, &state)
    }

    /// Verifies the response to an authentication with a passkey that the caller found by
    /// [`Assertion::credential_id`].
    pub fn finish_authentication(
        &self,
        answer: &Assertion,
        state: &Value,
        key: Key<'_>,
    ) -> Result<VerifiedPasskey, ResponseRefusal> {
        answer.check()?;
        let state: DiscoverableAuthentication = with_challenge(state, answer.challenge())?;
        let stored = serde_json::from_value(key.credential.clone())
            .map_err(|error| ResponseRefusal::Wrong(format!("stored key: {error}")))?;
        let credential = Credential { counter: key.sign_count, backup_state: key.is_backed_up, ..stored };
        let seen = self.0.finish_discoverable_authentication_v2(&answer.to_library(), state, &credential)?;
        Ok(VerifiedPasskey { sign_count: seen.counter(), is_backed_up: seen.backup_state() })
    }
}

impl RegisteredPasskey<'_> {
    fn described(&self) -> PublicKeyCredentialDescriptor {
        let AllowCredentials { type_, id, transports } = self.allowed();
        PublicKeyCredentialDescriptor { type_, id, transports }
    }

    fn allowed(&self) -> AllowCredentials {
        let transports: Vec<_> = self.transports.iter().filter_map(|transport| transport.parse().ok()).collect();
        AllowCredentials {
            type_: "public-key".to_owned(),
            id: self.credential_id.to_vec(),
            transports: Some(transports).filter(|value| !value.is_empty()),
        }
    }
}

fn started(options: &impl Serialize, challenge: &[u8], state: &impl Serialize) -> Result<Started, Fault> {
    let options = serde_json::to_value(options).map_err(|error| Fault::internal(format!("passkey options: {error}")))?;
    Ok(Started { options, challenge: answer::encode(challenge), state: without_challenge(state)? })
}

fn not_started(error: &WebauthnError) -> Fault {
    Fault::internal(format!("passkey options: {error}"))
}

#[cfg(test)]
mod tests {
    use super::RegisteredPasskey;

    #[test]
    fn a_browser_is_told_the_transports_that_it_knows() {
        let allowed = |transports: &[&str]| {
            let transports: Vec<String> = transports.iter().map(|name| (*name).to_owned()).collect();
            let known = RegisteredPasskey { credential_id: &[1, 2], transports: &transports };
            let allowed = known.allowed();
            assert_eq!((allowed.type_.as_str(), allowed.id.as_slice()), ("public-key", &[1, 2][..]));
            allowed.transports.map(|transports| transports.len())
        };
        assert_eq!(allowed(&["usb", "hybrid"]), Some(2));
        assert_eq!(allowed(&["usb", "carrier-pigeon"]), Some(1));
        assert_eq!((allowed(&["carrier-pigeon"]), allowed(&[])), (None, None));
    }
}
