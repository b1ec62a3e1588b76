//! Passkeys (WebAuthn level 3), on webauthn-rs: what a browser is asked, and whether its answer is right.
//!
//! ```text
//! start_registration(owner, known)   -> Started       options for the browser, what to keep, the challenge
//! finish_registration(answer, kept)  -> NewKey
//! start_authentication(allowed)      -> Started       nobody allowed in particular: any passkey of ours (usernameless)
//! finish_authentication(answer, kept, key) -> Seen
//! ```
//!
//! The library sees to the type, the challenge, the origin, the domain, both gestures of the person, the signature and the counter. What it leaves to
//! its caller is done here: that options ask for a passkey which is found without a name, that a page within another site's page is refused (at a
//! login the library does not look), and that a stored challenge is a hash.

mod answer;
mod attestation;
mod kept;

pub use answer::{Assertion, Registration, challenge_of};

use domain::{identity::RelyingParty, shared::Fault};
use kept::{with_challenge, without_challenge};
use serde::Serialize;
use serde_json::Value;
use std::{ops::RangeInclusive, time::Duration};
use uuid::Uuid;
use webauthn_rs::{
    DEFAULT_AUTHENTICATOR_TIMEOUT, Webauthn, WebauthnBuilder,
    prelude::{Credential, DiscoverableAuthentication, PasskeyRegistration, Url, WebauthnError},
};
use webauthn_rs_proto::{AllowCredentials, PublicKeyCredentialDescriptor, ResidentKeyRequirement};

/// How long a browser asks its owner. It is as long as a challenge holds.
const TIMEOUT: Duration = DEFAULT_AUTHENTICATOR_TIMEOUT;

/// How long the id of a key may be, in bytes (WebAuthn, section 5.1.3 and others).
const CREDENTIAL_ID: RangeInclusive<usize> = 1..=1023;

/// Asks browsers, and checks what they answer.
#[derive(Debug, Clone)]
pub struct Passkeys(Webauthn);

/// Who is to own a new passkey, as the authenticator shows it.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// What authenticators call the account, and give back.
    pub handle: &'a [u8],
    /// What tells the account from the person's others.
    pub name: &'a str,
    /// What the person is called.
    pub display_name: &'a str,
}

/// A passkey that is there already.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// How browsers name it.
    pub credential_id: &'a [u8],
    /// How they reach it.
    pub transports: &'a [String],
}

/// What a browser is asked.
#[derive(Debug)]
pub struct Started {
    /// For the browser, as `@simplewebauthn/browser` reads them.
    pub options: Value,
    /// What the authenticator signs. It must not be kept.
    pub challenge: String,
    /// What the check of the answer needs besides.
    pub kept: Value,
}

/// A key that was made.
#[derive(Debug)]
pub struct NewKey {
    /// How browsers name it.
    pub credential_id: Vec<u8>,
    /// The public key, and what the authenticator told of itself.
    pub credential: Value,
    /// How often it signed.
    pub sign_count: u32,
    /// Whether it may be on several devices.
    pub is_synced: bool,
    /// Whether it is.
    pub is_backed_up: bool,
    /// The kind of its authenticator, if that says so.
    pub aaguid: Option<Uuid>,
}

/// A key as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct Key<'a> {
    /// As it was registered.
    pub credential: &'a Value,
    /// As it was heard last.
    pub sign_count: u32,
    /// As it was heard last.
    pub is_backed_up: bool,
}

/// What a right answer tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// How often the key has signed.
    pub sign_count: u32,
    /// Whether it is on several devices.
    pub is_backed_up: bool,
}

/// Why an answer is not right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The count went back: there may be two authenticators with this key.
    CountWentBack,
    /// Anything else, in words for the log.
    Wrong(String),
}

impl From<WebauthnError> for Refused {
    fn from(error: WebauthnError) -> Self {
        match error {
            WebauthnError::CredentialPossibleCompromise => Self::CountWentBack,
            other => Self::Wrong(other.to_string()),
        }
    }
}

impl Passkeys {
    /// For a site, under a name that people know it by.
    pub fn new(site: &RelyingParty, name: &str) -> Result<Self, Fault> {
        let broken = |what: &dyn std::fmt::Display| Fault::internal(format!("passkeys of {}: {what}", site.id));
        let origins =
            site.origins.iter().map(|origin| Url::parse(origin)).collect::<Result<Vec<_>, _>>().map_err(|error| broken(&error))?;
        let (first, more) = origins.split_first().ok_or_else(|| broken(&"no origin"))?;
        let builder = WebauthnBuilder::new(&site.id, first).map_err(|error| broken(&error))?.rp_name(name).timeout(TIMEOUT);
        let builder = more.iter().fold(builder, WebauthnBuilder::append_allowed_origin);
        builder.build().map(Self).map_err(|error| broken(&error))
    }

    /// Asks for a new passkey that is none of the known ones.
    pub fn start_registration(&self, owner: Owner<'_>, known: &[Known<'_>]) -> Result<Started, Fault> {
        let Owner { handle, name, display_name } = owner;
        // The library would have every handle a UUID; it only writes it into the options. What is known goes into them as well: the one that is made
        // all the same is told apart by who keeps them, also when another account has it.
        let (asked, state) =
            self.0.start_passkey_registration(Uuid::nil(), name, display_name, None).map_err(|error| not_started(&error))?;
        let mut options = asked.public_key;
        options.user.id = handle.to_vec();
        if let Some(selection) = &mut options.authenticator_selection {
            // Nobody is asked for a name at the login, so the authenticator has to know whose it is.
            selection.resident_key = Some(ResidentKeyRequirement::Required);
            selection.require_resident_key = true;
        }
        if let Some(extensions) = &mut options.extensions {
            // Only what browsers do; the person is asked to be there and to prove it by the options themselves.
            (extensions.cred_protect, extensions.uvm) = (None, None);
        }
        options.exclude_credentials = Some(known.iter().map(Known::described).collect());
        options.hints = Some(Vec::new());
        started(&options, &options.challenge, &state)
    }

    /// The new key, if the answer is right.
    pub fn finish_registration(&self, answer: &Registration, kept: &Value) -> Result<NewKey, Refused> {
        answer.check()?;
        let state: PasskeyRegistration = with_challenge(kept, answer.challenge())?;
        let credential = Credential::from(self.0.finish_passkey_registration(&answer.to_library(), &state)?);
        if credential.cred_id != answer.credential_id() {
            return Err(Refused::Wrong("the key that was signed has another id".to_owned()));
        }
        if !CREDENTIAL_ID.contains(&credential.cred_id.len()) {
            return Err(Refused::Wrong(format!("an id of {} bytes", credential.cred_id.len())));
        }
        Ok(NewKey {
            sign_count: credential.counter,
            is_synced: credential.backup_eligible,
            is_backed_up: credential.backup_state,
            aaguid: attestation::aaguid(answer.attestation_object()),
            credential: serde_json::to_value(&credential).map_err(|error| Refused::Wrong(error.to_string()))?,
            credential_id: credential.cred_id,
        })
    }

    /// Asks for one of some passkeys; for any when none is named.
    pub fn start_authentication(&self, allowed: &[Known<'_>]) -> Result<Started, Fault> {
        let (asked, state) = self.0.start_discoverable_authentication().map_err(|error| not_started(&error))?;
        let mut options = asked.public_key;
        options.allow_credentials = allowed.iter().map(Known::allowed).collect();
        (options.extensions, options.hints) = (None, Some(Vec::new()));
        started(&options, &options.challenge, &state)
    }

    /// What a right answer tells. Whose the key is, the caller has found out by [`Assertion::credential_id`].
    pub fn finish_authentication(&self, answer: &Assertion, kept: &Value, key: Key<'_>) -> Result<Seen, Refused> {
        answer.check()?;
        let state: DiscoverableAuthentication = with_challenge(kept, answer.challenge())?;
        let stored =
            serde_json::from_value(key.credential.clone()).map_err(|error| Refused::Wrong(format!("stored key: {error}")))?;
        let credential = Credential { counter: key.sign_count, backup_state: key.is_backed_up, ..stored };
        let seen = self.0.finish_discoverable_authentication_v2(&answer.to_library(), state, &credential)?;
        Ok(Seen { sign_count: seen.counter(), is_backed_up: seen.backup_state() })
    }
}

impl Known<'_> {
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
    Ok(Started { options, challenge: answer::encode(challenge), kept: without_challenge(state)? })
}

fn not_started(error: &WebauthnError) -> Fault {
    Fault::internal(format!("passkey options: {error}"))
}
