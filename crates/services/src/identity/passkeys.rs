//! Passkeys (WebAuthn level 3): registering one, signing in with one, and managing those of an account.

mod challenge;
mod login;
mod offer;
mod registration;

pub use challenge::PasskeyChallenge;
pub(super) use challenge::{Subject, check, consume_challenge, create_challenge, known};
pub use login::{PasskeyLogin, finish_login, start_login};
pub use offer::{PasskeyOffer, offer_login};
pub use registration::{PasskeyRegistration, finish_registration, start_registration};
pub use registration::{remove, rename};
