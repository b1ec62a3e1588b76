//! What a use case knows of the request that causes it, whatever protocol brought the request.

use domain::{
    identity::device::{self, Recognition},
    shared::{Fault, RequestOrigin, SessionId, UserId},
};
use jiff::Timestamp;
use std::net::IpAddr;
use storage::{
    Executor,
    identity::{
        AuditSource,
        known_devices::{self, Device},
        one_time::Hash,
    },
};
use uuid::Uuid;

/// The longest `User-Agent` that is stored, in characters.
const MAX_USER_AGENT: usize = 300;

/// What a use case knows of the request that causes it.
#[derive(Debug, Clone)]
pub struct RequestContext {
    /// The caller's address, behind trusted proxies.
    pub ip: IpAddr,
    /// What the audit trail records: address, request id, browser and time.
    pub source: AuditSource,
    /// The token of the browser's device cookie, if the cookie has the form of one.
    pub device_token: Option<String>,
    /// What the browser is recognised by.
    pub device: Device,
    /// The active session that the browser holds, of whatever account. A sign-in ends it.
    pub former_session: Option<SessionId>,
}

/// What a [`RequestContext`] is made from.
#[derive(Debug, Clone, Copy)]
pub struct RequestParts<'a> {
    /// The caller's address, behind trusted proxies.
    pub ip: IpAddr,
    /// The request's id, as answered in `X-Request-Id`.
    pub request_id: Uuid,
    /// The `User-Agent` as it was sent.
    pub user_agent: Option<&'a str>,
    /// The value of the device cookie as it was sent.
    pub device_cookie: Option<&'a str>,
    /// The active session that the browser holds, where the request may sign in.
    pub former_session: Option<SessionId>,
    /// The time that everything the request writes carries.
    pub at: Timestamp,
}

impl RequestContext {
    /// Reads the parts: the device cookie is looked at, and the `User-Agent` is cut to what may be stored.
    pub fn new(parts: RequestParts<'_>) -> Self {
        let RequestParts { ip, request_id, user_agent, device_cookie, former_session, at } = parts;
        let hash = device_cookie.and_then(crypto::opaque_token::hash);
        Self {
            ip,
            source: AuditSource {
                origin: RequestOrigin { ip: Some(ip), request_id: Some(request_id) },
                user_agent: user_agent.map(|text| text.chars().take(MAX_USER_AGENT).collect()),
                at,
            },
            device_token: device_cookie.filter(|_| hash.is_some()).map(str::to_owned),
            device: Device { hash, browser: device::browser(user_agent).to_string(), network: Some(device::network(ip)) },
            former_session,
        }
    }

    /// The time of the request.
    pub fn at(&self) -> Timestamp {
        self.source.at
    }

    /// The hash of the device cookie, if the account has recognised the browser by it: such a browser has
    /// lockout counters of its own.
    pub(super) fn known_browser(&self, recognition: Recognition) -> Option<&Hash> {
        self.device.hash.as_ref().filter(|_| recognition.by_cookie)
    }

    /// What an account knows of the browser.
    pub(super) async fn recognised_by(&self, executor: &impl Executor, user: UserId) -> Result<Recognition, Fault> {
        Ok(known_devices::recognise(executor, user, &self.device, self.at()).await?)
    }
}
