//! Commands of datasources. All of them move `cv`: datasources have no draft, and readers see a change at
//! once.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        datasource::{Datasource, DatasourceChange},
    },
    shared::Fault,
};
use storage::content::datasources::{self, Reference};

/// Adds a datasource.
pub struct CreateDatasource(pub DatasourceChange);

impl SpaceCommand for CreateDatasource {
    type Output = Datasource;

    const NAME: &'static str = "datasource.create";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Datasource, Changes)> {
        let draft = self.0.apply(None)?;
        let created = datasources::insert(ctx.tx, ctx.space, &draft, ctx.now).await?;
        let changes = audited("datasource.create", &created);
        Ok((created, changes))
    }
}

/// Changes a datasource and its dimensions.
pub struct UpdateDatasource {
    pub reference: Reference,
    pub change: DatasourceChange,
}

impl SpaceCommand for UpdateDatasource {
    type Output = Datasource;

    const NAME: &'static str = "datasource.update";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Datasource, Changes)> {
        let old = datasources::find(ctx.tx, ctx.space, &self.reference).await?.ok_or_else(Fault::not_found)?;
        let draft = self.change.apply(Some(&old))?;
        let after = datasources::update(ctx.tx, ctx.space, old.id, &draft, ctx.now).await?;
        let changes = audited("datasource.update", &after);
        Ok((after, changes))
    }
}

/// Removes a datasource with its entries.
pub struct DeleteDatasource(pub Reference);

impl SpaceCommand for DeleteDatasource {
    type Output = ();

    const NAME: &'static str = "datasource.delete";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let old = datasources::find(ctx.tx, ctx.space, &self.0).await?.ok_or_else(Fault::not_found)?;
        datasources::delete(ctx.tx, ctx.space, old.id).await?;
        Ok(((), audited("datasource.delete", &old)))
    }
}

fn audited(action: &'static str, datasource: &Datasource) -> Changes {
    Changes::audited(action, "datasource", datasource.id, datasource.name.as_str()).visible()
}
