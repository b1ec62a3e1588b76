//! Opens an import: loads its row and its state, and opens the source.

use super::{Chunk, END, MAX_CRASHES, Running, StepError, Worker, failed};
use crate::content::importer::end_code::EndCode;
use crate::content::importer::source::SourceManifest;
use domain::content::import::{Import, Phase, Record, Report, Status};
use services::content::import::{
    chunk::ChunkPayload,
    state::{DefaultOf, ImportState, SourceStories},
};
use std::sync::Arc;
use storage::{
    Connection,
    content::{imports::jobs, spaces},
};
use tokio::{sync::RwLock, time::Instant};

impl Worker {
    /// Loads the import and opens its source.
    pub(super) async fn open(&mut self) -> Result<Running, StepError> {
        let connection = self.deps.store.connection("import.open").await?;
        let import = self.load_import(&connection).await?;
        if !import.dry_run && (import.phase, import.cursor) == (Phase::Stories, END) {
            // An earlier attempt wrote the last page, and stopped before it could end the import.
            return Err(StepError::Finish(Status::Succeeded, None));
        }
        let env = self.env()?.clone();
        let sealed = jobs::sealed_token(&connection, self.space, self.id).await?;
        let token = sealed.and_then(|sealed| env.token(self.space, &sealed));
        // Opening the source may take long, and the pool has few connections.
        drop(connection);
        let source = env.source(&self.retries, &import.source, token)?;
        let manifest = self.await_with_heartbeat(source.open()).await??;
        let connection = self.deps.store.connection("import.open").await?;
        if !import.dry_run && import.phase != Phase::Space {
            let before = jobs::source_fingerprint(&connection, self.space, self.id).await?;
            if before != manifest.fingerprint {
                let message = "The folder was changed after this import of it was cut off. Start it again: what is here already is left alone";
                return Err(failed(EndCode::FolderChanged, message));
            }
        }
        let is_same_space = self.is_same_space(&connection, &manifest).await?;
        let source_space = (manifest.space.id, is_same_space);
        let state = ImportState::load(&connection, self.space, self.id, source_space, &env.base_url).await?;
        let base_report = jobs::base_report(&connection, self.space, self.id).await?;
        drop(connection);
        let (at, report) = if import.dry_run {
            ((Phase::Space, 0), Report::default())
        } else {
            ((import.phase, import.cursor), base_report.unwrap_or_else(|| import.report.clone()))
        };
        let report = Report { announced: manifest.announced.clone(), ..report };
        let mut running = Running {
            import,
            source,
            state: Arc::new(RwLock::new(state)),
            at,
            report,
            manifest,
            pages: None,
            unwritten: Vec::new(),
            room: None,
            last_page_at: Instant::now(),
            rate: 0.0,
        };
        // At the beginning of a phase all of its records come again; within it, those of earlier pages do
        // not.
        if running.at > (Phase::Assets, 0) {
            self.reload_asset_urls(&running).await?;
        }
        if running.at.0 == Phase::DatasourceEntries && running.at.1 > 0 {
            self.reload_entry_names(&running).await?;
        }
        if running.at.0 > Phase::Components {
            self.reserve_stories(&mut running).await?;
        }
        Ok(running)
    }

    /// Loads the row of an import that is to be continued.
    async fn load_import(&mut self, connection: &Connection) -> Result<Import, StepError> {
        self.extend_lease(connection).await?;
        let import = match jobs::find(connection, self.space, self.id).await? {
            Some(import) if !import.status.is_over() => import,
            _ => return Err(StepError::LeaseLost),
        };
        if import.is_cancel_requested {
            return Err(StepError::Finish(Status::Cancelled, None));
        }
        if self.attempt - jobs::last_progress_attempt(connection, self.space, self.id).await? > MAX_CRASHES {
            return Err(failed(EndCode::Crashed, "The process ended again and again while it was at this import"));
        }
        Ok(import)
    }

    /// Whether the source is an export of this very space. Another server may have a space of the same id,
    /// but not created at the same time.
    async fn is_same_space(&self, connection: &Connection, manifest: &SourceManifest) -> Result<bool, StepError> {
        let space = spaces::find(connection, self.space).await?;
        let is_same_age = space.is_some_and(|space| manifest.space.created_at == Some(space.created_at));
        Ok(manifest.space.id.number() == self.space.0 && is_same_age)
    }

    /// Reads from the source what a phase needs before its first page.
    pub(super) async fn prepare_phase(&mut self, running: &mut Running, phase: Phase) -> Result<(), StepError> {
        match phase {
            // Schemas and everything after them may refer to any story.
            Phase::Components => self.reserve_stories(running).await,
            Phase::Presets => self.load_default_presets(running).await,
            _ => Ok(()),
        }
    }

    /// Reads which components have which default preset. Presets are imported after components.
    async fn load_default_presets(&mut self, running: &Running) -> Result<(), StepError> {
        let mut defaults = Vec::new();
        let mut next = Some(0);
        while let Some(cursor) = next {
            let page = self.await_with_heartbeat(running.source.page(Phase::Components, cursor, usize::MAX)).await??;
            for (record, _) in page.records {
                let Record::Component(component) = record else { continue };
                let Some(preset) = component.preset_id else { continue };
                defaults.push((preset, DefaultOf { component: component.id, name: component.name }));
            }
            next = page.next;
        }
        running.state.write().await.default_presets.extend(defaults);
        Ok(())
    }

    /// Reads the URLs of assets that were imported before this process opened the import.
    async fn reload_asset_urls(&mut self, running: &Running) -> Result<(), StepError> {
        let mut next = Some(0);
        while let Some(cursor) = next {
            let page = self.await_with_heartbeat(running.source.page(Phase::Assets, cursor, usize::MAX)).await??;
            let mut state = running.state.write().await;
            for (record, _) in &page.records {
                let Record::Asset(asset) = record else { continue };
                let mapping = state.mapping(asset.id);
                if let Some(url) = mapping.and_then(|mapping| state.asset_urls.get(&mapping.id).cloned()) {
                    state.maps.urls.insert(&asset.filename, &url);
                }
            }
            next = page.next;
        }
        Ok(())
    }

    /// Loads the names of the entries that this import wrote before this process opened it.
    async fn reload_entry_names(&self, running: &Running) -> Result<(), StepError> {
        let connection = self.deps.store.connection("import.open").await?;
        running.state.write().await.load_entry_names(&connection, self.space, self.id).await?;
        Ok(())
    }

    /// Lists the stories of the source. An id for each is to be reserved.
    async fn reserve_stories(&mut self, running: &mut Running) -> Result<(), StepError> {
        let listed = self.await_with_heartbeat(running.source.story_headers()).await??;
        let mut state = running.state.write().await;
        state.maps.known.extend(listed.iter().map(|story| story.uuid));
        state.source_stories = SourceStories::new(listed);
        drop(state);
        running.unwritten.push(Chunk { payload: ChunkPayload::Reservations, to: running.at });
        Ok(())
    }
}
