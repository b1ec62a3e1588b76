//! The actors on a test's database. They end with the test's runtime.

use super::{Database, entropy};
use actors::{Tree, tree::Params};
use domain::shared::SharedClock;

/// A tree with the usual bounds.
pub async fn tree(database: &Database, clock: SharedClock) -> Tree {
    tree_with(tree_params(database, clock)).await
}

/// What such a tree is made of, to change a bound.
pub fn tree_params(database: &Database, clock: SharedClock) -> Params {
    Params::new(database.store.clone(), database.target.clone(), clock, entropy(1))
}

/// A tree, as a process would have one: several on one database are several processes.
pub async fn tree_with(params: Params) -> Tree {
    Tree::start(params, &prometheus::Registry::new()).await.unwrap()
}
