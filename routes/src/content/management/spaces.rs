//! Spaces on the wire.

mod create;
mod delete;
mod list;
mod read;
mod update;
mod view;

use crate::{
    content::Content,
    web::{Endpoint, ErrorFormat, group as tried_in_order, path::segment},
};
use domain::shared::SpaceId;
use warp::{Filter, filters::BoxedFilter};

/// The endpoints `/api/v1/spaces` and `/api/v1/spaces/{space}`.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(
        ErrorFormat::Management,
        [list::route(content), create::route(content), read::route(content), update::route(content), delete::route(content)],
    )
}

fn all_spaces() -> BoxedFilter<()> {
    warp::path!("api" / "v1" / "spaces").boxed()
}

fn one_space() -> BoxedFilter<(SpaceId,)> {
    warp::path!("api" / "v1" / "spaces" / ..).and(segment::<SpaceId>()).and(warp::path::end()).boxed()
}
