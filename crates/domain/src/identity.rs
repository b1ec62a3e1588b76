//! The rules of the identity service: accounts and their fields, sign-in, second factors, one-time tokens,
//! and mail.

pub mod account;
pub mod activity;
pub mod address_change;
pub mod admin;
pub mod audit_event;
pub mod auth_method;
pub mod code;
pub mod device;
pub mod field_errors;
pub mod invite;
pub mod locale;
pub mod lockout;
pub mod mail;
pub mod mail_retry;
pub mod name;
pub mod oidc;
pub mod one_time;
pub mod passkey;
pub mod password;
pub mod profile;
pub mod provisioning;
pub mod referrer;
pub mod registration;
pub mod return_to;
pub mod second_factor;
pub mod verification;

pub use crate::shared::{Email, email, origin};
pub use account::{Account, SignInBar};
pub use address_change::AddressChange;
pub use audit_event::AuditEvent;
pub use auth_method::AuthMethod;
pub use code::TypedCode;
pub use field_errors::FieldErrors;
pub use locale::Locales;
pub use mail::{MailContent, Recipient};
pub use passkey::{Passkey, RelyingParty};
pub use password::PasswordRules;
pub use profile::{ProfileChange, ProfileRequest};
pub use provisioning::ProvisioningToken;
pub use registration::{NewAccount, RegistrationRequest};
pub use return_to::ReturnTo;
