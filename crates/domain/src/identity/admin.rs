//! What administrators ask for: lists of accounts, of mails and of the audit trail, new accounts, and changes
//! of an account.

mod audit_query;
mod block;
mod list;
mod new_user;
mod page;
mod queued_mails;
mod space_query;
mod token_query;
mod user_change;

pub use audit_query::{AuditQuery, AuditStatus, EventFilter};
pub use block::BlockId;
pub use list::{SearchText, UserFilter, UserOrder, UserQuery, UserSort};
pub use new_user::{FirstSignIn, NewUser, NewUserRequest};
pub use queued_mails::{MailState, QueuedMailQuery, read_plain_page};
pub use space_query::SpaceQuery;
pub use token_query::TokenQuery;
pub use user_change::{UserChange, UserChangeRequest};
