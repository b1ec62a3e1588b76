//! The browser that a request comes from: what it is known by.

use super::Identity;
use crate::web::{ApiRequest, cookie};
use domain::{
    identity::device::{self, Recognition},
    shared::{Fault, UserId},
};
use http::header;
use storage::identity::{
    known_devices::{self, Device},
    one_time::Hash,
};

/// A browser.
pub(super) struct Browser {
    /// The token in its cookie, if it has one that could be ours.
    pub(super) token: Option<String>,
    /// What it is known by.
    pub(super) device: Device,
}

impl Browser {
    /// Of a request.
    pub(super) fn of(identity: &Identity, request: &ApiRequest) -> Self {
        let token = cookie::find(&request.headers, identity.sessions.cookies().device());
        let hash = token.and_then(crypto::link::hash);
        let device = Device {
            hash,
            browser: device::browser(request.header(header::USER_AGENT)),
            network: Some(device::network(request.meta.ip)),
        };
        Self { token: token.filter(|_| hash.is_some()).map(str::to_owned), device }
    }

    /// What names it, for an account that knows it by its cookie: such a browser has counts of its own.
    pub(super) fn hash_if(&self, recognition: Recognition) -> Option<&Hash> {
        self.device.hash.as_ref().filter(|_| recognition.by_cookie)
    }

    /// What is known of it to an account.
    pub(super) async fn recognised_by(&self, identity: &Identity, user: UserId) -> Result<Recognition, Fault> {
        let connection = identity.ctx.store.connection("known_devices.recognise").await?;
        Ok(known_devices::recognise(&connection, user, &self.device, identity.ctx.clock.now()).await?)
    }
}
