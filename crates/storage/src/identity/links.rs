//! Links that are mailed, and what happens when somebody follows one. Each is one transaction that locks the account first and the link then.

mod address;
mod follow;

pub use address::{AskForAddress, ConfirmAddress, Confirmed, SetAddress};
pub use follow::{ResetPassword, Verified, VerifyEmail, lock_owner};
