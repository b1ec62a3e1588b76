//! Figures for the overview of administrators.

use crate::identity::IdentityContext;
use domain::shared::Fault;
use futures_util::try_join;
use jiff::Timestamp;
use storage::{
    identity::{
        mails::{self, Backlog},
        statistics::{self, AccountFigures, DayFigures},
    },
    shared::sessions,
};

/// The figures.
#[derive(Debug, Clone, Copy)]
pub struct Statistics {
    pub accounts: AccountFigures,
    /// What happened within a day.
    pub day: DayFigures,
    /// The sessions that are active.
    pub sessions: i64,
    /// The mails that wait.
    pub mails: Backlog,
    /// The clients that are configured.
    pub clients: usize,
    /// When they were read.
    pub at: Timestamp,
}

/// Reads the figures, all at once.
pub async fn read_statistics(ctx: &IdentityContext) -> Result<Statistics, Fault> {
    let at = ctx.clock.now();
    let connection = ctx.store.connection("account.stats").await?;
    let (accounts, day, sessions, mails) = try_join!(
        statistics::accounts(&connection, at),
        statistics::last_day(&connection, at),
        sessions::count_active(&connection, at),
        mails::backlog(&connection),
    )?;
    Ok(Statistics { accounts, day, sessions, mails, clients: ctx.settings.clients.iter().count(), at })
}
