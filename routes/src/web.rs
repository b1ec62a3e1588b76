//! What all endpoints share: the request as they read it, the answer as they give it, faults, credentials, limits.

pub mod body;
pub mod cookie;
pub(crate) mod csrf;
pub mod endpoint;
pub(crate) mod headers;
pub(crate) mod multipart;
pub mod path;
pub mod problem;
pub mod query;
pub mod request;
pub mod response;
pub mod session;
mod wording;

pub use cookie::Cookies;
pub use endpoint::{Endpoint, group};
pub use problem::ErrorFormat;
pub use request::{ApiRequest, RequestMeta};
pub use response::ApiResponse;
pub use session::{Sessions, SignedIn, SiteSettings};
pub use wording::Language;
