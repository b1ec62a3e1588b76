//! The circuit breaker of a receiver, in its row.

use crate::{Connection, Error, Executor, Result, row};
use domain::shared::{
    ReceiverId,
    delivery::{Circuit, CircuitBreaker, Outage},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// What [`breaker`] reads, of a row `receiver`.
pub(in crate::shared) const BREAKER_COLUMNS: &str = "receiver.health, receiver.failures, receiver.has_answered, receiver.circuit, receiver.circuit_until, receiver.circuit_opened_at,
     receiver.failed_probes";

/// A receiver's circuit breaker.
pub async fn find_breaker(executor: &impl Executor, id: ReceiverId) -> Result<Option<CircuitBreaker>> {
    let sql = format!("select {BREAKER_COLUMNS} from receivers receiver where id = $1");
    executor.row_opt(&sql, &[/* id */ &id]).await?.as_ref().map(breaker).transpose()
}

/// A change of a receiver's circuit breaker.
#[derive(Debug, Clone, Copy)]
pub struct BreakerUpdate {
    pub receiver: ReceiverId,
    /// What its row held before.
    pub from: CircuitBreaker,
    /// What it is to hold.
    pub to: CircuitBreaker,
}

/// Writes circuit breakers to their rows, except where another process has changed the row meanwhile. Returns
/// the receivers that were written: of several processes that send a probe, the first one may.
pub async fn save_breakers(connection: &Connection, all: &[BreakerUpdate]) -> Result<Vec<ReceiverId>> {
    let rows = connection
        .rows(
            "update receivers receiver
             set health = change.health, failures = change.failures, has_answered = change.has_answered, circuit = change.circuit,
                 circuit_until = change.circuit_until, circuit_opened_at = change.opened_at, failed_probes = change.failed_probes
             from unnest($1::bigint[], $2::text[], $3::integer[], $4::text[], $5::timestamptz[],
                         $6::text[], $7::integer[], $8::boolean[], $9::text[], $10::timestamptz[], $11::timestamptz[], $12::integer[])
                  as change (id, old_health, old_failures, old_circuit, old_until,
                             health, failures, has_answered, circuit, circuit_until, opened_at, failed_probes)
             where receiver.id = change.id and receiver.health = change.old_health and receiver.failures = change.old_failures
               and receiver.circuit = change.old_circuit and receiver.circuit_until is not distinct from change.old_until
             returning receiver.id",
            &[
                /* id */ &all.iter().map(|update| update.receiver).collect::<Vec<_>>(),
                /* old_health */ &all.iter().map(|update| update.from.health.into_str()).collect::<Vec<_>>(),
                /* old_failures */ &all.iter().map(|update| number(update.from.failures)).collect::<Vec<_>>(),
                /* old_circuit */ &all.iter().map(|update| update.from.circuit.into_str()).collect::<Vec<_>>(),
                /* old_until */ &all.iter().map(|update| update.from.circuit.until()).collect::<Vec<_>>(),
                /* health */ &all.iter().map(|update| update.to.health.into_str()).collect::<Vec<_>>(),
                /* failures */ &all.iter().map(|update| number(update.to.failures)).collect::<Vec<_>>(),
                /* has_answered */ &all.iter().map(|update| update.to.has_answered).collect::<Vec<_>>(),
                /* circuit */ &all.iter().map(|update| update.to.circuit.into_str()).collect::<Vec<_>>(),
                /* circuit_until */ &all.iter().map(|update| update.to.circuit.until()).collect::<Vec<_>>(),
                /* opened_at */ &all.iter().map(|update| outage(update).map(|outage| outage.since)).collect::<Vec<_>>(),
                /* failed_probes */
                &all.iter().map(|update| outage(update).map_or(0, |outage| number(outage.failed_probes))).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "id")).collect()
}

fn outage(update: &BreakerUpdate) -> Option<Outage> {
    update.to.circuit.outage()
}

fn number(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The circuit breaker of a row with [`BREAKER_COLUMNS`].
pub(in crate::shared) fn breaker(row: &Row) -> Result<CircuitBreaker> {
    let count = |column| row::get(row, column).map(|count: i32| u32::try_from(count).unwrap_or_default());
    let (health, has_answered) = (row::named(row, "health")?, row::get(row, "has_answered")?);
    let (opened_at, failed_probes): (Option<Timestamp>, _) = (row::get(row, "circuit_opened_at")?, count("failed_probes")?);
    let outage = opened_at.map(|since| Outage { since, failed_probes });
    let (name, until): (&str, _) = (row::get(row, "circuit")?, row::get(row, "circuit_until")?);
    let circuit =
        Circuit::of(name, until, outage).ok_or_else(|| Error::Internal(format!("no circuit is {name} until {until:?}")))?;
    Ok(CircuitBreaker::restored(health, count("failures")?, has_answered, circuit))
}
