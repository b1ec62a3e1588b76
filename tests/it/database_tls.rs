//! TLS to a configured database: encrypted where the URL asks for it, and only with a certificate of a known
//! authority.

use support::{
    postgres_server::{EMPTY, PostgresServer},
    prelude::*,
    server::refusal,
};
use tokio_postgres::NoTls;

/// Creates a certificate authority, a certificate for localhost and a cluster.
const WITH_CERTIFICATE: &str = "
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout server.key -out server.csr
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out server.pem
";

struct Postgres(PostgresServer);

async fn postgres() -> Postgres {
    let directory = scratch();
    let files = ["ssl_cert_file", "ssl_key_file"].into_iter().zip(["server.pem", "server.key"]);
    let files: Vec<String> = files.map(|(setting, file)| format!("{setting}={}", directory.path().join(file).display())).collect();
    let settings = ["ssl=on", &files[0], &files[1]];
    Postgres(PostgresServer::prepared(directory, &format!("{WITH_CERTIFICATE}{EMPTY}"), &settings).await)
}

impl Postgres {
    fn url(&self, mode: &str) -> String {
        format!("postgres://lectern@localhost:{}/postgres?sslmode={mode}", self.0.address.port())
    }

    /// For each connection of the server, whether it is encrypted.
    async fn encrypted(&self) -> Vec<bool> {
        let (client, connection) = tokio_postgres::connect(&self.url("disable"), NoTls).await.unwrap();
        let sql = "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'lectern%'";
        tokio::select! {
            rows = client.query(sql, &[]) => rows.unwrap().iter().map(|row| row.get("ssl")).collect(),
            ended = connection => panic!("the connection ended: {ended:?}"),
        }
    }
}

#[tokio::test]
async fn connections_are_encrypted_on_request_and_only_with_a_known_certificate() {
    let postgres = postgres().await;
    let authority = postgres.0.directory.path().join("ca.pem");
    let data = scratch();
    for (mode, expected) in [("require", true), ("verify-full", true), ("disable", false)] {
        let variables = [("APP_DATABASE_URL", postgres.url(mode)), ("SSL_CERT_FILE", authority.display().to_string())];
        let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
        let server = Server::start(data.path(), &variables).await;
        assert_eq!(server.get("/api/ready").await, 200, "so at least one connection is in use");
        let encrypted = postgres.encrypted().await;
        assert!(!encrypted.is_empty() && encrypted.iter().all(|e| *e == expected), "{mode}: {encrypted:?}");
        server.stop().await;
    }
    let url = postgres.url("require");
    let said = refusal(&[("APP_DATABASE_URL", &url), ("APP_DATA_DIR", data.path().to_str().unwrap())]).await;
    assert!(said.contains("certificate"), "{said}");
}
