//! `/admin/workers…`: the queues, what is dead in them, and the actors of this process.

mod live;

pub(in crate::pages) use live::Streams;
pub(super) use live::stream;

use super::{Administrator, ApiRequest, ApiResponse, FIRST_PAGE, Form, Pages, back_to_list, done, of_list, problems};
use crate::pages::{status, with_retry};
use actors::actor_system::{ActorReport, ActorState};
use domain::{identity::admin::read_plain_page, shared::Fault};
use http::StatusCode;
use jiff::Timestamp;
use pages::{
    Problems,
    console::{
        list::Paging,
        operations_text::OperationsText,
        workers::{ActorRow, DeadRow, DeadView, QueueRow, WorkerState, WorkersView, dead as dead_page, workers_page},
    },
};
use services::identity::admin::queues::{count_queues, list_dead, retry_one};
use storage::shared::queues::{DeadWork, QueueFigures, QueueName};

/// The page.
pub(super) async fn show(pages: Pages, administrator: Administrator, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let mut actors = Vec::new();
    for report in pages.identity.actors.report().await {
        push(&mut actors, report, "");
    }
    let view = WorkersView { queues: queue_rows(&pages).await?, actors };
    Ok(administrator.ok(&pages, |console| workers_page(console, &view)))
}

/// Adds an actor and those below it.
fn push(rows: &mut Vec<ActorRow>, report: ActorReport, supervisor: &str) {
    let name = format!("{supervisor}{}", report.name);
    let state = match report.state {
        ActorState::Running => WorkerState::Running,
        ActorState::Unresponsive => WorkerState::Unresponsive,
        ActorState::Stopping => WorkerState::Stopping,
        ActorState::Restarting => WorkerState::Restarting,
    };
    let observed = serde_json::to_string_pretty(&report.observed).unwrap_or_default();
    let below = format!("{name} / ");
    rows.push(ActorRow { name, state, mailbox: report.mailbox, restarts: report.restarts, observed });
    for child in report.children {
        push(rows, child, &below);
    }
}

async fn queue_rows(pages: &Pages) -> Result<Vec<QueueRow>, Fault> {
    let counted = count_queues(&pages.identity.ctx).await?;
    let now = pages.identity.ctx.clock.now();
    Ok(counted.into_iter().map(|(queue, figures)| queue_row(queue, figures, now)).collect())
}

fn queue_row(queue: QueueName, figures: QueueFigures, now: Timestamp) -> QueueRow {
    QueueRow {
        name: queue.into_str(),
        waiting: figures.waiting,
        running: figures.running,
        dead: queue.has_dead().then_some(figures.dead),
        oldest_seconds: figures.age_seconds(now),
    }
}

fn named(name: &str) -> Result<QueueName, Fault> {
    name.parse().map_err(|_| Fault::not_found())
}

/// What is dead in a queue.
pub(super) async fn dead(
    pages: Pages,
    administrator: Administrator,
    name: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let queue = named(&name)?;
    render(&pages, administrator, &request, (queue, Problems::default(), StatusCode::OK)).await
}

/// Queues something dead again: 303 to the page of the list that it was asked for at; 404.
pub(super) async fn retry(
    pages: Pages,
    administrator: Administrator,
    name: String,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let queue = named(&name)?;
    let context = pages.identity.request_context(&request);
    match Box::pin(retry_one(pages.identity.acting(&context, administrator.claims()), (queue, form.text("id")))).await {
        Ok(()) => back_to_list(&request, "one"),
        Err(fault) => {
            let (fault, shown) = problems(&administrator, fault, &[])?;
            let response = render(&pages, administrator, &request, (queue, shown, status(&fault))).await?;
            Ok(with_retry(response, &fault))
        }
    }
}

async fn render(
    pages: &Pages,
    administrator: Administrator,
    request: &ApiRequest,
    (queue, shown, code): (QueueName, Problems, StatusCode),
) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let wanted = read_plain_page(&of_list(&query)).unwrap_or(FIRST_PAGE);
    let found = list_dead(&pages.identity.ctx, queue, wanted).await?;
    let known = [("one", OperationsText::Retried), ("all", OperationsText::AllRetried)];
    let view = DeadView {
        queue: queue.into_str(),
        done: done(administrator.visitor.language(), &query, &known),
        problems: shown,
        dead: found.items.into_iter().map(dead_row).collect(),
        paging: Paging { page: wanted.page, per_page: wanted.per_page, total: found.total, is_exact: true },
    };
    Ok(administrator.page(pages, code, |console| dead_page(console, &view)))
}

fn dead_row(work: DeadWork) -> DeadRow {
    let DeadWork { id, what, target, attempts, error, created_at, dead_at } = work;
    DeadRow { id, what, target, attempts, error, created_at, dead_at }
}
