//! The imports of a space: table `import_jobs`. The process that runs an import holds the lease of its row in
//! `jobs`.

use crate::{Error, Executor, Result, Tx, queue::Queue, row};
use domain::{
    content::import::{Fingerprint, Import, ImportError, ImportPayload, Phase, Report, SourceRef, Status},
    shared::{Actor, Code, Fault, ImportId, Page, PageRequest, SpaceId},
};
use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio_postgres::Row;

/// Imports over the network: any process can do them.
pub const IMPORT: Queue<ImportPayload> = Queue::new("import");
/// Imports from a folder: only a process on the machine that has it.
pub const IMPORT_LOCAL: Queue<ImportPayload> = Queue::new("import.local");

/// All columns but the report.
const COLUMNS: &str =
    "id, space_id, status, dry_run, webhooks, source, phase, cursor, done, total, rate, error_code, error_message,
    cancel_requested, actor_type, actor_id, actor_label, created_at, started_at, updated_at, finished_at";
/// Selected instead of the report where it is not needed; some reports are large.
const NO_REPORT: &str = "'{}'::json as report";

/// An import to be inserted.
#[derive(Debug)]
pub struct NewImport<'a> {
    /// Where its records come from.
    pub source: &'a SourceRef,
    /// Whether it only reports what it would do.
    pub dry_run: bool,
    /// Whether webhooks are sent.
    pub webhooks: bool,
    /// The source's token, encrypted.
    pub sealed_token: Option<&'a [u8]>,
    pub by: &'a Actor,
    pub at: Timestamp,
}

/// Inserts an import. Fails with 409 while the space has an unfinished one.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, new: &NewImport<'_>) -> Result<Import> {
    let added = tx
        .row(
            &format!(
                "insert into import_jobs (space_id, status, dry_run, source, sealed_token, phase, report, actor_type, actor_id,
                                          actor_label, created_at, updated_at, webhooks)
                 values ($1, 'queued', $2, $3, $4, $5, '{{}}', $6, $7, $8, $9, $9, $10)
                 returning {COLUMNS}, report"
            ),
            &[
                /* space_id */ &space,
                /* dry_run */ &new.dry_run,
                /* source */ &row::to_json(new.source)?,
                /* sealed_token */ &new.sealed_token,
                /* phase */ &Phase::Space.name(),
                /* actor_type */ &new.by.kind,
                /* actor_id */ &new.by.id,
                /* actor_label */ &new.by.label,
                /* created_at, updated_at */ &new.at,
                /* webhooks */ &new.webhooks,
            ],
        )
        .await
        .map_err(already_running)?;
    import(&added)
}

/// Finds an import.
pub async fn find(executor: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, report from import_jobs where space_id = $1 and id = $2");
    executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(import).transpose()
}

/// Finds the unfinished import of a space.
pub async fn find_open(executor: &impl Executor, space: SpaceId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, report from import_jobs where space_id = $1 and finished_at is null");
    executor.row_opt(&sql, &[/* space_id */ &space]).await?.as_ref().map(import).transpose()
}

/// Finds the newest unfinished import from a source into a space with this name.
pub async fn find_open_of(executor: &impl Executor, source: &SourceRef, name: &str) -> Result<Option<Import>> {
    let sql = format!(
        "select {COLUMNS}, report from import_jobs
         where finished_at is null and source = $1 and space_id in (select id from spaces where name = $2 and deleted_at is null)
         order by id desc limit 1"
    );
    let found = executor.row_opt(&sql, &[/* source */ &row::to_json(source)?, /* name */ &name]).await?;
    found.as_ref().map(import).transpose()
}

/// Finds an import and locks its row.
pub async fn lock(tx: &Tx<'_>, space: SpaceId, id: ImportId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, report from import_jobs where space_id = $1 and id = $2 for update");
    tx.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(import).transpose()
}

/// Finds an import without its report and locks its row.
pub async fn lock_without_report(tx: &Tx<'_>, space: SpaceId, id: ImportId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, {NO_REPORT} from import_jobs where space_id = $1 and id = $2 for update");
    tx.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(import).transpose()
}

/// Finds an import without its report.
pub async fn find_without_report(executor: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, {NO_REPORT} from import_jobs where space_id = $1 and id = $2");
    executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(import).transpose()
}

/// Finds an import for a progress display: its report has only the totals of the findings, and only if the
/// row has changed since `before`.
pub async fn find_progress(executor: &impl Executor, before: &Import) -> Result<Option<Import>> {
    let totals = "case when (updated_at, status, phase, cursor, done) is distinct from ($3, $4, $5, $6, $7)
              then json_build_object('warnings', json_build_object('total', coalesce(report #> '{warnings,total}', '0')),
                                     'failures', json_build_object('total', coalesce(report #> '{failures,total}', '0')),
                                     'broken_references', json_build_object('total', coalesce(report #> '{broken_references,total}', '0')))
              else '{}' end as report";
    let sql = format!("select {COLUMNS}, {totals} from import_jobs where space_id = $1 and id = $2");
    let found = executor
        .row_opt(
            &sql,
            &[
                /* space_id */ &before.space,
                /* id */ &before.id,
                /* updated_at */ &before.updated_at,
                /* status */ &before.status.name(),
                /* phase */ &before.phase.name(),
                /* cursor */ &before.cursor,
                /* done */ &before.done,
            ],
        )
        .await?;
    found.as_ref().map(import).transpose()
}

/// Lists the imports of a space, newest first.
pub async fn list(executor: &impl Executor, space: SpaceId, page: PageRequest) -> Result<Page<Import>> {
    let total = executor
        .rows("select count(*) as total from import_jobs where space_id = $1", &[/* space_id */ &space])
        .await?
        .first()
        .map_or(Ok(0), |r| row::get(r, "total"))?;
    let sql = format!("select {COLUMNS}, report from import_jobs where space_id = $1 order by id desc limit $2 offset $3");
    let rows = executor.rows(&sql, &[/* space_id */ &space, /* limit */ &page.limit(), /* offset */ &page.offset()]).await?;
    Ok(Page { items: rows.iter().map(import).collect::<Result<_>>()?, total })
}

/// The encrypted source token of an unfinished import.
pub async fn sealed_token(executor: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Vec<u8>>> {
    let found = executor
        .row_opt("select sealed_token from import_jobs where space_id = $1 and id = $2", &[/* space_id */ &space, /* id */ &id])
        .await?;
    found.map_or(Ok(None), |f| row::get(&f, "sealed_token"))
}

/// The fingerprint of the source when the import started.
pub async fn source_fingerprint(executor: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Fingerprint>> {
    let found = executor
        .row_opt(
            "select source_fingerprint from import_jobs where space_id = $1 and id = $2",
            &[/* space_id */ &space, /* id */ &id],
        )
        .await?;
    let fingerprint: Option<Vec<u8>> = found.map_or(Ok(None), |f| row::get(&f, "source_fingerprint"))?;
    Ok(fingerprint.and_then(|fingerprint| fingerprint.try_into().ok()))
}

/// Stores the fingerprint of the source.
pub async fn set_source_fingerprint(tx: &Tx<'_>, space: SpaceId, id: ImportId, fingerprint: Option<&Fingerprint>) -> Result<()> {
    tx.execute_one(
        "import.set_source_fingerprint",
        "update import_jobs set source_fingerprint = $3 where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &id, /* source_fingerprint */ &fingerprint.map(<[u8; 16]>::as_slice)],
    )
    .await
}

/// The lease attempt in which the import last made progress.
pub async fn last_progress_attempt(executor: &impl Executor, space: SpaceId, id: ImportId) -> Result<i32> {
    let found = executor
        .row_opt(
            "select last_progress_attempt from import_jobs where space_id = $1 and id = $2",
            &[/* space_id */ &space, /* id */ &id],
        )
        .await?;
    found.map_or(Ok(0), |f| row::get(&f, "last_progress_attempt"))
}

/// The progress of an import after a chunk.
#[derive(Debug)]
pub struct Progress<'a> {
    /// The phase that comes next.
    pub phase: Phase,
    /// The position in that phase.
    pub cursor: i64,
    /// How many records there are in all, as far as the source says.
    pub total: Option<i64>,
    /// Records per second, a moving average.
    pub rate: f64,
    /// How many records were read.
    pub done: i64,
    pub report: &'a Report,
    /// The current lease attempt.
    pub attempt: i32,
    pub at: Timestamp,
}

/// Stores the progress of an import. It counts as progress for the crash limit if the position changed (but
/// not in a dry run, which always starts again from the beginning) or if more records were read than ever
/// before.
///
/// While the position stays the same, `base_report` keeps the report from when the import came there: an
/// attempt that starts at this position again counts on from it. Until that attempt has caught up, the row
/// keeps the larger report of the attempt before.
pub async fn record_progress(tx: &Tx<'_>, space: SpaceId, id: ImportId, progress: &Progress<'_>) -> Result<()> {
    tx.execute_one(
        "import.record_progress",
        "update import_jobs
         set status = 'running', phase = $3, cursor = $4, total = $6, rate = $7,
             report = case when (phase, cursor) = ($3, $4) and $5 < done then report else $8 end,
             base_report = case when (phase, cursor) = ($3, $4) then coalesce(base_report, report) end,
             done = greatest(done, $5),
             last_progress_attempt = case when $5 > done or not dry_run and (phase, cursor) <> ($3, $4) then $9 else last_progress_attempt end,
             started_at = coalesce(started_at, $10), updated_at = $10
         where space_id = $1 and id = $2 and finished_at is null",
        &[
            /* space_id */ &space,
            /* id */ &id,
            /* phase */ &progress.phase.name(),
            /* cursor */ &progress.cursor,
            /* done */ &progress.done,
            /* total */ &progress.total,
            /* rate */ &progress.rate,
            /* report */ &report_json(progress.report)?,
            /* last_progress_attempt */ &progress.attempt,
            /* updated_at */ &progress.at,
        ],
    )
    .await
}

/// The report from when the import came to its current position, if it has read more since.
pub async fn base_report(executor: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Report>> {
    let found = executor
        .row_opt("select base_report from import_jobs where space_id = $1 and id = $2", &[/* space_id */ &space, /* id */ &id])
        .await?;
    let base: Option<row::Verbatim> = found.map_or(Ok(None), |f| row::get(&f, "base_report"))?;
    base.map(|row::Verbatim(report)| read_report(&report)).transpose()
}

/// Requests the cancellation of an import.
pub async fn request_cancel(tx: &Tx<'_>, space: SpaceId, id: ImportId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "import.request_cancel",
        "update import_jobs set cancel_requested = true, updated_at = $3 where space_id = $1 and id = $2 and finished_at is null",
        &[/* space_id */ &space, /* id */ &id, /* updated_at */ &at],
    )
    .await
}

/// Ends an import and deletes the source's token.
pub async fn end(
    tx: &Tx<'_>,
    space: SpaceId,
    id: ImportId,
    status: Status,
    error: Option<&ImportError>,
    at: Timestamp,
) -> Result<()> {
    tx.execute_one(
        "import.end",
        "update import_jobs
         set status = $3, error_code = $4, error_message = $5, sealed_token = null, updated_at = $6, finished_at = $6
         where space_id = $1 and id = $2 and finished_at is null",
        &[
            /* space_id */ &space,
            /* id */ &id,
            /* status */ &status.name(),
            /* error_code */ &error.map(|error| &error.code),
            /* error_message */ &error.map(|error| &error.message),
            /* finished_at */ &at,
        ],
    )
    .await
}

/// Stores the final report.
pub async fn set_report(tx: &Tx<'_>, space: SpaceId, id: ImportId, report: &Report) -> Result<()> {
    let done = i64::try_from(report.done()).unwrap_or(i64::MAX);
    tx.execute_one(
        "import.set_report",
        "update import_jobs set report = $3, done = greatest(done, $4) where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &id, /* report */ &report_json(report)?, /* done */ &done],
    )
    .await
}

/// Queues a failed or cancelled import again at its position. Fails with 409 while the space has another
/// unfinished import.
pub async fn resume(tx: &Tx<'_>, space: SpaceId, id: ImportId, report: &Report, sealed_token: &[u8], at: Timestamp) -> Result<()> {
    tx.execute_one(
        "import.resume",
        "update import_jobs
         set status = 'queued', report = $3, sealed_token = $4, error_code = null, error_message = null, cancel_requested = false,
             last_progress_attempt = 0, updated_at = $5, finished_at = null
         where space_id = $1 and id = $2 and status in ('failed', 'cancelled')",
        &[
            /* space_id */ &space,
            /* id */ &id,
            /* report */ &report_json(report)?,
            /* sealed_token */ &sealed_token,
            /* updated_at */ &at,
        ],
    )
    .await
    .map_err(already_running)
}

/// Translates the violation of the unique constraint for the caller.
fn already_running(error: Error) -> Error {
    match error.constraint() {
        Some("import_jobs_one") => {
            Error::from(Fault::new(Code::ImportRunning, "An import into this space is running; wait for it, or cancel it"))
        }
        _ => error,
    }
}

/// Imports with a requested cancellation whose lease has expired, so that no process would notice the
/// request.
pub async fn list_abandoned(executor: &impl Executor) -> Result<Vec<(SpaceId, ImportId)>> {
    let rows = executor
        .rows(
            "select imports.space_id, imports.id from import_jobs imports
             where imports.cancel_requested and imports.finished_at is null and not exists (
                 select from jobs where jobs.queue in ('import', 'import.local') and jobs.key = imports.space_id::text
                                    and jobs.finished_at is null and jobs.dead_at is null and jobs.lease_until > clock_timestamp())",
            &[],
        )
        .await?;
    rows.iter().map(|r| Ok((row::get(r, "space_id")?, row::get(r, "id")?))).collect()
}

fn report_json(report: &Report) -> Result<row::Verbatim> {
    serde_json::value::to_raw_value(report).map(row::Verbatim).map_err(|error| Error::Internal(format!("report: {error}")))
}

fn import(row: &Row) -> Result<Import> {
    let row::Verbatim(report): row::Verbatim = row::get(row, "report")?;
    let code: Option<String> = row::get(row, "error_code")?;
    let message: Option<String> = row::get(row, "error_message")?;
    let kind = row::parsed(row, "actor_type", |value| ["user", "token", "system"].into_iter().find(|kind| *kind == value))?;
    Ok(row::read!(row => Import {
        id, dry_run, webhooks, cursor, done, total, rate, created_at, started_at, updated_at, finished_at;
        space: row::get(row, "space_id")?,
        status: row::parsed(row, "status", Status::of)?,
        source: row::json(row, "source")?,
        phase: row::parsed(row, "phase", Phase::of)?,
        report: read_report(&report)?,
        error: code.map(|code| ImportError { code, message: message.unwrap_or_default() }),
        is_cancel_requested: row::get(row, "cancel_requested")?,
        by: Actor { kind, id: row::get(row, "actor_id")?, label: row::get(row, "actor_label")? },
    }))
}

fn read_report(text: &RawValue) -> Result<Report> {
    serde_json::from_str(text.get()).map_err(|error| Error::Internal(format!("column report: {error}")))
}
