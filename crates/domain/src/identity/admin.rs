//! What administrators ask for: lists of accounts and of the audit trail, new accounts, and changes of an account.

mod audit_query;
mod list;
mod new_user;
mod page;
mod space_query;
mod user_change;

pub use audit_query::{AuditQuery, EventFilter};
pub use list::{Order, SearchText, UserFilter, UserQuery, UserSort};
pub use new_user::{FirstSignIn, NewUser, NewUserRequest};
pub use space_query::SpaceQuery;
pub use user_change::{UserChange, UserChangeRequest};
