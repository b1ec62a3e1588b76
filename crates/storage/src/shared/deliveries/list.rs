//! Deliveries as their owners see them.

use crate::{Connection, Executor, Result, row};
use domain::shared::{DeliveryId, Page, PageRequest, ReceiverId, delivery::State};
use jiff::Timestamp;
use tokio_postgres::Row;

/// A delivery as its owner sees it.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The id that tells receivers a repeated delivery from a new one.
    pub id: DeliveryId,
    /// Whether it is pending, delivered, dead or cancelled.
    pub state: State,
    /// The name of what happened.
    pub event: String,
    /// What it happened to.
    pub key: String,
    /// What is sent; `None` once it was purged.
    pub body: Option<Vec<u8>>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it is attempted next, if it is pending.
    pub next_at: Option<Timestamp>,
    /// Whether an attempt is under way.
    pub is_under_way: bool,
    /// Every attempt, in order.
    pub attempts: Vec<Attempt>,
}

/// An attempt to send a delivery.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Attempt {
    /// 1, 2, 3 …
    pub number: i32,
    pub result: String,
    /// The status of the response, if there was one.
    pub status: Option<i32>,
    /// The beginning of the response's body.
    pub answer: Option<String>,
    /// Whether the delivery was queued again on request.
    pub replayed: bool,
    pub started_at: Timestamp,
    /// How long it took, in milliseconds.
    pub took_ms: i32,
}

const COLUMNS: &str =
    "delivery.public_id, delivery.event, delivery.key, delivery.body, delivery.created_at, line.delivery_id as queued, line.due_at, line.dead_at, line.cancelled,
     coalesce(line.dead_at is null and line.lease_until > clock_timestamp(), false) as is_under_way,
     coalesce((
         select jsonb_agg(jsonb_build_object(
             'number', attempt.number, 'result', attempt.result, 'status', attempt.status, 'answer', attempt.answer,
             'replayed', attempt.replayed, 'started_at', attempt.started_at, 'took_ms', attempt.took_ms
         ) order by attempt.number)
         from delivery_attempts attempt where attempt.delivery_id = delivery.id
     ), '[]') as attempts";

/// A receiver's deliveries of a state. Those that did not arrive are found in the queue, which is short, and
/// not among all that ever were.
fn of_state(state: Option<State>) -> &'static str {
    match state {
        None => {
            "deliveries delivery left join delivery_queue line on line.delivery_id = delivery.id where delivery.receiver_id = $1"
        }
        Some(State::Delivered) => {
            "deliveries delivery left join delivery_queue line on line.delivery_id = delivery.id
             where delivery.receiver_id = $1 and line.delivery_id is null"
        }
        Some(State::Pending) => {
            "delivery_queue line join deliveries delivery on delivery.id = line.delivery_id
             where line.receiver_id = $1 and line.dead_at is null"
        }
        Some(State::Dead) => {
            "delivery_queue line join deliveries delivery on delivery.id = line.delivery_id
             where line.receiver_id = $1 and line.dead_at is not null and not line.cancelled"
        }
        Some(State::Cancelled) => {
            "delivery_queue line join deliveries delivery on delivery.id = line.delivery_id
             where line.receiver_id = $1 and line.dead_at is not null and line.cancelled"
        }
    }
}

/// A page of a receiver's deliveries, newest first.
pub async fn list(
    connection: &Connection,
    receiver: ReceiverId,
    state: Option<State>,
    page: PageRequest,
) -> Result<Page<Delivery>> {
    let found = of_state(state);
    let total = connection.row(&format!("select count(*) as total from {found}"), &[/* receiver_id */ &receiver]).await?;
    let rows = connection
        .rows(
            &format!("select {COLUMNS} from {found} order by delivery.id desc limit $2 offset $3"),
            &[/* receiver_id */ &receiver, /* limit */ &page.limit(), /* offset */ &page.offset()],
        )
        .await?;
    Ok(Page { items: rows.iter().map(delivery).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

/// One of a receiver's deliveries.
pub async fn find(executor: &impl Executor, receiver: ReceiverId, id: DeliveryId) -> Result<Option<Delivery>> {
    let sql = format!(
        "select {COLUMNS} from deliveries delivery left join delivery_queue line on line.delivery_id = delivery.id
         where delivery.receiver_id = $1 and delivery.public_id = $2"
    );
    executor.row_opt(&sql, &[/* receiver_id */ &receiver, /* public_id */ &id]).await?.as_ref().map(delivery).transpose()
}

fn delivery(row: &Row) -> Result<Delivery> {
    let queued: Option<i64> = row::get(row, "queued")?;
    let dead_at: Option<Timestamp> = row::get(row, "dead_at")?;
    let cancelled: Option<bool> = row::get(row, "cancelled")?;
    let state = match (queued, dead_at) {
        (None, _) => State::Delivered,
        (Some(_), None) => State::Pending,
        (Some(_), Some(_)) if cancelled == Some(true) => State::Cancelled,
        (Some(_), Some(_)) => State::Dead,
    };
    Ok(row::read!(row => Delivery {
        event, key, body, created_at, is_under_way;
        id: row::get(row, "public_id")?,
        state,
        next_at: if state == State::Pending { row::get(row, "due_at")? } else { None },
        attempts: row::json(row, "attempts")?,
    }))
}
