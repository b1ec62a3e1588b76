//! Webhooks on the wire (decisions 14). Everybody with a token reads them and their deliveries; admins alone write. No answer ever
//! holds a secret.

mod create;
mod delete;
mod deliveries;
mod list;
mod ping;
mod read;
mod redeliver;
mod redeliver_range;
mod update;
mod view;

use crate::{
    content::Content,
    web::{Endpoint, ErrorFormat, group as tried_in_order, path::segment},
};
use domain::shared::{SpaceId, WebhookId};
use warp::{Filter, filters::BoxedFilter};

/// The endpoints below `/api/v1/spaces/{space}/webhooks`.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(
        ErrorFormat::Management,
        [
            list::route(content),
            create::route(content),
            read::route(content),
            update::route(content),
            delete::route(content),
            deliveries::route(content),
            redeliver::route(content),
            redeliver_range::route(content),
            ping::route(content),
        ],
    )
}

/// `/api/v1/spaces/{space}/webhooks/{id}/{name}`, and what follows.
fn below(name: &'static str) -> BoxedFilter<(SpaceId, WebhookId)> {
    super::below_space("webhooks").and(segment::<WebhookId>()).and(warp::path(name)).boxed()
}
