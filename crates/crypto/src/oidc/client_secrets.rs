//! The secrets of clients. They are not stored: each is derived from a master secret
//! (`APP_CLIENT_SECRET_MASTER`) by HKDF-SHA256 (RFC 5869) with the id of the client and a version, so that an
//! administrator can read it again and every process knows it.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::identity::oidc::Client;
use hkdf::Hkdf;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// Derives the secrets of all clients.
#[derive(Clone)]
pub struct ClientSecrets {
    current: Master,
    /// The master before the current one: secrets that were derived from it are still accepted.
    previous: Option<Master>,
}

impl ClientSecrets {
    /// The secrets of a master, and of the master before while clients move to new secrets.
    pub fn new(master: &[u8], previous: Option<&[u8]>) -> Self {
        Self { current: Master::new(master), previous: previous.map(Master::new) }
    }

    /// The secret that a client authenticates with: the configured one, or else the derived one.
    pub fn secret(&self, client: &Client) -> SecretString {
        client.secret.clone().unwrap_or_else(|| self.current.client_secret(&client.id, client.secret_version))
    }

    /// The key of a client's webhook signatures: the configured one, or else the derived one.
    pub fn webhook_secret(&self, client: &Client) -> SecretString {
        client.webhook_secret.clone().unwrap_or_else(|| self.current.webhook_secret(&client.id, client.secret_version))
    }

    /// Whether a client may authenticate with this secret now. It takes as long for a wrong secret as for a
    /// right one, whatever they have in common.
    pub fn accepts(&self, client: &Client, presented: &str, now: Timestamp) -> bool {
        let presented = Sha256::digest(presented.as_bytes());
        let is_presented = |secret: &SecretString| Sha256::digest(secret.expose_secret().as_bytes()).ct_eq(&presented);
        if let Some(secret) = &client.secret {
            return is_presented(secret).into();
        }
        let in_grace = client.secret_grace_until.is_some_and(|until| now < until);
        let versions = [Some(client.secret_version), client.secret_version.checked_sub(1).filter(|_| in_grace)];
        let masters = [Some(&self.current), self.previous.as_ref()];
        let mut is_accepted = Choice::from(0);
        for master in masters.into_iter().flatten() {
            for version in versions.into_iter().flatten() {
                is_accepted |= is_presented(&master.client_secret(&client.id, version));
            }
        }
        is_accepted.into()
    }
}

/// A master secret, after the first half of HKDF.
#[derive(Clone)]
struct Master {
    clients: Hkdf<Sha256>,
    webhooks: Hkdf<Sha256>,
}

impl Master {
    fn new(secret: &[u8]) -> Self {
        let extract = |salt: &str| Hkdf::new(Some(salt.as_bytes()), secret);
        Self { clients: extract("identity/client-secret/v1"), webhooks: extract("identity/webhook-secret/v1") }
    }

    fn client_secret(&self, id: &str, version: u32) -> SecretString {
        expand(&self.clients, "client_secret", id, version)
    }

    fn webhook_secret(&self, id: &str, version: u32) -> SecretString {
        expand(&self.webhooks, "webhook", id, version)
    }
}

/// 32 bytes in base64url, which need no encoding in HTTP Basic.
fn expand(hkdf: &Hkdf<Sha256>, purpose: &str, id: &str, version: u32) -> SecretString {
    let mut secret = [0; 32];
    let expanded = hkdf.expand(format!("{purpose}\0{id}\0{version}").as_bytes(), &mut secret);
    assert!(expanded.is_ok(), "32 bytes are always within HKDF's bound of 255 blocks");
    BASE64_URL_SAFE_NO_PAD.encode(secret).into()
}

#[cfg(test)]
mod tests {
    use super::ClientSecrets;
    use domain::identity::oidc::{Client, Clients};
    use jiff::Timestamp;
    use secrecy::ExposeSecret;

    const MASTER: &[u8] = b"0123456789abcdef0123456789abcdef";
    const OTHER: &[u8] = b"another master secret of 32 bytes";

    fn client(id: &str, rest: &str) -> Client {
        let json = format!(r#"[{{"clientId":"{id}","redirectUris":["https://a.example/cb"]{rest}}}]"#);
        Client::clone(Clients::parse(&json).unwrap().find(id).unwrap())
    }

    fn at(time: &str) -> Timestamp {
        time.parse().unwrap()
    }

    #[test]
    fn derived_secrets_are_those_of_the_vectors() {
        let secrets = ClientSecrets::new(MASTER, None);
        for (id, rest, secret) in [
            ("web-app", "", "5fMdDkFmFPIFh9FuXPrFqUzrdQa2qlM6XAn8Uno7hfs"),
            ("web-app", r#","secretVersion":2"#, "K6iBzzOfcEVA5aq7wGq3fA4XplQwiXoF-jA77CcMbfo"),
            ("cms", "", "DQmtd2FKO9fAyv4Fik2LKSbKpddjQxhKAZi2yLiNrzI"),
        ] {
            let client = client(id, rest);
            assert_eq!(secrets.secret(&client).expose_secret(), secret);
            assert!(secrets.accepts(&client, secret, at("2026-01-01T00:00:00Z")));
        }
        assert_eq!(secrets.webhook_secret(&client("web-app", "")).expose_secret(), "ZMPkRfLtRkPAmhz3Mgs1vJa0TD7paB6manfhWneN-eQ");
    }

    #[test]
    fn every_client_version_and_master_has_secrets_of_its_own() {
        let (one, other) = (ClientSecrets::new(MASTER, None), ClientSecrets::new(OTHER, None));
        let (web, cms, web2) = (client("web", ""), client("cms", ""), client("web", r#","secretVersion":2"#));
        let all = [one.secret(&web), one.secret(&cms), one.secret(&web2), other.secret(&web), one.webhook_secret(&web)];
        let different: std::collections::HashSet<&str> = all.iter().map(ExposeSecret::expose_secret).collect();
        assert_eq!(different.len(), all.len());
        for secret in all.iter().skip(1) {
            assert!(!one.accepts(&web, secret.expose_secret(), at("2026-01-01T00:00:00Z")));
        }
    }

    #[test]
    fn the_version_before_is_accepted_until_its_grace_ends() {
        let secrets = ClientSecrets::new(MASTER, None);
        let new = client("web", r#","secretVersion":3,"secretGraceUntil":"2026-12-01T00:00:00Z""#);
        let [old, older] = [2, 1].map(|version| secrets.secret(&client("web", &format!(r#","secretVersion":{version}"#))));
        let accepts = |secret: &secrecy::SecretString, time| secrets.accepts(&new, secret.expose_secret(), at(time));
        assert!(accepts(&secrets.secret(&new), "2027-01-01T00:00:00Z"));
        assert!(accepts(&old, "2026-11-30T23:59:59Z") && !accepts(&old, "2026-12-01T00:00:00Z"));
        assert!(!accepts(&older, "2026-11-30T23:59:59Z"));
    }

    #[test]
    fn secrets_of_the_previous_master_are_accepted_while_it_is_named() {
        let web = client("web", "");
        let old = ClientSecrets::new(MASTER, None).secret(&web);
        let now = at("2026-01-01T00:00:00Z");
        let rotating = ClientSecrets::new(OTHER, Some(MASTER));
        assert!(rotating.accepts(&web, old.expose_secret(), now));
        assert!(rotating.accepts(&web, rotating.secret(&web).expose_secret(), now));
        assert!(!ClientSecrets::new(OTHER, None).accepts(&web, old.expose_secret(), now));
    }

    #[test]
    fn a_configured_secret_replaces_the_derived_ones() {
        let secrets = ClientSecrets::new(MASTER, None);
        let web = client(
            "web",
            r#","clientSecret":"brought from elsewhere","webhookUrl":"https://a.example/","webhookSecret":"that one as well""#,
        );
        let derived = secrets.secret(&client("web", ""));
        let now = at("2026-01-01T00:00:00Z");
        assert!(secrets.accepts(&web, "brought from elsewhere", now));
        assert!(!secrets.accepts(&web, derived.expose_secret(), now));
        assert!(!secrets.accepts(&web, "brought from elsewherf", now) && !secrets.accepts(&web, "", now));
        assert_eq!(secrets.secret(&web).expose_secret(), "brought from elsewhere");
        assert_eq!(secrets.webhook_secret(&web).expose_secret(), "that one as well");
    }
}
