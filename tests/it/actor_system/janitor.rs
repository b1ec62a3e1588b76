//! The janitor and its sweeps.

use actors::{actor_system::Params, maintenance::Retention};
use storage::queue::{self, JANITOR};
use support::prelude::*;

const INSTANT: SignedDuration = SignedDuration::from_millis(1);

async fn execute(database: &Database, sql: &str, at: Timestamp) {
    database.execute(sql, &[&at]).await;
}

async fn names(database: &Database, sql: &str) -> Vec<String> {
    database.column(sql).await
}

fn days(number: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * number)
}

/// Rows that are due after so many days, with `{name}` in the place of a name.
const DUE_AFTER_DAYS: &[(i64, &str)] = &[
    (
        1,
        "insert into sessions (id, user_id, token_version, user_agent, amr, auth_at, created_at, last_seen_at, expires_at)
         select gen_random_uuid(), id, 0, '{name}', '{}', $1, $1, $1, $1 from users",
    ),
    (1, "insert into one_time (id, kind, hash, created_at, expires_at) values (gen_random_uuid(), '{name}', '', $1, $1)"),
    (1, "insert into client_assertions (client_id, jti_hash, expires_at) values ('{name}', decode(repeat('00', 32), 'hex'), $1)"),
    (
        1,
        "with due as (
         insert into oidc_grants (id, client_id, user_id, scope, resources, claims, auth_at, amr, is_offline, created_at, expires_at)
         select gen_random_uuid(), '{name}', id, '{}', '{}', '{}', $1, '{}', true, $1, $1 from users returning id
         ), access as (
         insert into oidc_access_tokens (hash, client_id, scope, issued_at, expires_at)
         values (sha256('{name}'), '{name}', '{}', $1, $1)
         )
         insert into oidc_refresh_tokens (hash, grant_id, scope, issued_at, expires_at)
         select sha256('{name}'), id, array['{name}'], $1, $1 from due",
    ),
    (1, "insert into oidc_denied_tokens (jti, expires_at) values ('{name}', $1)"),
    (1, "insert into dpop_proofs (hash, expires_at) values (sha256('{name}'), $1)"),
    (
        1,
        "insert into oidc_device_codes (id, device_hash, user_hash, client_id, scope, resources, poll_seconds, created_at, expires_at)
         values (gen_random_uuid(), sha256('{name}'), sha256('{name}'), '{name}', '{}', '{}', 5, $1, $1)",
    ),
    (90, "insert into known_devices (user_id, hash, browser, first_seen_at, last_seen_at) select id, '{name}', '{name}', $1, $1 from users"),
    (
        1,
        "insert into lockout_counters (key, recent, waits, last_at, day_since, day_count, tried, admitted)
         values ('{name}', '{}', 0, $1, $1, 1, 1, true)",
    ),
    (0, "insert into rate_limits (name, caller, full_at, is_admitted) values ('login_ip', '{name}', $1, true)"),
    (7, "insert into jobs (queue, key, due_at, created_at, finished_at) values ('test', '{name}', $1, $1, $1)"),
    (
        7,
        "insert into mails (id, user_id, template, locale, created_at, sent_at)
         select gen_random_uuid(), id, 'invite', '{name}', $1, $1 from users",
    ),
    (
        90,
        "insert into mails (id, user_id, template, locale, created_at, dead_at, reason)
         select gen_random_uuid(), id, 'invite', '{name}', $1, $1, 'refused' from users",
    ),
    (400, "insert into account_audit (event, status, created_at) values ('{name}', 'success', $1)"),
    (30, "insert into spaces (name, created_at, updated_at, deleted_at) values ('{name}', $1, $1, $1)"),
];

/// The same within a space.
const DUE_IN_A_SPACE: &[(i64, &str)] = &[
    (
        1,
        "insert into space_invitations (space_id, email, role, token_hash, created_at, expires_at)
         select id, '{name}', 'editor', convert_to('{name}', 'UTF8'), $1, $1 from spaces where name = 'living'",
    ),
    (
        1,
        "insert into oidc_remembered_consents (device_id, client_id, scope, expires_at)
         select id, '{name}', '{}', $1 from known_devices where browser = 'kept'",
    ),
    (
        90,
        "insert into stories (space_id, uuid, group_id, is_folder, slug, full_slug, created_at, updated_at, deleted_at)
         select id, gen_random_uuid(), gen_random_uuid(), false, '{name}', '{name}', $1, $1, $1 from spaces where name = 'living'",
    ),
    (
        90,
        "with gone as (
         insert into deleted_components (space_id, id, name, component, presets, deleted_at)
         select id, length('{name}'), '{name}', '{}', '[]', $1 from spaces where name = 'living' returning space_id, id, name
         )
         insert into component_versions (space_id, component_id, event, component, author_id, author, created_at)
         select space_id, id, 'create', '{}', '', name, $1 from gone",
    ),
];

/// Rows that are due since this millisecond, and rows that are due in a millisecond.
async fn fill(database: &Database, now: Timestamp) {
    let user = "insert into users (id, email, first_name, locale, created_at)
                values ('00000000-0000-4000-8000-000000000001', 'a@example.com', 'A', 'en', $1)";
    execute(database, user, now).await;
    fill_with(database, now, DUE_AFTER_DAYS).await;
    execute(database, "insert into spaces (name, created_at, updated_at) values ('living', $1, $1)", now).await;
    fill_with(database, now, DUE_IN_A_SPACE).await;
    let story = "insert into stories (space_id, uuid, group_id, is_folder, slug, full_slug, created_at, updated_at)
                 select id, gen_random_uuid(), gen_random_uuid(), false, name, name, $1, $1 from spaces";
    execute(database, story, now).await;
    let audit = "insert into audit_log (space_id, seq, actor_type, actor_id, actor_label, action, target_type, target_id,
                                        target_label, created_at)
                 select id, number, 'system', '', '', 'a', 'b', 'c', 'd', $1 from spaces, generate_series(1, 700) number";
    execute(database, audit, now).await;
}

async fn fill_with(database: &Database, now: Timestamp, rows: &[(i64, &str)]) {
    for (name, off) in [("due", SignedDuration::ZERO), ("kept", INSTANT)] {
        for (age, sql) in rows {
            execute(database, &sql.replace("{name}", name), now - days(*age) + off).await;
        }
    }
}

#[tokio::test]
async fn exactly_what_is_due_is_removed() {
    let database = support::database().await;
    // A poll ends after some seconds, and an actor is not waited for that does not answer within them.
    let _timers = StoppedTimers::now();
    let clock = support::clock();
    fill(&database, clock.now()).await;
    let system = support::system(&database, clock.clone()).await;
    let observed = system.handles().observe_all().await;
    assert_eq!(observed["janitor"]["failures"], 0);
    let once = json!({
        "sessions": 1, "oneTime": 1, "clientAssertions": 1, "oidcTokens": 1, "knownDevices": 1, "lockoutCounters": 1, "rateLimits": 1, "stories": 1, "assets": 1, "components": 1, "uploads": 1, "invitations": 1, "imageResults": 1, "objects": 1, "spaces": 1, "jobs": 1, "accountAudit": 1, "accountAuditDays": 1,
        "deliveries": 1, "deadLetters": 1, "receivers": 1, "events": 1, "mails": 1,
    });
    assert_eq!(observed["janitor"]["sweeps"], once);

    assert_eq!(names(&database, "select user_agent as name from sessions").await, ["kept"]);
    assert_eq!(names(&database, "select kind as name from one_time").await, ["kept"]);
    assert_eq!(names(&database, "select client_id as name from client_assertions").await, ["kept"]);
    assert_eq!(names(&database, "select client_id as name from oidc_grants").await, ["kept"]);
    assert_eq!(names(&database, "select client_id as name from oidc_access_tokens").await, ["kept"]);
    assert_eq!(names(&database, "select jti as name from oidc_denied_tokens").await, ["kept"]);
    let proof = "select 'kept' as name from dpop_proofs where hash = sha256('kept') and (select count(*) from dpop_proofs) = 1";
    assert_eq!(names(&database, proof).await, ["kept"]);
    assert_eq!(names(&database, "select scope[1] as name from oidc_refresh_tokens").await, ["kept"]);
    assert_eq!(names(&database, "select browser as name from known_devices").await, ["kept"]);
    assert_eq!(names(&database, "select client_id as name from oidc_remembered_consents").await, ["kept"]);
    assert_eq!(names(&database, "select convert_from(key, 'UTF8') as name from lockout_counters").await, ["kept"]);
    assert_eq!(names(&database, "select key as name from jobs where queue = 'test'").await, ["kept"]);
    assert_eq!(names(&database, "select event as name from account_audit").await, ["kept"]);
    assert_eq!(names(&database, "select locale as name from mails").await, ["kept", "kept"]);
    assert_eq!(names(&database, "select name from spaces order by name").await, ["kept", "living"]);
    assert_eq!(names(&database, "select email as name from space_invitations").await, ["kept"]);
    assert_eq!(names(&database, "select slug as name from stories order by slug").await, ["kept", "kept", "living"]);
    assert_eq!(names(&database, "select name from deleted_components").await, ["kept"]);
    assert_eq!(names(&database, "select author as name from component_versions").await, ["kept"]);
    assert_eq!(names(&database, "select caller as name from rate_limits").await, ["kept"]);
    let audit = "select distinct spaces.name from audit_log join spaces on spaces.id = space_id order by name";
    assert_eq!(names(&database, audit).await, ["kept", "living"]);

    // An instant later the rest is due, but no sweep is, for a minute.
    clock.advance(INSTANT);
    system.handles().notifications.wake_all();
    assert_eq!(system.handles().observe_all().await["janitor"]["sweeps"], once);
    clock.advance(SignedDuration::from_mins(1));
    system.handles().notifications.wake_all();
    let observed = system.handles().observe_all().await;
    assert_eq!((&observed["janitor"]["sweeps"]["rateLimits"], &observed["janitor"]["sweeps"]["stories"]), (&json!(2), &json!(1)));
    assert_eq!(names(&database, "select caller as name from rate_limits").await, Vec::<String>::new());
    clock.advance(SignedDuration::from_mins(59));
    system.handles().notifications.wake_all();
    assert_eq!(system.handles().observe_all().await["janitor"]["sweeps"]["stories"], 2);
    assert_eq!(names(&database, "select slug as name from stories").await, ["living"]);
    assert_eq!(names(&database, "select name from spaces").await, ["living"]);
}

#[tokio::test]
async fn a_sweep_that_another_process_is_doing_is_left_to_it() {
    let database = support::database().await;
    let _timers = StoppedTimers::now();
    let clock = support::clock();
    fill(&database, clock.now()).await;
    let first = support::system(&database, clock.clone()).await;
    first.handles().observe_all().await;
    assert!(first.drain(Duration::from_secs(30)).await);
    clock.advance(SignedDuration::from_hours(2));
    let connection = database.connection().await;
    let held = queue::claim(&connection, JANITOR, 23, Duration::from_mins(1)).await.unwrap();
    assert_eq!(held.len(), 23, "added once, by either process");
    let second = support::system(&database, clock.clone()).await;
    assert_eq!(second.handles().observe_all().await["janitor"]["sweeps"], json!({}));
    assert_eq!(names(&database, "select name from spaces order by name").await, ["kept", "living"]);
}

/// Callers that come from ever new addresses do not fill the disk, and wash out neither those who are being
/// slowed down nor the callers of another limit.
#[tokio::test]
async fn of_too_many_callers_of_a_rate_limit_those_are_forgotten_that_may_ask_soonest() {
    use storage::shared::rate_limits::{remove_excess, remove_full};
    let database = support::database().await;
    let buckets = "insert into rate_limits (name, caller, full_at, is_admitted)
                   select 'login_ip', 'caller ' || number, $1::timestamptz + number * interval '1 minute', true from generate_series(-1, 8) number
                   union all select 'register_ip', 'other ' || number, $1::timestamptz + number * interval '1 second', true from generate_series(1, 3) number";
    execute(&database, buckets, support::clock().now()).await;
    support::clock().drives(&database);
    let connection = database.connection().await;
    let full = [remove_full(&connection, 1).await.unwrap(), remove_full(&connection, 4).await.unwrap()];
    assert_eq!(full, [1, 1], "that of a minute ago and that of now");
    let mut excess = Vec::new();
    for _ in 0..3 {
        excess.push(remove_excess(&connection, 3, 4).await.unwrap());
    }
    assert_eq!(excess, [4, 1, 0]);
    let left = names(&database, "select caller as name from rate_limits order by caller").await;
    assert_eq!(left, ["caller 6", "caller 7", "caller 8", "other 1", "other 2", "other 3"]);
}

#[tokio::test]
async fn sweeps_go_on_after_a_clock_that_was_ahead_has_gone_back() {
    let database = support::database().await;
    let _timers = StoppedTimers::now();
    let clock = support::clock();
    clock.advance(SignedDuration::from_hours(24));
    let first = support::system(&database, clock.clone()).await;
    assert_eq!(first.handles().observe_all().await["janitor"]["sweeps"]["stories"], 1);
    assert!(first.drain(Duration::from_secs(30)).await);
    clock.advance(SignedDuration::from_hours(-24));
    let second = support::system(&database, clock.clone()).await;
    assert_eq!(second.handles().observe_all().await["janitor"]["sweeps"]["stories"], 1);
}

#[tokio::test]
async fn how_long_the_audit_trail_of_accounts_is_kept_is_a_setting() {
    let database = support::database().await;
    let _timers = StoppedTimers::now();
    let clock = support::clock();
    for (name, age) in [("due", days(8)), ("kept", days(6))] {
        let event = format!("insert into account_audit (event, status, created_at) values ('{name}', 'failure', $1)");
        execute(&database, &event, clock.now() - age).await;
    }
    let params = support::system_params(&database, clock.clone());
    let system =
        support::system_with(Params { retention: Retention { account_audit: days(7), ..Retention::default() }, ..params }).await;
    system.handles().observe_all().await;
    assert_eq!(names(&database, "select event as name from account_audit").await, ["kept"]);
    let counted = "select event || ' ' || day || ' ' || entries as name from account_audit_counts where client_id = ''";
    assert_eq!(names(&database, counted).await, ["kept 2026-02-23 1"], "a day that is over is counted");
}
