//! Device codes: what a device asks for tokens with until a person has decided on another device (RFC 8628).

use super::{
    Client, GrantType, Scope,
    authorization_request::{PromptValue, checked_scope, resources},
    error::{access_denied, authorization_pending, expired_token, invalid_grant, slow_down, unauthorized_client},
};
use crate::shared::{Fault, Parameters};
use jiff::{SignedDuration, Timestamp};
use strum::{EnumString, IntoStaticStr};

/// How long a client waits between two requests for tokens, in seconds (RFC 8628, section 3.2).
pub const INTERVAL: u32 = 5;
/// How much longer it waits after each request that came too early (RFC 8628, section 3.5).
const SLOWER_BY: u32 = 5;
/// The longest wait: no device code lives longer.
const MAX_INTERVAL: u32 = 600;

/// What a person has decided about a device. Its name is in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum Decision {
    /// It may have tokens.
    Allowed,
    Denied,
}

/// The state of a device code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceCodeState {
    /// What the person has decided, once that has happened.
    pub decision: Option<Decision>,
    /// Whether tokens were issued for it.
    pub is_used: bool,
    pub expires_at: Timestamp,
    /// When the client asked last.
    pub polled_at: Option<Timestamp>,
    /// How long it has to wait between two requests, in seconds.
    pub interval: u32,
}

/// What a client is answered that asks for tokens.
#[derive(Debug, Clone)]
pub enum Poll {
    /// Tokens: the person has allowed it.
    Allowed,
    /// That it has to ask again, and how long it has to wait from now on, in seconds.
    Again {
        /// `authorization_pending` or `slow_down`.
        fault: Fault,
        interval: u32,
    },
    /// That it has to stop asking.
    Refused(Fault),
}

impl DeviceCodeState {
    /// Decides about a request for tokens.
    pub fn poll(&self, now: Timestamp) -> Poll {
        if self.is_used {
            return Poll::Refused(invalid_device_code());
        }
        if self.expires_at <= now {
            return Poll::Refused(expired_token());
        }
        match self.decision {
            Some(Decision::Allowed) => Poll::Allowed,
            Some(Decision::Denied) => Poll::Refused(denied()),
            None if self.is_too_early(now) => {
                Poll::Again { fault: slow_down(), interval: self.interval.saturating_add(SLOWER_BY).min(MAX_INTERVAL) }
            }
            None => Poll::Again { fault: authorization_pending(), interval: self.interval },
        }
    }

    fn is_too_early(&self, now: Timestamp) -> bool {
        self.polled_at.is_some_and(|polled_at| now.duration_since(polled_at) < SignedDuration::from_secs(self.interval.into()))
    }
}

/// `access_denied`: the person refused, or what the person had allowed is not valid any more (RFC 8628,
/// section 3.5).
pub fn denied() -> Fault {
    access_denied("The person has denied the device access")
}

/// `invalid_grant`: the code is none, was used, or is that of another client. The same for every reason.
pub fn invalid_device_code() -> Fault {
    invalid_grant("The device code is unknown, was used before, or is not for this client")
}

/// What a device asks for: scope and resources. The person is always asked for consent, so that every client
/// may ask for `offline_access`.
pub fn requested(parameters: &Parameters, client: &Client, known_resources: &[String]) -> Result<(Scope, Vec<String>), Fault> {
    if !client.allows_grant(GrantType::DeviceCode) {
        return Err(unauthorized_client("The client may not use device codes"));
    }
    parameters.refuse_repeated(&["resource"])?;
    Ok((checked_scope(parameters, client, &[PromptValue::Consent])?, resources(parameters, known_resources)?))
}

#[cfg(test)]
mod tests {
    use super::{Decision, DeviceCodeState, INTERVAL, MAX_INTERVAL, Poll};
    use crate::shared::Parameters;
    use jiff::{SignedDuration, Timestamp};

    fn at(seconds: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
    }

    fn pending() -> DeviceCodeState {
        DeviceCodeState { decision: None, is_used: false, expires_at: at(600), polled_at: None, interval: INTERVAL }
    }

    /// The error, and the wait from now on.
    fn answer(state: DeviceCodeState, seconds: i64) -> (&'static str, Option<u32>) {
        match state.poll(at(seconds)) {
            Poll::Allowed => ("", None),
            Poll::Again { fault, interval } => (fault.code.name(), Some(interval)),
            Poll::Refused(fault) => (fault.code.name(), None),
        }
    }

    #[test]
    fn a_client_that_asks_too_often_waits_longer_each_time() {
        let polled = |seconds, interval| DeviceCodeState { polled_at: Some(at(seconds)), interval, ..pending() };
        for (state, now, expected) in [
            (pending(), 0, ("authorization_pending", 5)),
            (polled(10, 5), 15, ("authorization_pending", 5)),
            (polled(10, 5), 14, ("slow_down", 10)),
            (polled(10, 10), 19, ("slow_down", 15)),
            (polled(10, 15), 25, ("authorization_pending", 15)),
            // Another process, whose clock is ahead.
            (polled(12, 5), 10, ("slow_down", 10)),
            (polled(10, MAX_INTERVAL), 20, ("slow_down", MAX_INTERVAL)),
        ] {
            assert_eq!(answer(state, now), (expected.0, Some(expected.1)), "{state:?} at {now}");
        }
    }

    #[test]
    fn a_decision_is_told_until_the_code_is_used_or_expires() {
        let decided = |decision| DeviceCodeState { decision: Some(decision), polled_at: Some(at(0)), ..pending() };
        let used = DeviceCodeState { is_used: true, ..decided(Decision::Allowed) };
        for (state, now, error) in [
            (decided(Decision::Allowed), 1, ""),
            (decided(Decision::Allowed), 599, ""),
            (decided(Decision::Allowed), 600, "expired_token"),
            (decided(Decision::Denied), 1, "access_denied"),
            (decided(Decision::Denied), 600, "expired_token"),
            (pending(), 600, "expired_token"),
            (used, 1, "invalid_grant"),
            (used, 700, "invalid_grant"),
        ] {
            assert_eq!(answer(state, now), (error, None), "{state:?} at {now}");
        }
    }

    #[test]
    fn a_decision_is_stored_by_name() {
        for (decision, name) in [(Decision::Allowed, "allowed"), (Decision::Denied, "denied")] {
            assert_eq!((decision.into_str(), name.parse()), (name, Ok(decision)));
        }
        assert!("pending".parse::<Decision>().is_err());
    }

    #[test]
    fn a_device_asks_for_what_its_client_may_have() {
        let ask = |grants: &str, pairs: &[(&str, &str)]| {
            let client = format!(r#"[{{"clientId":"tv","scopes":["openid","email","offline_access"],"grantTypes":{grants}}}]"#);
            let clients = crate::identity::oidc::Clients::parse(&client).unwrap();
            let parameters = Parameters::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
            let client = clients.iter().next().unwrap();
            super::requested(&parameters, client, &["https://api.example".to_owned()])
                .map(|(scope, resources)| (scope.to_string(), resources.len()))
                .map_err(|fault| fault.code.name())
        };
        let device = r#"["urn:ietf:params:oauth:grant-type:device_code","refresh_token"]"#;
        let all = [("scope", "openid email phone offline_access"), ("resource", "https://api.example")];
        assert_eq!(ask(device, &all), Ok(("openid email offline_access".into(), 1)));
        assert_eq!(ask(device, &[("scope", "openid"), ("scope", "email")]), Err("repeatedParameter"));
        assert_eq!(ask(device, &[("scope", "openid"), ("resource", "https://other.example")]), Err("invalid_target"));
        assert_eq!(ask(r#"["client_credentials"]"#, &all), Err("unauthorized_client"));
    }
}
