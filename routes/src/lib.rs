//! HTTP: paths, methods, headers, bodies, statuses. The only crate with warp.
//!
//! Each resource has a file with its table of endpoints and their handlers; [`web::endpoints`] says how to
//! add one. [`dispatch`] finds the endpoint of a request in the tables before any filter runs. A handler is
//! an async function from a [`web::ApiRequest`] to a [`web::ApiResponse`] or a [`domain::shared::Fault`]; it
//! calls a use case of `services` or, for plain reads, `storage`, and decides nothing itself.

pub mod content;
pub mod description;
pub mod dispatch;
pub mod docs;
pub mod identity;
pub mod licenses;
pub mod ops;
pub mod pages;
pub mod studio;
pub mod web;
