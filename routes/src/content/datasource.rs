//! A datasource in responses, which is the same in the Delivery API and the Management API.

use domain::{
    content::datasource::Datasource,
    shared::{DatasourceId, DimensionId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;

/// A datasource in a response.
#[derive(Serialize)]
pub(super) struct DatasourceView<'a> {
    id: DatasourceId,
    name: &'a str,
    slug: &'a str,
    dimensions: Vec<DimensionView<'a>>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
}

#[derive(Serialize)]
struct DimensionView<'a> {
    id: DimensionId,
    name: &'a str,
    entry_value: &'a str,
    datasource_id: DatasourceId,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
}

impl<'a> DatasourceView<'a> {
    /// The view of a datasource.
    pub(super) fn of(datasource: &'a Datasource) -> Self {
        let dimensions = datasource.dimensions.iter().map(|dimension| DimensionView {
            id: dimension.id,
            name: &dimension.name,
            entry_value: &dimension.entry_value,
            datasource_id: datasource.id,
            created_at: dimension.created_at,
            updated_at: dimension.updated_at,
        });
        Self {
            id: datasource.id,
            name: &datasource.name,
            slug: &datasource.slug,
            dimensions: dimensions.collect(),
            created_at: datasource.created_at,
            updated_at: datasource.updated_at,
        }
    }
}
