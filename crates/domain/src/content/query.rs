//! Queries of the Delivery API: parameters are compiled into a plan of conditions, an order and a page. The
//! SQL is in `storage`.
//!
//! ```text
//! starts_with=blog/ & filter_query[price][gt_float]=9.5 & sort_by=content.price:asc:float
//!   -> Plan { conditions: [StartsWith("blog/"), Content(price > 9.5)], order: [content price asc as float], … }
//! ```
//! Values stay values: nothing of a request becomes part of the text of a statement.

pub mod brackets;
pub mod cost;
pub mod field;
pub mod filter;
pub mod indexed;
pub mod pattern;
pub mod plan;
pub mod slugs;
pub mod sort;
pub mod test;

pub use cost::QueryCost;
pub use field::{FieldPath, Segment};
pub use filter::Filter;
pub use indexed::{IndexedOrder, IndexedTest};
pub use pattern::Pattern;
pub use plan::{Condition, DateColumn, DateSide, ListOrder, Plan};
pub use slugs::Slugs;
pub use sort::{Cast, Property, SortBy, SortKey};
pub use test::{Bound, Emptiness, Test};
