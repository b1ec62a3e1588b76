//! Holding back the end of imports: how fast the machine is does not decide what is tested.

use storage::connect::{self, Target};
use tokio_postgres::Client;

/// The advisory lock that the end of an import waits for.
const LOCK: i64 = 4_711;

/// The last step of imports, held back.
pub struct End(Client);

impl End {
    /// No import ends in that database from now on.
    pub async fn held(target: &Target) -> Self {
        let (client, _) = connect::single(target, "").await.unwrap();
        let database: String = client.query_one("select current_database()", &[]).await.unwrap().get(0);
        // A server that was killed while it waits here lets go of the row at once, not only when it would have been its turn.
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

    /// From now on those that wait may end.
    pub async fn let_go(self) {
        self.0.batch_execute(&format!("select pg_advisory_unlock({LOCK})")).await.unwrap();
    }
}
