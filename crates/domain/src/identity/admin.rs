//! What administrators ask for: lists of accounts, new accounts, and changes of an account.

mod list;
mod new_user;
mod user_change;

pub use list::{Order, SearchText, UserFilter, UserQuery, UserSort};
pub use new_user::{FirstSignIn, NewUser, NewUserRequest};
pub use user_change::{UserChange, UserChangeRequest};
