//! Ends an import, and has PostgreSQL update its statistics.

use super::{Next, StepError, Worker};
use domain::{
    content::import::{ImportError, Status},
    shared::{Fault, Kind as FaultKind},
};
use services::content::{
    Authorized,
    import::finish::{FinishImport, abandon},
};
use std::mem;
use storage::content::imports::stories;

impl Worker {
    /// Ends the import in its row, then finishes the job.
    pub(super) async fn finish(&mut self, status: Status, error: Option<ImportError>) -> Result<Next, Fault> {
        let lease = (self.fence, self.deps.settings.lease);
        let finish = FinishImport { id: self.id, lease, status, error };
        let mut has_stories = false;
        match self.deps.spaces.execute(Authorized::for_job_of_import(self.space), finish).await {
            Ok(output) => has_stories = output,
            // The space was deleted meanwhile.
            Err(fault) if fault.kind() == FaultKind::NotFound => {
                abandon(&self.deps.store, self.space, self.id, self.deps.clock.now()).await?;
            }
            Err(fault) => return Err(fault),
        }
        self.finish_job().await?;
        if has_stories && !self.deps.runtime.is_draining() {
            self.flush_search_index().await;
        }
        Ok(Next::Stop)
    }

    /// Finishes the job, unless another process has it. What waits for it, such as the next import of the
    /// space, can begin.
    pub(super) async fn finish_job(&mut self) -> Result<(), Fault> {
        let connection = self.deps.store.connection("import.finish").await?;
        if let Some(lease) = self.lease.take() {
            let _outcome = lease.finish(&connection, self.deps.clock.now()).await?;
        }
        Ok(())
    }

    /// Flushes the search index and updates the statistics. Should this fail, autovacuum does both later.
    async fn flush_search_index(&self) {
        let flushed = async {
            let connection = self.deps.store.connection("import.flush_search_index").await?;
            stories::flush_search_index(&connection).await
        };
        if let Err(error) = flushed.await {
            tracing::warn!(import = %self.id, %error, "statistics and search index are left to autovacuum after an import");
        }
    }

    /// Updates the statistics once, so that reads during the rest of the import have good plans.
    pub(super) async fn analyze(&mut self) -> Result<(), StepError> {
        if mem::replace(&mut self.is_analyzed, true) || self.deps.runtime.is_draining() {
            return Ok(());
        }
        let store = self.deps.store.clone();
        let analyzed = async move { stories::analyze(&store.connection("import.analyze").await?).await };
        if let Err(error) = self.await_with_heartbeat(analyzed).await? {
            tracing::warn!(import = %self.id, %error, "reads are planned without statistics until the end of an import");
        }
        Ok(())
    }
}
