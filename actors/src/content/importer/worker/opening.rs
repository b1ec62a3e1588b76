//! How an import is taken up: from its row, with what both sides know.

use super::{CRASHES, Running, Setback, Worker, failed};
use crate::content::importer::{
    chunk::Load,
    memory::Memory,
    source::Head,
    take::{self, Taken},
};
use domain::content::import::{Kind, Phase, Record, Report, Status};
use std::sync::Arc;
use storage::{
    content::{imports::jobs, spaces},
    queue::Outcome as Held,
};
use tokio::{sync::RwLock, time::Instant};

impl Worker {
    /// Begins with the row.
    pub(super) async fn open(&mut self) -> Result<Option<Running>, Setback> {
        let connection = self.tools.store.connection("import.open").await?;
        let now = Instant::now();
        if self.fence.extend(&connection, self.tools.settings.lease).await? == Held::Lost {
            return Err(Setback::Gone);
        }
        self.held_at = now;
        let import = match jobs::find(&connection, self.space, self.id).await? {
            Some(import) if !import.status.is_over() => import,
            _ => {
                if let Some(lease) = self.lease.take() {
                    let _outcome = lease.finish(&connection, self.tools.clock.now()).await?;
                }
                return Err(Setback::Gone);
            }
        };
        if import.is_cancel_requested {
            return Err(Setback::End(Status::Cancelled, None));
        }
        if self.attempt - jobs::progressed_in(&connection, self.space, self.id).await? > CRASHES {
            return Err(failed("crashed", "The process ended again and again while it was at this import"));
        }
        let place = self.place()?.clone();
        let sealed = jobs::sealed_token(&connection, self.space, self.id).await?;
        let token = sealed.and_then(|sealed| place.token(self.space, &sealed));
        // The source may take its time: nobody is to wait for this connection meanwhile.
        drop(connection);
        let source = place.source(&self.tools.runtime, &import.source, token)?;
        let overview = self.attend(source.open()).await??;
        let connection = self.tools.store.connection("import.open").await?;
        if !import.dry_run && import.phase != Phase::Space {
            let before = jobs::source_print(&connection, self.space, self.id).await?;
            if before != overview.print {
                let message = "The folder was changed after this import of it was cut off. Start it again: what is here already is left alone";
                return Err(failed("folderChanged", message));
            }
        }
        // Numbers are given anew on each server, times are not: both tell that it is this very space.
        let here = spaces::find(&connection, self.space).await?;
        let is_own = overview.space.id == self.space.0 && here.is_some_and(|h| overview.space.created_at == Some(h.created_at));
        let memory = Memory::load(&connection, self.space, self.id, (overview.space.id, is_own), &place.base_url).await?;
        let base = jobs::base_report(&connection, self.space, self.id).await?;
        drop(connection);
        let (at, report) = if import.dry_run {
            ((Phase::Space, 0), Report::default())
        } else {
            ((import.phase, import.cursor), base.unwrap_or_else(|| import.report.clone()))
        };
        let report = Report { announced: overview.announced.clone(), ..report };
        let mut running = Running {
            import,
            source,
            memory: Arc::new(RwLock::new(memory)),
            at,
            report,
            overview,
            feed: None,
            last: Instant::now(),
            rate: 0.0,
        };
        if running.at.0 > Phase::Assets {
            self.recall_files(&running).await?;
        }
        if running.at.0 > Phase::Components {
            self.reserve(&mut running).await?;
        }
        Ok(Some(running))
    }

    /// What has to be known before a phase begins.
    pub(super) async fn enter(&mut self, running: &mut Running, phase: Phase) -> Result<(), Setback> {
        match phase {
            Phase::Presets => {
                let mut defaults = Vec::new();
                let mut at = Some(0);
                while let Some(cursor) = at {
                    let page = self.attend(running.source.page(Phase::Components, cursor, usize::MAX)).await??;
                    defaults.extend(page.records.iter().filter_map(|(record, _)| match record {
                        Record::Component(it) => Some((it.preset_id?, (it.id, it.name.clone()))),
                        _ => None,
                    }));
                    at = page.next;
                }
                running.memory.write().await.default_presets.extend(defaults);
                Ok(())
            }
            // What is written from here on may name any story.
            Phase::Components => self.reserve(running).await,
            _ => Ok(()),
        }
    }

    /// The URLs of assets that were brought over before this import was cut off.
    async fn recall_files(&mut self, running: &Running) -> Result<(), Setback> {
        let mut at = Some(0);
        while let Some(cursor) = at {
            let page = self.attend(running.source.page(Phase::Assets, cursor, usize::MAX)).await??;
            let mut memory = running.memory.write().await;
            for (record, _) in &page.records {
                let Record::Asset(asset) = record else { continue };
                let here = memory.known(Kind::Asset, asset.id).and_then(|k| memory.files.get(&k.id).cloned());
                if let Some(url) = here {
                    memory.maps.urls.insert(&asset.filename, &url);
                }
            }
            at = page.next;
        }
        Ok(())
    }

    /// Gives every story of the source a number, and learns which there are.
    async fn reserve(&mut self, running: &mut Running) -> Result<(), Setback> {
        let heads: Vec<Head> = self.attend(running.source.heads()).await??;
        let wanted: Vec<_> = heads.iter().map(|head| (head.id, head.uuid)).collect();
        {
            let mut memory = running.memory.write().await;
            memory.maps.known.extend(heads.iter().map(|head| head.uuid));
            memory.places = heads.into_iter().filter_map(|head| Some((head.uuid, (head.id, head.full_slug?)))).collect();
        }
        let load = if running.import.dry_run {
            let connection = self.tools.store.connection("import.look").await?;
            let memory = running.memory.read().await;
            let mut taken = Taken::new(running.report.clone(), &memory);
            take::make_up(&connection, self.space, &memory, &wanted, &mut taken).await?;
            Load::Looked(Box::new(taken))
        } else {
            Load::Reservations(wanted)
        };
        let at = running.at;
        self.follow(running, load, at).await
    }
}
