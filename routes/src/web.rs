//! What all endpoints share: the table that they stand in, the request as they read it, the response as they
//! give it, errors, credentials, limits.

pub mod access;
pub mod body;
pub(crate) mod coding;
pub mod cookie;
pub(crate) mod csrf;
pub mod endpoint;
pub mod endpoints;
pub mod error_format;
pub(crate) mod error_page;
pub(crate) mod etag;
pub(crate) mod event_stream;
pub mod fast_path;
pub(crate) mod gzip;
pub(crate) mod headers;
pub(crate) mod multipart;
pub(crate) mod oauth_error;
pub mod path;
pub mod problem;
pub(crate) mod proved;
pub mod query;
pub mod request;
pub mod response;
mod response_memory;
pub mod session;
mod success;
pub mod template;

pub use access::{Access, Anonymous, Public};
pub use cookie::Cookies;
pub use endpoint::Endpoint;
pub(crate) use endpoint::OtherMethods;
pub use endpoints::Endpoints;
pub use error_format::ErrorFormat;
pub use fast_path::{FastPath, FastPathOutcome};
pub(crate) use proved::{HasSession, proved};
pub use request::{ApiRequest, RequestMeta};
pub use response::ApiResponse;
pub(crate) use response_memory::CachedBytes;
pub use response_memory::{HeldBytes, ResponseMemory};
pub use session::{ByAdministrator, ByCsrfToken, BySession, Sessions, SignedIn, SiteSettings};
pub(crate) use success::Message;
