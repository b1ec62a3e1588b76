//! Delivery tokens on the wire, under the hosted name `api_keys`: for the space's owner by session, and for admin tokens.
//!
//! `access` names our three kinds one to one ([`domain::content::token::DeliveryKind`] says why): `public` reads published content,
//! `preview` and `private` read drafts as well. The hosted service shows the text of a token at any time; we keep its hash only, so
//! `token` stands in the answer that makes it and nowhere else.

mod create;
mod delete;
mod list;
mod view;

use crate::{
    content::Content,
    web::{Endpoint, ErrorFormat, group as tried_in_order},
};

/// The endpoints below `/api/v1/spaces/{space}/api_keys`.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(ErrorFormat::Management, [list::route(content), create::route(content), delete::route(content)])
}
