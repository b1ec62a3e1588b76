//! The identity wing: accounts, what their fields may hold, and who may sign in.

pub mod account;
pub mod address_change;
pub mod code;
pub mod device;
pub mod email;
pub mod form;
pub mod invite;
pub mod letter;
pub mod locale;
pub mod lockout;
pub mod mailing;
pub mod name;
pub mod one_time;
pub mod passkey;
pub mod password;
pub mod profile;
pub mod proof;
pub mod referrer;
pub mod registration;
pub mod second_factor;

pub use account::Account;
pub use address_change::AddressChange;
pub use code::TypedCode;
pub use email::Email;
pub use letter::{Addressee, Letter};
pub use locale::Locales;
pub use passkey::{Passkey, RelyingParty};
pub use password::PasswordRules;
pub use profile::{ProfileChange, ProfileRequest};
pub use proof::Proof;
pub use registration::{Application, NewAccount};
