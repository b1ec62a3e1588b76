//! Adding deliveries.

use super::claim::RECEIVER_CLOCK;
use crate::{
    Executor, Result, Tx,
    queue::{self, DELIVERIES},
};
use domain::shared::{DeliveryId, ReceiverId};
use jiff::Timestamp;

/// A delivery to be added.
#[derive(Debug, Clone)]
pub struct NewDelivery {
    /// The id that tells receivers a repeated delivery from a new one.
    pub id: DeliveryId,
    pub receiver: ReceiverId,
    /// The name of what happened.
    pub event: &'static str,
    /// What it happened to. Deliveries of a key to a receiver go one after the other, in the order in which
    /// they were added.
    pub key: String,
    /// The type of the body.
    pub content_type: &'static str,
    /// What is sent, byte for byte, on each attempt.
    pub body: Vec<u8>,
    /// The number of the event that it is made of: a second delivery of an event to the same receiver is left
    /// out.
    pub origin_seq: Option<i64>,
    /// When the event happened, from which its age counts.
    pub happened_at: Timestamp,
}

/// Adds deliveries, due at once. They exist when the transaction commits, and dispatchers are woken then.
/// Returns how many were new.
///
/// How old each is already is the difference of two times by clocks of servers, `at` and the time of its
/// event. From then on the database's clock counts.
pub async fn add(tx: &Tx<'_>, all: &[NewDelivery], at: Timestamp) -> Result<u64> {
    let sql = format!(
        "with new as materialized (
             select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::bigint[], $9::timestamptz[])
                 with ordinality as new (public_id, receiver_id, event, key, content_type, body, origin_seq, happened_at, number)
         ), made as (
             insert into deliveries (public_id, receiver_id, event, key, content_type, body, origin_seq, created_at)
             select new.public_id, new.receiver_id, new.event, new.key, new.content_type, new.body, new.origin_seq, $8
             from new order by new.number
             on conflict (receiver_id, origin_seq) where origin_seq is not null do nothing
             returning id, public_id, receiver_id, key
         )
         insert into delivery_queue (delivery_id, receiver_id, key, due_at, age_from)
         select made.id, made.receiver_id, made.key, statement_timestamp(),
                {RECEIVER_CLOCK} - make_interval(secs => greatest(extract(epoch from $8 - new.happened_at), 0))
         from made join new on new.public_id = made.public_id join receivers receiver on receiver.id = made.receiver_id
         order by made.id"
    );
    let added = tx
        .execute(
            &sql,
            &[
                /* public_id */ &all.iter().map(|new| new.id).collect::<Vec<_>>(),
                /* receiver_id */ &all.iter().map(|new| new.receiver).collect::<Vec<_>>(),
                /* event */ &all.iter().map(|new| new.event).collect::<Vec<_>>(),
                /* key */ &all.iter().map(|new| new.key.as_str()).collect::<Vec<_>>(),
                /* content_type */ &all.iter().map(|new| new.content_type).collect::<Vec<_>>(),
                /* body */ &all.iter().map(|new| new.body.as_slice()).collect::<Vec<_>>(),
                /* origin_seq */ &all.iter().map(|new| new.origin_seq).collect::<Vec<_>>(),
                /* created_at */ &at,
                /* happened_at */ &all.iter().map(|new| new.happened_at).collect::<Vec<_>>(),
            ],
        )
        .await?;
    if added > 0 {
        queue::notify(tx, DELIVERIES).await?;
    }
    Ok(added)
}
