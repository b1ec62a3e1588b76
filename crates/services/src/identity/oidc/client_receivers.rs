//! Makes the receivers of what clients are told follow the configuration, at each start.

use crypto::seal::Seal;
use domain::{
    identity::oidc::{Client, Clients, NoticeKind},
    shared::{Fault, SharedEntropy},
};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use storage::{
    Result as StoreResult, Store, Tx,
    identity::oidc::client_receivers::{self, ClientReceiver},
    shared::receivers::{self, NewReceiver},
    transact,
};

/// How long deliveries are signed with the former secret as well, after a client got another one.
const SECRET_OVERLAP: SignedDuration = SignedDuration::from_hours(24);

/// Seals the secrets of receivers.
pub struct ReceiverSeal {
    /// The seal of deliveries.
    pub seal: Seal,
    /// The purpose that it is given.
    pub purpose: &'static str,
    pub entropy: SharedEntropy,
}

/// Gives each client the receivers that its configuration names, and closes those of clients and URLs that
/// are gone. `webhook_secret` is the key of a client's webhooks.
pub async fn synchronise(
    store: &Store,
    clients: &Clients,
    webhook_secret: impl Fn(&Client) -> SecretString,
    seal: ReceiverSeal,
    at: Timestamp,
) -> Result<(), Fault> {
    let wanted = clients.iter().flat_map(|client| {
        let logout = client.backchannel_logout_uri.as_ref().map(|url| DesiredReceiver::new(client, NoticeKind::Logout, url, None));
        let account = client.webhook_url.as_ref();
        let account = account.map(|url| DesiredReceiver::new(client, NoticeKind::Account, url, Some(webhook_secret(client))));
        logout.into_iter().chain(account)
    });
    let target = &Synchronise { wanted: wanted.collect(), seal, at };
    Ok(transact!(store, "client_receivers.synchronise", async |tx| { target.run(tx).await }).await?)
}

/// A receiver that there should be.
struct DesiredReceiver {
    client: Arc<str>,
    kind: NoticeKind,
    url: String,
    secret: Option<SecretString>,
}

impl DesiredReceiver {
    fn new(client: &Client, kind: NoticeKind, url: &str, secret: Option<SecretString>) -> Self {
        Self { client: client.id.as_str().into(), kind, url: url.to_owned(), secret }
    }

    fn is(&self, receiver: &ClientReceiver) -> bool {
        *self.client == receiver.client_id && self.kind == receiver.kind
    }
}

struct Synchronise {
    wanted: Vec<DesiredReceiver>,
    seal: ReceiverSeal,
    at: Timestamp,
}

impl Synchronise {
    async fn run(&self, tx: &Tx<'_>) -> StoreResult<()> {
        let present = client_receivers::lock_all(tx).await?;
        for receiver in &present {
            if let Some(wanted) = self.wanted.iter().find(|wanted| wanted.is(receiver)) {
                self.update(tx, receiver, wanted).await?;
            } else {
                client_receivers::remove(tx, receiver.receiver).await?;
                receivers::close(tx, receiver.receiver, self.at).await?;
            }
        }
        for wanted in self.wanted.iter().filter(|wanted| !present.iter().any(|receiver| wanted.is(receiver))) {
            let secret = self.seal(wanted)?;
            let (kind, owner, url) = (wanted.kind.into_str(), &*wanted.client, &*wanted.url);
            let new = NewReceiver { kind, owner, url, secret: secret.as_deref(), active: true, at: self.at };
            let receiver = receivers::insert(tx, &new).await?;
            client_receivers::insert(tx, &wanted.client, wanted.kind, receiver).await?;
        }
        Ok(())
    }

    async fn update(&self, tx: &Tx<'_>, receiver: &ClientReceiver, wanted: &DesiredReceiver) -> StoreResult<()> {
        if receiver.url != wanted.url {
            receivers::update(tx, receiver.receiver, &wanted.url, true).await?;
        }
        if self.has_other_secret(receiver, wanted)
            && let Some(sealed) = self.seal(wanted)?
        {
            let previous_until = self.at.checked_add(SECRET_OVERLAP).unwrap_or(self.at);
            receivers::rotate(tx, receiver.receiver, &sealed, previous_until).await?;
        }
        Ok(())
    }

    /// A secret that cannot be opened, because `APP_SECRET` changed, is another one too.
    fn has_other_secret(&self, receiver: &ClientReceiver, wanted: &DesiredReceiver) -> bool {
        let Some(secret) = &wanted.secret else { return false };
        let stored = receiver.secret.as_deref().and_then(|sealed| self.seal.seal.open(self.seal.purpose, sealed).ok());
        stored.is_none_or(|stored| stored.expose_secret() != secret.expose_secret().as_bytes())
    }

    fn seal(&self, wanted: &DesiredReceiver) -> Result<Option<Vec<u8>>, Fault> {
        let ReceiverSeal { seal, purpose, entropy } = &self.seal;
        let sealed = wanted.secret.as_ref().map(|secret| seal.seal(purpose, secret.expose_secret().as_bytes(), entropy.as_ref()));
        sealed.transpose()
    }
}
