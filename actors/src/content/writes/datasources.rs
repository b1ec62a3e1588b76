//! Writes of datasources. All of them move `cv`: readers see datasources at once, nobody publishes them.

use crate::content::{Desk, Write};
use domain::{
    content::{
        Changes,
        datasource::{Datasource, DatasourceChange},
    },
    shared::Fault,
};
use storage::content::datasources::{self, Reference};

/// Adds a datasource.
pub struct CreateDatasource(pub DatasourceChange);

impl Write for CreateDatasource {
    type Done = Datasource;

    const NAME: &'static str = "datasource.create";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(Datasource, Changes)> {
        let draft = self.0.apply(None)?;
        let made = datasources::insert(desk.tx, desk.space, &draft, desk.now).await?;
        let changes = audited("datasource.create", &made);
        Ok((made, changes))
    }
}

/// Changes a datasource and its dimensions.
pub struct UpdateDatasource {
    /// Which.
    pub which: Reference,
    /// What changes.
    pub change: DatasourceChange,
}

impl Write for UpdateDatasource {
    type Done = Datasource;

    const NAME: &'static str = "datasource.update";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(Datasource, Changes)> {
        let old = datasources::find(desk.tx, desk.space, &self.which).await?.ok_or_else(Fault::not_found)?;
        let draft = self.change.apply(Some(&old))?;
        let after = datasources::update(desk.tx, desk.space, old.id, &draft, desk.now).await?;
        let changes = audited("datasource.update", &after);
        Ok((after, changes))
    }
}

/// Removes a datasource with its entries.
pub struct DeleteDatasource(pub Reference);

impl Write for DeleteDatasource {
    type Done = ();

    const NAME: &'static str = "datasource.delete";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<((), Changes)> {
        let old = datasources::find(desk.tx, desk.space, &self.0).await?.ok_or_else(Fault::not_found)?;
        datasources::delete(desk.tx, desk.space, old.id).await?;
        Ok(((), audited("datasource.delete", &old)))
    }
}

fn audited(action: &'static str, datasource: &Datasource) -> Changes {
    Changes::audited(action, "datasource", datasource.id, datasource.name.as_str()).visible()
}
