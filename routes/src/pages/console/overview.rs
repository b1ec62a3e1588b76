//! `/admin`: the overview, which leads with what needs an administrator.

use super::{Administrator, ApiRequest, ApiResponse, Pages, done};
use domain::{identity::origin::Origin, shared::Fault};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use pages::console::{
    concern::Concern,
    overview::{Check, Figure, OverviewView, overview_page},
    text::ConsoleText,
};
use services::identity::admin::overview::{Concerns, Statistics, read_concerns, read_statistics};
use std::collections::BTreeMap;
use storage::shared::queues::{QueueFigures, QueueName};
use tokio::try_join;

/// The page.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let ctx = &pages.identity.ctx;
    let (statistics, told) = try_join!(read_statistics(ctx), read_concerns(ctx, &pages.identity.oidc.keys))?;
    let concerns = concerns(&pages, statistics.clients, &told);
    let queues = told.queues;
    let view = OverviewView {
        done: done(administrator.visitor.language(), &query, &[("everybody", ConsoleText::EverybodySignedOut)]),
        concerns,
        version: pages.ops.facts.version,
        figures: figures(&statistics, &queues),
        checks: checks(&pages),
        oldest_work_at: backlog(&queues).filter_map(|figures| figures.oldest_at).min(),
    };
    Ok(administrator.ok(&pages, |console| overview_page(console, &view)))
}

/// With less room than this a disk is nearly full, as for the alert `LecternDiskFull`.
const LOW_BELOW: u64 = 1_000_000_000;

/// What needs an administrator, the most urgent first.
fn concerns(pages: &Pages, clients: usize, told: &Concerns) -> Vec<Concern> {
    let (ops, identity) = (&pages.ops, &pages.identity);
    let free = (ops.free_bytes)();
    let dead = |queue| told.queues.get(&queue).map_or(0, |figures: &QueueFigures| figures.dead);
    let when = |is_so: bool, concern: Concern| is_so.then_some(concern);
    let given_up = |queue, concern: &dyn Fn(i64) -> Concern| (dead(queue) > 0).then(|| concern(dead(queue)));
    let notices = |queue: QueueName| given_up(queue, &|count| Concern::NoticesGivenUp { queue: queue.into_str(), count });
    let low_disk = if ops.store.is_disk_full() { Some(None) } else { free.filter(|free| *free < LOW_BELOW).map(Some) };
    // A client is configured, and people cannot sign in to it: this process has no keys.
    let has_no_keys = clients > 0 && !ops.facts.oidc_configured;
    let failing = Concern::ReceiversFail { count: told.failing.total, hosts: told.failing.hosts.clone() };
    let all = [
        when(!(ops.data_is_there)(), Concern::DataGone),
        low_disk.map(Concern::LowDisk),
        when(told.is_sending_paused, Concern::SendingPaused),
        when(told.are_keys_stuck || has_no_keys, Concern::KeysStuck),
        told.late_mail_since.map(Concern::MailsLate),
        given_up(QueueName::Mail, &Concern::MailsGivenUp),
        notices(QueueName::Logouts),
        notices(QueueName::AccountWebhooks),
        when(told.failing.total > 0, failing),
        given_up(QueueName::Webhooks, &Concern::DeliveriesGivenUp),
        given_up(QueueName::Imports, &Concern::ImportsGivenUp),
        when(!ops.facts.smtp_enabled, Concern::MailOff),
        when(Origin::parse(&identity.oidc.settings.issuer).is_some_and(|base| base.is_loopback()), Concern::LoopbackAddress),
    ];
    all.into_iter().flatten().collect()
}

/// The queues whose work people wait for. What the server does by itself, and what is planned for a time, is
/// no backlog.
fn backlog(queues: &BTreeMap<QueueName, QueueFigures>) -> impl Iterator<Item = &QueueFigures> {
    let is_routine = |queue: &QueueName| matches!(queue, QueueName::Maintenance | QueueName::Schedules);
    queues.iter().filter(move |(queue, _)| !is_routine(queue)).map(|(_, figures)| figures)
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
        listed(ConsoleText::WorkWaiting, backlog(queues).map(|figures| figures.waiting).sum(), "/admin/workers"),
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
