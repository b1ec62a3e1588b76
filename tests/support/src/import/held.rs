//! Holds back the end of imports, so that tests do not depend on the speed of the machine.

use storage::connect::{self, DatabaseTarget};
use tokio_postgres::Client;

/// The advisory lock for which the end of an import waits.
const LOCK: i64 = 4_711;

/// The held end of imports.
pub struct End(Client);

impl End {
    /// Holds the end of all imports of a database from now on.
    pub async fn held(target: &DatabaseTarget) -> Self {
        let (client, _) = connect::single(target, "").await.unwrap();
        let database: String = client.query_one("select current_database()", &[]).await.unwrap().get(0);
        // The session of a server that is killed while it waits here ends at once and releases its row lock.
        let sql = format!(
            "alter database {database} set client_connection_check_interval = '20ms';
             create function hold_end() returns trigger language plpgsql as
                 $$ begin perform pg_advisory_xact_lock_shared({LOCK}); return new; end $$;
             create trigger held before update on import_jobs for each row
                 when (old.finished_at is null and new.finished_at is not null) execute function hold_end();
             select pg_advisory_lock({LOCK})"
        );
        client.batch_execute(&sql).await.unwrap();
        Self(client)
    }

    /// Lets imports end.
    pub async fn let_go(self) {
        self.0.batch_execute(&format!("select pg_advisory_unlock({LOCK})")).await.unwrap();
    }
}
