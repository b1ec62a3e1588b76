//! Adding deliveries.

use super::super::receivers::wake;
use crate::{Executor, Result, Tx};
use domain::shared::{DeliveryId, ReceiverId};
use jiff::Timestamp;

/// A delivery to be added.
#[derive(Debug, Clone)]
pub struct NewDelivery {
    /// What receivers tell copies apart by.
    pub id: DeliveryId,
    /// To whom.
    pub receiver: ReceiverId,
    /// The name of what happened.
    pub event: &'static str,
    /// What it is about. Deliveries of a key to a receiver go one after the other, in the order in which they were added.
    pub key: String,
    /// Of the body.
    pub content_type: &'static str,
    /// What is sent, byte for byte, on each attempt.
    pub body: Vec<u8>,
    /// The number of the event it is made of: a second delivery of it to the same receiver is left out.
    pub origin_seq: Option<i64>,
}

/// Adds deliveries, due at once. They exist when the transaction commits, and dispatchers are told then. Answers how many were new.
pub async fn add(tx: &Tx<'_>, all: &[NewDelivery], at: Timestamp) -> Result<u64> {
    let added = tx
        .execute(
            "with made as (
                 insert into deliveries (public_id, receiver_id, event, key, content_type, body, origin_seq, created_at)
                 select line.public_id, line.receiver_id, line.event, line.key, line.content_type, line.body, line.origin_seq, $8
                 from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::bigint[])
                      with ordinality as line (public_id, receiver_id, event, key, content_type, body, origin_seq, number)
                 order by line.number
                 on conflict (receiver_id, origin_seq) where origin_seq is not null do nothing
                 returning id, receiver_id, key
             )
             insert into delivery_queue (delivery_id, receiver_id, key, due_at)
             select id, receiver_id, key, $8 from made order by id",
            &[
                /* public_id */ &all.iter().map(|value| value.id.0).collect::<Vec<_>>(),
                /* receiver_id */ &all.iter().map(|value| value.receiver.0).collect::<Vec<_>>(),
                /* event */ &all.iter().map(|value| value.event).collect::<Vec<_>>(),
                /* key */ &all.iter().map(|value| value.key.as_str()).collect::<Vec<_>>(),
                /* content_type */ &all.iter().map(|value| value.content_type).collect::<Vec<_>>(),
                /* body */ &all.iter().map(|value| value.body.as_slice()).collect::<Vec<_>>(),
                /* origin_seq */ &all.iter().map(|value| value.origin_seq).collect::<Vec<_>>(),
                /* created_at, due_at */ &at,
            ],
        )
        .await?;
    if added > 0 {
        wake(tx).await?;
    }
    Ok(added)
}
