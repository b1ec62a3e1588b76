//! The wire: warp filters, one endpoint in one file. The only crate with warp.
//!
//! [`dispatch`] picks a group by the first path segments before any filter runs; each group is a short, boxed chain of endpoints. An
//! endpoint is a filter for its method and path, and an async function from a [`web::ApiRequest`] to a [`web::ApiResponse`] or a
//! [`domain::shared::Fault`].

pub mod content;
pub mod dispatch;
pub mod identity;
pub mod ops;
pub mod web;
