//! `/admin`: the overview.

use super::{Administrator, ApiRequest, ApiResponse, Pages, done};
use domain::shared::Fault;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use pages::console::{
    overview::{Check, Figure, OverviewView, page},
    text::ConsoleText,
};
use services::identity::admin::{
    queues::count_queues,
    statistics::{Statistics, read_statistics},
};
use std::collections::BTreeMap;
use storage::shared::queues::{QueueFigures, QueueName};
use tokio::try_join;

/// The page.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let ctx = &pages.identity.ctx;
    let (statistics, queues) = try_join!(read_statistics(ctx), count_queues(ctx))?;
    let view = OverviewView {
        done: done(administrator.visitor.language(), &query, &[("everybody", ConsoleText::EverybodySignedOut)]),
        version: pages.ops.facts.version,
        figures: figures(&statistics, &queues),
        checks: checks(&pages),
        oldest_work_at: queues.values().filter_map(|figures| figures.oldest_at).min(),
    };
    Ok(administrator.ok(&pages, |console| page(console, &view)))
}

fn figures(statistics: &Statistics, queues: &BTreeMap<QueueName, QueueFigures>) -> Vec<(ConsoleText, Vec<Figure>)> {
    let Statistics { accounts, day, sessions, mails, clients, at } = statistics;
    let figure = |label, value| Figure { label, value, path: None };
    let listed = |label, value, path: &str| Figure { label, value, path: Some(path.to_owned()) };
    let entries = |event: &str| format!("/admin/audit?event={event}&from={}", day_before(*at));
    let people = vec![
        listed(ConsoleText::InAll, accounts.total, "/admin/users"),
        listed(ConsoleText::Verified, accounts.verified, "/admin/users?emailVerified=true"),
        listed(ConsoleText::Unverified, accounts.total - accounts.verified, "/admin/users?emailVerified=false"),
        listed(ConsoleText::Administrators, accounts.admins, "/admin/users?isAdmin=true"),
        listed(ConsoleText::Suspended, accounts.suspended, "/admin/users?suspended=true"),
        figure(ConsoleText::WithPasskey, accounts.with_passkey),
        figure(ConsoleText::WithApp, accounts.with_totp),
        figure(ConsoleText::NewLastDay, accounts.created_last_day),
        figure(ConsoleText::NewLastWeek, accounts.created_last_week),
        figure(ConsoleText::NewLastMonth, accounts.created_last_month),
    ];
    let sign_ins = vec![
        figure(ConsoleText::ActiveSessions, *sessions),
        listed(ConsoleText::SignInsLastDay, day.logins, &entries("auth.login.success")),
        listed(ConsoleText::RefusedLastDay, day.failed_logins, &entries("auth.login.failure")),
        listed(ConsoleText::Applications, i64::try_from(*clients).unwrap_or(i64::MAX), "/admin/clients"),
    ];
    let sent = vec![
        listed(ConsoleText::MailsWaiting, mails.open, "/admin/mail"),
        figure(ConsoleText::MailsSent, day.sent_mails),
        listed(ConsoleText::MailsDead, day.dead_mails, "/admin/mail?state=dead"),
    ];
    let deliveries = queues.get(&QueueName::Webhooks).copied().unwrap_or_default();
    let work = vec![
        listed(ConsoleText::WorkWaiting, queues.values().map(|figures| figures.waiting).sum(), "/admin/workers"),
        listed(ConsoleText::DeliveriesWaiting, deliveries.waiting, "/admin/workers"),
        listed(ConsoleText::DeliveriesDead, deliveries.dead, "/admin/workers/webhooks"),
    ];
    vec![(ConsoleText::Users, people), (ConsoleText::SignIns, sign_ins), (ConsoleText::Mail, sent), (ConsoleText::Workers, work)]
}

/// The day on which the last 24 hours began, as the filter of the audit trail reads it.
fn day_before(at: Timestamp) -> String {
    let begun = at.checked_sub(SignedDuration::from_hours(24)).unwrap_or(at);
    begun.to_zoned(TimeZone::UTC).date().to_string()
}

/// What `/api/ready` says. That the figures could be read shows that the database answers.
fn checks(pages: &Pages) -> Vec<Check> {
    let facts = &pages.ops.facts;
    let good = |label, state| Check { label, state, is_good: Some(true) };
    let bad = |label, state| Check { label, state, is_good: Some(false) };
    let plain = |label, state| Check { label, state, is_good: None };
    let mut checks = vec![good(ConsoleText::Database, ConsoleText::Works)];
    checks.push(if pages.ops.is_disk_full() {
        bad(ConsoleText::Storage, ConsoleText::DiskFull)
    } else {
        good(ConsoleText::Storage, ConsoleText::Works)
    });
    checks.push(if facts.smtp_enabled {
        good(ConsoleText::Mail, ConsoleText::MailIsOn)
    } else {
        plain(ConsoleText::Mail, ConsoleText::MailIsOff)
    });
    checks.push(if facts.oidc_configured {
        good(ConsoleText::Provider, ConsoleText::Configured)
    } else {
        plain(ConsoleText::Provider, ConsoleText::NotConfigured)
    });
    let registration = if facts.registration_enabled { ConsoleText::Open } else { ConsoleText::Closed };
    checks.push(plain(ConsoleText::Registration, registration));
    if *pages.ops.draining.borrow() {
        checks.push(bad(ConsoleText::Stopping, ConsoleText::IsStopping));
    }
    checks
}
