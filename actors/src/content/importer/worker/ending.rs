//! The end of an import.

use super::{Next, Worker};
use crate::content::importer::chunk::{End, NOT_OURS};
use domain::{
    content::import::Status,
    shared::{Actor, Fault, ImportId, Kind as FaultKind, Origin, SpaceId},
};
use jiff::Timestamp;
use storage::{Tx, Work, content::imports::jobs};

impl Worker {
    /// Ends the job in its row, then the lease.
    pub(super) async fn end(&mut self, status: Status, error: Option<(String, String)>) -> Result<Next, Fault> {
        let by = Actor::system("import");
        let end = End { id: self.id, fence: self.fence, status, error };
        match self.tools.spaces.write(self.space, by, Origin::default(), end).await {
            Ok(()) => {}
            Err(fault) if fault.code == NOT_OURS => {}
            // The space was deleted meanwhile: nothing is written in it any more, but the source's token is not to lie there.
            Err(fault) if fault.kind == FaultKind::NotFound => {
                let at = self.tools.clock.now();
                self.tools.store.run(&Abandon { space: self.space, id: self.id, at }).await?;
            }
            Err(fault) => return Err(fault),
        }
        if let Some(lease) = self.lease.take() {
            let session = self.tools.store.read("import.finish").await?;
            let _outcome = lease.finish(&session, self.tools.clock.now()).await?;
        }
        Ok(Next::Nothing)
    }
}

/// The end of an import into a space that is deleted.
struct Abandon {
    space: SpaceId,
    id: ImportId,
    at: Timestamp,
}

impl Work for Abandon {
    type Done = ();

    const NAME: &'static str = "import.abandon";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<()> {
        match jobs::lock_without_report(tx, self.space, self.id).await? {
            Some(import) if !import.status.is_over() => jobs::end(tx, self.space, self.id, Status::Cancelled, None, self.at).await,
            _ => Ok(()),
        }
    }
}
