//! The writes of a running import: a page with everything that follows from it, and the end.

use super::{
    closing,
    commands::audited,
    memory::Memory,
    take::{self, Hand, Item, Taken},
};
use crate::content::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, SpaceChange, SpaceSettings,
        import::{Finding, Import, Kind, Outcome, Phase, Report, Status, record},
        language,
    },
    shared::{Fault, ImportId, Kind as FaultKind},
};
use serde_json::json;
use std::{collections::BTreeMap, ops::Range, sync::Arc, time::Duration};
use storage::{
    Error, Result,
    content::{
        imports::{ids, jobs},
        spaces,
    },
    queue::{Fence, Outcome as Held},
};
use tokio::sync::RwLock;

/// Somebody else has the job by now, or it is over: nothing may be written in its name.
pub(super) const NOT_OURS: &str = "importNotOurs";
/// The row is not where it was left: another write of ours was committed after all.
pub(super) const MOVED_ON: &str = "importMovedOn";

/// A page of records.
pub(super) struct Chunk {
    pub(super) id: ImportId,
    /// What holds the job, and for how long from now on.
    pub(super) hold: (Fence, Duration),
    pub(super) attempt: i32,
    /// What is known of both sides.
    pub(super) memory: Arc<RwLock<Memory>>,
    /// What is to be done.
    pub(super) load: Load,
    /// What was done before.
    pub(super) report: Report,
    /// Where the job stands, and where it will.
    pub(super) from: (Phase, i64),
    pub(super) to: (Phase, i64),
    pub(super) rate: f64,
}

/// What a chunk brings.
#[derive(Clone)]
pub(super) enum Load {
    /// Nothing but that the job got on.
    Nothing,
    /// The settings of the source's space, and the fingerprint of the source.
    Settings(record::Space, Option<[u8; 16]>),
    /// Records to be written.
    Items(Arc<Vec<Item>>, Range<usize>),
    /// Numbers for stories to come.
    Reservations(Vec<(i64, uuid::Uuid)>),
    /// What was found without writing.
    Looked(Box<Taken>),
}

/// What became of a chunk.
pub(super) enum Written {
    /// It is committed.
    Done(Box<Taken>),
    /// Somebody wants the job to stop. Nothing was written.
    CancelRequested,
}

impl SpaceCommand for Chunk {
    type Output = Written;

    const NAME: &'static str = "import.page";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let (tx, space) = (ctx.tx, ctx.space);
        let import = held(ctx, self.id, self.hold).await?;
        if import.is_cancel_requested {
            return Ok((Written::CancelRequested, Changes::default()));
        }
        if !import.dry_run && (import.phase, import.cursor) != self.from {
            return Err(Fault::conflict(MOVED_ON, "The import is somewhere else by now").into());
        }
        let memory = self.memory.read().await;
        let mut taken = Taken::new(self.report.clone(), &memory);
        match &self.load {
            Load::Nothing => {}
            Load::Settings(source, print) => {
                let settings = add_settings(ctx, source, &mut taken).await?;
                if !import.dry_run {
                    jobs::set_source_print(tx, space, self.id, print.as_ref()).await?;
                    taken.public |= save(ctx, settings).await?;
                }
            }
            Load::Items(items, range) => {
                let items = items.get(range.clone()).unwrap_or_default();
                take::page(self.from.0, &Hand::Writing(ctx), &memory, items, &mut taken).await.map_err(of_a_record)?;
            }
            Load::Reservations(wanted) => take::reserve(ctx, &memory, wanted, &mut taken).await?,
            Load::Looked(looked) => taken = (**looked).clone(),
        }
        if !import.dry_run {
            let mut by_kind: BTreeMap<_, BTreeMap<i64, ids::Known>> = BTreeMap::new();
            for (kind, source, known) in &taken.ids {
                by_kind.entry(super::memory::plain(*kind)).or_default().insert(*source, *known);
            }
            for (kind, of_kind) in by_kind {
                let of_kind: Vec<_> = of_kind.into_iter().collect();
                ids::put(tx, space, memory.source, (self.id, kind), &of_kind).await?;
            }
        }
        let step = jobs::Step {
            phase: self.to.0,
            cursor: self.to.1,
            total: taken.report.expected().and_then(|e| i64::try_from(e).ok()),
            rate: self.rate,
            done: i64::try_from(taken.report.done()).unwrap_or(i64::MAX),
            report: &taken.report,
            attempt: self.attempt,
            at: ctx.now,
        };
        jobs::advance(tx, space, self.id, &step).await?;
        let changes = changes(&import, self.from.0, &taken);
        Ok((Written::Done(Box::new(taken)), changes))
    }
}

/// What a record lacks is not what the job lacks: that somebody deleted an asset or a folder in between ends no import.
fn of_a_record(error: Error) -> Error {
    match error {
        Error::Fault(fault) if fault.kind == FaultKind::NotFound => Fault::internal("something that a record needs is gone").into(),
        error => error,
    }
}

/// The job, if it is still ours and not over. What it reports is not read: it may be large.
async fn held(ctx: &CommandContext<'_>, id: ImportId, (fence, lease): (Fence, Duration)) -> Result<Import> {
    let not_ours = || Fault::conflict(NOT_OURS, "The import is somebody else's by now");
    let import = jobs::lock_without_report(ctx.tx, ctx.space, id).await?.filter(|l| !l.status.is_over()).ok_or_else(not_ours)?;
    match fence.extend(ctx.tx, lease).await? {
        Held::Written => Ok(import),
        Held::Lost => Err(not_ours().into()),
    }
}

/// One audit entry for a page that changed anything. It also tells other processes that there is something new.
fn changes(import: &Import, phase: Phase, taken: &Taken) -> Changes {
    if import.dry_run || (taken.changed() == 0 && !taken.public) {
        return Changes::default();
    }
    let count = |wanted: Outcome| taken.outcomes.iter().filter(|(_, outcome)| *outcome == wanted).count();
    let meta = json!({ "phase": phase, "created": count(Outcome::Created), "updated": count(Outcome::Updated) });
    let mut changes = audited("import.page", import, meta);
    if import.webhooks {
        changes.events.clone_from(&taken.events);
    }
    if taken.public { changes.visible() } else { changes }
}

/// What the source has and the space has not: languages, the name of the default one, and where its pages are shown. What cannot be is left out.
async fn add_settings(ctx: &CommandContext<'_>, source: &record::Space, taken: &mut Taken) -> Result<Settings> {
    let before = spaces::lock(ctx.tx, ctx.space).await?.ok_or_else(Fault::not_found)?;
    let mut settings = before.clone();
    for language in &source.languages {
        if settings.languages.iter().any(|l| language::suffix(&l.code) == language::suffix(&language.code)) {
            continue;
        }
        let mut languages = settings.languages.clone();
        languages.push(language.clone());
        match changed(json!({ "languages": languages }), &settings) {
            Ok(after) => settings = after,
            Err(fault) => {
                let finding = Finding::new("languageInvalid", Kind::Story, 0, &language.code, &*fault.message);
                taken.report.warnings.add(finding);
            }
        }
    }
    let name = source
        .default_lang_name
        .as_ref()
        .filter(|default_lang_name| !default_lang_name.trim().is_empty() && settings.default_lang_name.is_none());
    if let Some(Ok(after)) = name.map(|name| changed(json!({ "default_lang_name": name }), &settings)) {
        settings = after;
    }
    let is_missing = settings.domain.as_ref().is_none_or(String::is_empty);
    if let Some(domain) = source.domain.as_ref().filter(|domain| !domain.trim().is_empty() && is_missing) {
        match changed(json!({ "domain": domain }), &settings) {
            Ok(after) => settings = after,
            Err(fault) => taken.report.warnings.add(Finding::new("domainInvalid", Kind::Story, 0, domain, &*fault.message)),
        }
    }
    Ok(Settings { before, after: settings })
}

/// What a space says of itself, and what it is to say.
struct Settings {
    before: SpaceSettings,
    after: SpaceSettings,
}

/// Saves them if they changed. Answers whether.
async fn save(ctx: &CommandContext<'_>, Settings { before, after }: Settings) -> Result<bool> {
    let changed = before != after;
    if changed {
        spaces::update(ctx.tx, ctx.space, &after, ctx.now).await?;
    }
    Ok(changed)
}

fn changed(body: serde_json::Value, settings: &SpaceSettings) -> std::result::Result<SpaceSettings, Fault> {
    let change: SpaceChange = serde_json::from_value(body).map_err(|error| Fault::internal(error.to_string()))?;
    change.apply(settings.clone())
}

/// The end of an import.
pub(super) struct End {
    pub(super) id: ImportId,
    pub(super) hold: (Fence, Duration),
    pub(super) status: Status,
    pub(super) error: Option<(String, String)>,
}

impl SpaceCommand for End {
    /// Whether stories were written.
    type Output = bool;

    const NAME: &'static str = "import.end";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(bool, Changes)> {
        held(ctx, self.id, self.hold).await?;
        let import = jobs::find(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        let error = self.error.as_ref().map(|(code, message)| (code.as_str(), message.as_str()));
        let closed = closing::close(ctx, &import, self.status, error).await?;
        let action = match self.status {
            Status::Cancelled => "import.cancelled",
            Status::Failed => "import.failed",
            _ => "import.finished",
        };
        let meta = json!({ "dry_run": import.dry_run, "records": import.done, "error": self.error.as_ref().map(|error| &error.0) });
        let wrote_stories = !import.dry_run && import.phase >= Phase::Folders;
        Ok((wrote_stories, closed.with(audited(action, &import, meta))))
    }
}
