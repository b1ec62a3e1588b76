//! The audit log: append-only, without a gap, complete, and only about commands that were committed.

use actors::content::SpaceRouter;
use crypto::{keys::Keys, preview::DeliveryKeys};
use domain::{
    content::{SpaceSettings, audit::AuditFilter, component::ComponentChange},
    shared::{Actor, PageRequest, RequestOrigin, SpaceId, UserId},
};
use services::content::{
    Authorized,
    components::CreateComponent,
    spaces::{DeleteSpace, create_space},
};
use storage::content::{audit_log, commit_log::AuditContext};
use support::{TestClock, prelude::*};

struct World {
    database: Database,
    spaces: SpaceRouter,
    space: SpaceId,
}

async fn world(clock: &Arc<TestClock>) -> World {
    let (database, space) = space(clock).await;
    let spaces = support::system(&database, clock.clone()).await.handles().spaces.clone();
    World { database, spaces, space }
}

/// A database with one space, and nothing that works on it.
async fn space(clock: &Arc<TestClock>) -> (Database, SpaceId) {
    let database = support::database().await;
    let owner = UserId(Uuid::from_u128(1));
    let insert = "insert into users (id, email, first_name, locale, created_at) values ($1, 'a@example.com', 'A', 'en', $2)";
    database.execute(insert, &[&owner.0, &clock.now()]).await;
    let audit = AuditContext { actor: Actor::system("test"), origin: RequestOrigin::default(), at: clock.now() };
    let settings = SpaceSettings { name: "Space".into(), ..SpaceSettings::default() };
    let (entropy, hasher) = (support::entropy(3), DeliveryKeys::new(&Keys::new(vec![7; 32].into())));
    let created = create_space(&database.store, entropy.as_ref(), &hasher, &settings, Some(owner), &audit).await.unwrap();
    (database, created.id)
}

async fn entries(database: &Database, space: SpaceId) -> Vec<(i64, String, String)> {
    let connection = database.connection().await;
    let page = PageRequest { page: 1, per_page: 1000 };
    let found = audit_log::list(&connection, space, &AuditFilter::default(), page).await.unwrap();
    assert_eq!(i64::try_from(found.items.len()).unwrap(), found.total);
    found.items.into_iter().map(|item| (item.id, item.action, item.target.label)).collect()
}

impl World {
    async fn entries(&self) -> Vec<(i64, String, String)> {
        entries(&self.database, self.space).await
    }

    async fn create_component(&self, name: &str) -> Result<(), domain::shared::Fault> {
        let change: ComponentChange = serde_json::from_value(serde_json::json!({ "name": name })).unwrap();
        self.spaces.execute(Authorized::for_command_line(self.space), CreateComponent(change)).await.map(drop)
    }
}

#[tokio::test]
async fn the_database_refuses_to_change_or_remove_entries() {
    // Without actors: `truncate` locks every table, and what reads two of them meanwhile could end it as a
    // deadlock.
    let (database, space) = space(&support::clock()).await;
    let before = entries(&database, space).await;
    assert_eq!(before.len(), 1);

    let connection = database.connection().await;
    for statement in [
        "update audit_log set action = 'nothing.happened'",
        "update audit_log set seq = seq + 1",
        "delete from audit_log",
        "truncate audit_log",
        "truncate spaces cascade",
        "delete from spaces",
    ] {
        let refused = connection.execute(statement, &[]).await.unwrap_err();
        assert!(refused.to_string().contains("append-only") || refused.to_string().contains("30 days"), "{statement}: {refused}");
    }
    assert_eq!(entries(&database, space).await, before);
}

#[tokio::test]
async fn a_space_leaves_with_its_log_when_its_grace_has_passed_and_not_before() {
    let clock = support::clock();
    let world = world(&clock).await;
    world.spaces.execute(Authorized::for_command_line(world.space), DeleteSpace).await.unwrap();
    let connection = world.database.connection().await;

    connection.execute("update spaces set deleted_at = now() - interval '29 days'", &[]).await.unwrap();
    assert!(connection.execute("delete from spaces", &[]).await.is_err());
    assert!(connection.execute("delete from audit_log", &[]).await.is_err());
    connection.execute("update spaces set deleted_at = now() - interval '31 days'", &[]).await.unwrap();
    assert_eq!(connection.execute("delete from spaces", &[]).await.unwrap(), 1);
    assert_eq!(world.entries().await, []);
}

#[tokio::test]
async fn fifty_writes_at_once_leave_fifty_entries_without_a_gap_and_refused_ones_leave_none() {
    let clock = support::clock();
    let world = Arc::new(world(&clock).await);
    world.create_component("taken").await.unwrap();

    let mut writers = tokio::task::JoinSet::new();
    for number in 0..50 {
        let (first, second) = (world.clone(), world.clone());
        writers.spawn(async move { first.create_component(&format!("component {number}")).await.map(|()| number) });
        writers.spawn(async move { second.create_component("taken").await.map(|()| -1) });
    }
    let outcomes = writers.join_all().await;
    let done: BTreeSet<i32> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok().copied()).collect();
    assert_eq!(done, (0..50).collect(), "each new name is written and the taken one never");

    let entries = world.entries().await;
    let numbers: Vec<i64> = entries.iter().map(|entry| entry.0).collect();
    assert_eq!(numbers, (1..=52).rev().collect::<Vec<_>>(), "newest first, gapless: the space, the first component, fifty more");
    let named: BTreeSet<&str> =
        entries.iter().filter(|entry| entry.1 == "component.create").map(|entry| entry.2.as_str()).collect();
    assert_eq!(named.len(), 51, "one entry for each acknowledged write");
}
