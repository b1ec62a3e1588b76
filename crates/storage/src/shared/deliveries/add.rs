//! Adding deliveries.

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
    /// The receiver.
    pub receiver: ReceiverId,
    /// The name of what happened.
    pub event: &'static str,
    /// What it happened to. Deliveries of a key to a receiver go one after the other, in the order in which they were added.
    pub key: String,
    /// The type of the body.
    pub content_type: &'static str,
    /// What is sent, byte for byte, on each attempt.
    pub body: Vec<u8>,
    /// The number of the event that it is made of: a second delivery of an event to the same receiver is left out.
    pub origin_seq: Option<i64>,
}

/// Adds deliveries, due at once. They exist when the transaction commits, and dispatchers are woken then. Returns how many were new.
pub async fn add(tx: &Tx<'_>, all: &[NewDelivery], at: Timestamp) -> Result<u64> {
    let added = tx
        .execute(
            "with made as (
                 insert into deliveries (public_id, receiver_id, event, key, content_type, body, origin_seq, created_at)
                 select new.public_id, new.receiver_id, new.event, new.key, new.content_type, new.body, new.origin_seq, $8
                 from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::bigint[])
                      with ordinality as new (public_id, receiver_id, event, key, content_type, body, origin_seq, number)
                 order by new.number
                 on conflict (receiver_id, origin_seq) where origin_seq is not null do nothing
                 returning id, receiver_id, key
             )
             insert into delivery_queue (delivery_id, receiver_id, key, due_at)
             select id, receiver_id, key, statement_timestamp() from made order by id",
            &[
                /* public_id */ &all.iter().map(|new| new.id.0).collect::<Vec<_>>(),
                /* receiver_id */ &all.iter().map(|new| new.receiver.0).collect::<Vec<_>>(),
                /* event */ &all.iter().map(|new| new.event).collect::<Vec<_>>(),
                /* key */ &all.iter().map(|new| new.key.as_str()).collect::<Vec<_>>(),
                /* content_type */ &all.iter().map(|new| new.content_type).collect::<Vec<_>>(),
                /* body */ &all.iter().map(|new| new.body.as_slice()).collect::<Vec<_>>(),
                /* origin_seq */ &all.iter().map(|new| new.origin_seq).collect::<Vec<_>>(),
                /* created_at */ &at,
            ],
        )
        .await?;
    if added > 0 {
        queue::notify(tx, DELIVERIES).await?;
    }
    Ok(added)
}
