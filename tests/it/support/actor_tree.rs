//! The actors on a test's database. They end with the test's runtime.

use super::{Database, entropy};
use actors::{Tree, tree::Params};
use domain::shared::SharedClock;
use std::time::Duration;

/// A tree with the usual bounds, but for its patience.
pub async fn tree(database: &Database, clock: SharedClock) -> Tree {
    tree_with(tree_params(database, clock)).await
}

/// What such a tree is made of, to change a bound.
pub fn tree_params(database: &Database, clock: SharedClock) -> Params {
    let mut params = Params::new(database.store.clone(), database.target.clone(), clock, entropy(1));
    // A busy machine must not fail a test that is about something else.
    params.limits.deadline = Duration::from_secs(30);
    params
}

/// A tree, as a process would have one: several on one database are several processes.
pub async fn tree_with(params: Params) -> Tree {
    Tree::start(params, &prometheus::Registry::new()).await.unwrap()
}
