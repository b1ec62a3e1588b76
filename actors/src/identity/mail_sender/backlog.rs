//! The backlog, for the metrics.

use super::Metrics;
use crate::runtime::WakeSender;
use domain::{identity::mail_retry::LONGEST_DELAY, shared::SharedClock};
use storage::{
    Store,
    identity::mails,
    queue::{self, MAIL},
};

/// Measures it, and looks for mails that wait because the clock of the database went back.
pub(super) async fn measure(store: Store, clock: SharedClock, metrics: Metrics, actor: WakeSender) {
    let measured = async {
        let connection = store.connection("mail.backlog").await?;
        if queue::draw_back(&connection, MAIL, LONGEST_DELAY).await? > 0 {
            tracing::warn!("the clock of the database went back: mails that were due too far ahead are due now");
            actor.wake();
        }
        mails::backlog(&connection).await
    };
    match measured.await {
        Ok(backlog) => metrics.set_backlog(&backlog, clock.now()),
        Err(error) => tracing::warn!(%error, "waiting mails cannot be counted"),
    }
}
