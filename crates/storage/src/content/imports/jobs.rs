//! The jobs: `import_jobs`. Who works on one holds its lease in `jobs`.

use crate::{Error, Executor, Result, Tx, row};
use domain::{
    content::import::{Import, Phase, Report, SourceRef, Status},
    shared::{Actor, Fault, ImportId, Page, PageRequest, SpaceId},
};
use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio_postgres::Row;

/// What is read of a job, besides its report.
const COLUMNS: &str =
    "id, space_id, status, dry_run, webhooks, source, phase, cursor, done, total, rate, error_code, error_message,
    cancel_requested, actor_type, actor_id, actor_label, created_at, started_at, updated_at, finished_at";
/// In the place of a report that is not wanted: some are large.
const NO_REPORT: &str = "'{}'::json as report";

/// A job to be added.
#[derive(Debug)]
pub struct NewJob<'a> {
    /// Where the records come from.
    pub source: &'a SourceRef,
    /// Whether nothing is written.
    pub dry_run: bool,
    /// Whether webhooks are told.
    pub webhooks: bool,
    /// The source's token, encrypted.
    pub sealed_token: Option<&'a [u8]>,
    /// Who wants it.
    pub by: &'a Actor,
    /// When.
    pub at: Timestamp,
}

/// Adds a job. 409 while the space has one that is not over.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, new: &NewJob<'_>) -> Result<Import> {
    let added = tx
        .row(
            &format!(
                "insert into import_jobs (space_id, status, dry_run, source, sealed_token, phase, report, actor_type, actor_id,
                                          actor_label, created_at, updated_at, webhooks)
                 values ($1, 'queued', $2, $3, $4, $5, '{{}}', $6, $7, $8, $9, $9, $10)
                 returning {COLUMNS}, report"
            ),
            &[
                /* space_id */ &space.0,
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
        .map_err(another_one)?;
    import(&added)
}

/// One job.
pub async fn find(query: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, report from import_jobs where space_id = $1 and id = $2");
    query.row_opt(&sql, &[/* space_id */ &space.0, /* id */ &id.0]).await?.as_ref().map(import).transpose()
}

/// The job of a space that is not over.
pub async fn find_open(query: &impl Executor, space: SpaceId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, report from import_jobs where space_id = $1 and finished_at is null");
    query.row_opt(&sql, &[/* space_id */ &space.0]).await?.as_ref().map(import).transpose()
}

/// The job that is not over of a source, into a space of a name; the newest, should there be several.
pub async fn find_open_of(query: &impl Executor, source: &SourceRef, name: &str) -> Result<Option<Import>> {
    let sql = format!(
        "select {COLUMNS}, report from import_jobs
         where finished_at is null and source = $1 and space_id in (select id from spaces where name = $2 and deleted_at is null)
         order by id desc limit 1"
    );
    let found = query.row_opt(&sql, &[/* source */ &row::to_json(source)?, /* name */ &name]).await?;
    found.as_ref().map(import).transpose()
}

/// One job, locked until the transaction ends.
pub async fn lock(tx: &Tx<'_>, space: SpaceId, id: ImportId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, report from import_jobs where space_id = $1 and id = $2 for update");
    tx.row_opt(&sql, &[/* space_id */ &space.0, /* id */ &id.0]).await?.as_ref().map(import).transpose()
}

/// The same without its report, which may be large and is not always wanted.
pub async fn lock_without_report(tx: &Tx<'_>, space: SpaceId, id: ImportId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, {NO_REPORT} from import_jobs where space_id = $1 and id = $2 for update");
    tx.row_opt(&sql, &[/* space_id */ &space.0, /* id */ &id.0]).await?.as_ref().map(import).transpose()
}

/// One job without its report.
pub async fn find_without_report(query: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Import>> {
    let sql = format!("select {COLUMNS}, {NO_REPORT} from import_jobs where space_id = $1 and id = $2");
    query.row_opt(&sql, &[/* space_id */ &space.0, /* id */ &id.0]).await?.as_ref().map(import).transpose()
}

/// One job for who tells how far it is: without its report, but with what that counts when it is somewhere else than it was.
pub async fn find_progress(query: &impl Executor, before: &Import) -> Result<Option<Import>> {
    let told = "case when (updated_at, status, phase, cursor, done) is distinct from ($3, $4, $5, $6, $7)
              then json_build_object('warnings', json_build_object('total', coalesce(report #> '{warnings,total}', '0')),
                                     'failures', json_build_object('total', coalesce(report #> '{failures,total}', '0')),
                                     'broken_references', json_build_object('total', coalesce(report #> '{broken_references,total}', '0')))
              else '{}' end as report";
    let sql = format!("select {COLUMNS}, {told} from import_jobs where space_id = $1 and id = $2");
    let found = query
        .row_opt(
            &sql,
            &[
                /* space_id */ &before.space.0,
                /* id */ &before.id.0,
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

/// The jobs of a space, newest first.
pub async fn list(query: &impl Executor, space: SpaceId, page: PageRequest) -> Result<Page<Import>> {
    let total = query
        .rows("select count(*) as total from import_jobs where space_id = $1", &[/* space_id */ &space.0])
        .await?
        .first()
        .map_or(Ok(0), |r| row::get(r, "total"))?;
    let sql = format!("select {COLUMNS}, report from import_jobs where space_id = $1 order by id desc limit $2 offset $3");
    let rows = query.rows(&sql, &[/* space_id */ &space.0, /* limit */ &page.limit(), /* offset */ &page.offset()]).await?;
    Ok(Page { items: rows.iter().map(import).collect::<Result<_>>()?, total })
}

/// The encrypted token of a job that is not over.
pub async fn sealed_token(query: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Vec<u8>>> {
    let found = query
        .row_opt("select sealed_token from import_jobs where space_id = $1 and id = $2", &[/* space_id */ &space.0, /* id */ &id.0])
        .await?;
    found.map_or(Ok(None), |f| row::get(&f, "sealed_token"))
}

/// The fingerprint of the source that a job began with.
pub async fn source_print(query: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<[u8; 16]>> {
    let found = query
        .row_opt("select source_print from import_jobs where space_id = $1 and id = $2", &[/* space_id */ &space.0, /* id */ &id.0])
        .await?;
    let print: Option<Vec<u8>> = found.map_or(Ok(None), |f| row::get(&f, "source_print"))?;
    Ok(print.and_then(|print| print.try_into().ok()))
}

/// Remembers what source a job began with.
pub async fn set_source_print(tx: &Tx<'_>, space: SpaceId, id: ImportId, print: Option<&[u8; 16]>) -> Result<()> {
    tx.execute_one(
        "import.set_source_print",
        "update import_jobs set source_print = $3 where space_id = $1 and id = $2",
        &[/* space_id */ &space.0, /* id */ &id.0, /* source_print */ &print.map(<[u8; 16]>::as_slice)],
    )
    .await
}

/// In which attempt of its lease a job last got on.
pub async fn progressed_in(query: &impl Executor, space: SpaceId, id: ImportId) -> Result<i32> {
    let found = query
        .row_opt(
            "select progressed_in from import_jobs where space_id = $1 and id = $2",
            &[/* space_id */ &space.0, /* id */ &id.0],
        )
        .await?;
    found.map_or(Ok(0), |f| row::get(&f, "progressed_in"))
}

/// Where a job stands after a step.
#[derive(Debug)]
pub struct Step<'a> {
    /// The phase.
    pub phase: Phase,
    /// How far in it.
    pub cursor: i64,
    /// Records that are to come, as far as the source told.
    pub total: Option<i64>,
    /// Records a second, of late.
    pub rate: f64,
    /// Records that came.
    pub done: i64,
    /// What was done by now.
    pub report: &'a Report,
    /// The attempt of the lease.
    pub attempt: i32,
    /// When.
    pub at: Timestamp,
}

/// Moves a job on. It got on when it is somewhere else than before, or has done more than ever: some begin anew where they stood, a dry run always.
///
/// As long as it stands where it stood, the row remembers what was done when it came there. One that begins there anew has told of more before: that
/// stays until it has caught up.
pub async fn advance(tx: &Tx<'_>, space: SpaceId, id: ImportId, step: &Step<'_>) -> Result<()> {
    tx.execute_one(
        "import.advance",
        "update import_jobs
         set status = 'running', phase = $3, cursor = $4, total = $6, rate = $7,
             report = case when (phase, cursor) = ($3, $4) and $5 < done then report else $8 end,
             base_report = case when (phase, cursor) = ($3, $4) then coalesce(base_report, report) end,
             done = greatest(done, $5),
             progressed_in = case when $5 > done or not dry_run and (phase, cursor) <> ($3, $4) then $9 else progressed_in end,
             started_at = coalesce(started_at, $10), updated_at = $10
         where space_id = $1 and id = $2 and finished_at is null",
        &[
            /* space_id */ &space.0,
            /* id */ &id.0,
            /* phase */ &step.phase.name(),
            /* cursor */ &step.cursor,
            /* done */ &step.done,
            /* total */ &step.total,
            /* rate */ &step.rate,
            /* report */ &stored(step.report)?,
            /* progressed_in */ &step.attempt,
            /* updated_at */ &step.at,
        ],
    )
    .await
}

/// What a job had done when it came to where it stands, if it has done more by now.
pub async fn base_report(query: &impl Executor, space: SpaceId, id: ImportId) -> Result<Option<Report>> {
    let found = query
        .row_opt("select base_report from import_jobs where space_id = $1 and id = $2", &[/* space_id */ &space.0, /* id */ &id.0])
        .await?;
    let base: Option<row::Verbatim> = found.map_or(Ok(None), |f| row::get(&f, "base_report"))?;
    base.map(|row::Verbatim(report)| read_report(&report)).transpose()
}

/// Asks a job to stop.
pub async fn request_cancel(tx: &Tx<'_>, space: SpaceId, id: ImportId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "import.request_cancel",
        "update import_jobs set cancel_requested = true, updated_at = $3 where space_id = $1 and id = $2 and finished_at is null",
        &[/* space_id */ &space.0, /* id */ &id.0, /* updated_at */ &at],
    )
    .await
}

/// Ends a job: the source's token is gone with this.
pub async fn end(
    tx: &Tx<'_>,
    space: SpaceId,
    id: ImportId,
    status: Status,
    error: Option<(&str, &str)>,
    at: Timestamp,
) -> Result<()> {
    let (code, message) = error.unzip();
    tx.execute_one(
        "import.end",
        "update import_jobs
         set status = $3, error_code = $4, error_message = $5, sealed_token = null, updated_at = $6, finished_at = $6
         where space_id = $1 and id = $2 and finished_at is null",
        &[
            /* space_id */ &space.0,
            /* id */ &id.0,
            /* status */ &status.name(),
            /* error_code */ &code,
            /* error_message */ &message,
            /* finished_at */ &at,
        ],
    )
    .await
}

/// Writes down what a job did, at its end.
pub async fn set_report(tx: &Tx<'_>, space: SpaceId, id: ImportId, report: &Report) -> Result<()> {
    let done = i64::try_from(report.done()).unwrap_or(i64::MAX);
    tx.execute_one(
        "import.set_report",
        "update import_jobs set report = $3, done = greatest(done, $4) where space_id = $1 and id = $2",
        &[/* space_id */ &space.0, /* id */ &id.0, /* report */ &stored(report)?, /* done */ &done],
    )
    .await
}

/// Has a job that ended before its time go on where it stood. 409 while the space has another one that is not over.
pub async fn resume(tx: &Tx<'_>, space: SpaceId, id: ImportId, report: &Report, sealed_token: &[u8], at: Timestamp) -> Result<()> {
    tx.execute_one(
        "import.resume",
        "update import_jobs
         set status = 'queued', report = $3, sealed_token = $4, error_code = null, error_message = null, cancel_requested = false,
             progressed_in = 0, updated_at = $5, finished_at = null
         where space_id = $1 and id = $2 and status in ('failed', 'cancelled')",
        &[
            /* space_id */ &space.0,
            /* id */ &id.0,
            /* report */ &stored(report)?,
            /* sealed_token */ &sealed_token,
            /* updated_at */ &at,
        ],
    )
    .await
    .map_err(another_one)
}

/// The constraint's refusal in words for the caller.
fn another_one(error: Error) -> Error {
    match error.constraint() {
        Some("import_jobs_one") => {
            Error::from(Fault::conflict("importRunning", "An import into this space is running; wait for it, or cancel it"))
        }
        _ => error,
    }
}

/// Jobs that somebody wants to stop, and that nobody is at: whoever was has gone.
pub async fn abandoned(query: &impl Executor) -> Result<Vec<(SpaceId, ImportId)>> {
    let rows = query
        .rows(
            "select it.space_id, it.id from import_jobs it
             where it.cancel_requested and it.finished_at is null and not exists (
                 select from jobs where jobs.queue in ('import', 'import.local') and jobs.key = it.space_id::text
                                    and jobs.finished_at is null and jobs.dead_at is null and jobs.lease_until > clock_timestamp())",
            &[],
        )
        .await?;
    rows.iter().map(|r| Ok((SpaceId(row::get(r, "space_id")?), ImportId(row::get(r, "id")?)))).collect()
}

fn stored(report: &Report) -> Result<row::Verbatim> {
    serde_json::value::to_raw_value(report).map(row::Verbatim).map_err(|error| Error::Internal(format!("report: {error}")))
}

fn import(row: &Row) -> Result<Import> {
    let row::Verbatim(report): row::Verbatim = row::get(row, "report")?;
    let code: Option<String> = row::get(row, "error_code")?;
    let message: Option<String> = row::get(row, "error_message")?;
    let kind = row::parsed(row, "actor_type", |value| ["user", "token", "system"].into_iter().find(|kind| *kind == value))?;
    Ok(Import {
        id: ImportId(row::get(row, "id")?),
        space: SpaceId(row::get(row, "space_id")?),
        status: row::parsed(row, "status", Status::of)?,
        dry_run: row::get(row, "dry_run")?,
        webhooks: row::get(row, "webhooks")?,
        source: row::json(row, "source")?,
        phase: row::parsed(row, "phase", Phase::of)?,
        cursor: row::get(row, "cursor")?,
        done: row::get(row, "done")?,
        total: row::get(row, "total")?,
        rate: row::get(row, "rate")?,
        report: read_report(&report)?,
        error: code.map(|code| (code, message.unwrap_or_default())),
        is_cancel_requested: row::get(row, "cancel_requested")?,
        by: Actor { kind, id: row::get(row, "actor_id")?, label: row::get(row, "actor_label")? },
        created_at: row::get(row, "created_at")?,
        started_at: row::get(row, "started_at")?,
        updated_at: row::get(row, "updated_at")?,
        finished_at: row::get(row, "finished_at")?,
    })
}

fn read_report(text: &RawValue) -> Result<Report> {
    serde_json::from_str(text.get()).map_err(|error| Error::Internal(format!("column report: {error}")))
}
