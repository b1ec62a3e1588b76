//! The end of an import, and what PostgreSQL is to know about what was written.

use super::{Next, Setback, Worker};
use crate::content::importer::chunk::{End, NOT_OURS};
use domain::{
    content::import::Status,
    shared::{Actor, Fault, ImportId, Kind as FaultKind, Origin, SpaceId},
};
use jiff::Timestamp;
use std::mem;
use storage::{
    Tx, TxOperation,
    content::imports::{jobs, stories},
};

impl Worker {
    /// Ends the job in its row, then the lease.
    pub(super) async fn end(&mut self, status: Status, error: Option<(String, String)>) -> Result<Next, Fault> {
        let by = Actor::system("import");
        let end = End { id: self.id, hold: (self.fence, self.tools.settings.lease), status, error };
        let mut wrote_stories = false;
        match self.tools.spaces.execute(self.space, by, Origin::default(), end).await {
            Ok(wrote) => wrote_stories = wrote,
            Err(fault) if fault.code == NOT_OURS => {}
            // The space was deleted meanwhile: nothing is written in it any more, but the source's token is not to lie there.
            Err(fault) if fault.kind == FaultKind::NotFound => {
                let at = self.tools.clock.now();
                self.tools.store.transact(&Abandon { space: self.space, id: self.id, at }).await?;
            }
            Err(fault) => return Err(fault),
        }
        if let Some(lease) = self.lease.take() {
            let connection = self.tools.store.connection("import.finish").await?;
            let _outcome = lease.finish(&connection, self.tools.clock.now()).await?;
        }
        if wrote_stories && !self.tools.runtime.is_draining() {
            self.settle().await;
        }
        Ok(Next::Nothing)
    }

    /// Has PostgreSQL put in order what was written. The import is over whether that is done now or by PostgreSQL itself, in a while.
    async fn settle(&self) {
        let settled = async { stories::settle(&self.tools.store.connection("import.settle").await?).await };
        if let Err(error) = settled.await {
            tracing::warn!(import = %self.id, %error, "statistics and the index of words are left to PostgreSQL after an import");
        }
    }

    /// Has PostgreSQL find good ways through what was written so far: whoever reads while the rest comes is not to wait for its end.
    pub(super) async fn take_stock(&mut self) -> Result<(), Setback> {
        if mem::replace(&mut self.took_stock, true) || self.tools.runtime.is_draining() {
            return Ok(());
        }
        let store = self.tools.store.clone();
        let taken = async move { stories::take_stock(&store.connection("import.take_stock").await?).await };
        if let Err(error) = self.attend(taken).await? {
            tracing::warn!(import = %self.id, %error, "reads are planned without statistics until the end of an import");
        }
        Ok(())
    }
}

/// The end of an import into a space that is deleted.
struct Abandon {
    space: SpaceId,
    id: ImportId,
    at: Timestamp,
}

impl TxOperation for Abandon {
    type Output = ();

    const NAME: &'static str = "import.abandon";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<()> {
        match jobs::lock_without_report(tx, self.space, self.id).await? {
            Some(import) if !import.status.is_over() => jobs::end(tx, self.space, self.id, Status::Cancelled, None, self.at).await,
            _ => Ok(()),
        }
    }
}
