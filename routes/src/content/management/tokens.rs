//! Management tokens on the wire (decisions 10): for the space's owner by session, and for admin tokens.

mod create;
mod delete;
mod list;
mod view;

use crate::{
    content::Content,
    web::{Endpoint, ErrorFormat, group as tried_in_order},
};

/// The endpoints below `/api/v1/spaces/{space}/tokens`.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(ErrorFormat::Management, [list::route(content), create::route(content), delete::route(content)])
}
