//! The parameters of a list of the accounts' audit trail.

use super::page::read_page;
use crate::{
    identity::FieldErrors,
    shared::{Code, Detail, Fault, FieldCode, PageRequest, Parameters, UserId, timestamp},
};
use jiff::{SignedDuration, Timestamp, civil::Date};
use std::{fmt, net::IpAddr};
use strum::{EnumString, IntoStaticStr, VariantNames};

/// The longest name of an event.
const MAX_EVENT: usize = 100;
/// The longest id of a client.
const MAX_CLIENT: usize = 255;

/// Which events are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventFilter {
    Exact(String),
    /// Those whose name begins so: `admin.*`.
    Prefix(String),
}

impl fmt::Display for EventFilter {
    /// As it is sent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(name) => f.write_str(name),
            Self::Prefix(beginning) => write!(f, "{beginning}*"),
        }
    }
}

/// How an attempt went. Its name is in rows and on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum AuditStatus {
    Success,
    Failure,
}

/// A request for a page of the trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditQuery {
    /// `event`.
    pub event: Option<EventFilter>,
    /// `status`.
    pub status: Option<AuditStatus>,
    /// `client`: what was done at this client, or by it.
    pub client: Option<String>,
    /// `ip`: the address of the caller.
    pub ip: Option<IpAddr>,
    /// `user`: what this account did, and what was done to it.
    pub user: Option<UserId>,
    /// `from`, inclusive.
    pub from: Option<Timestamp>,
    /// The end of `to`, which is inclusive: entries are before this.
    pub before: Option<Timestamp>,
    /// `page` and `perPage`.
    pub page: PageRequest,
}

impl AuditQuery {
    /// What an account did, and what was done to it.
    pub fn of_user(user: UserId, page: PageRequest) -> Self {
        Self { event: None, status: None, client: None, ip: None, user: Some(user), from: None, before: None, page }
    }

    /// Reads the parameters. An empty one counts as left out. 400 `validation` names every invalid one;
    /// `from` when it is later than `to`.
    pub fn read(parameters: &Parameters) -> Result<Self, Fault> {
        let mut errors = FieldErrors::default();
        let event = errors.collect(read_event(parameters)).flatten();
        let status = errors.collect(read_status(parameters)).flatten();
        let client = errors.collect(read_client(parameters)).flatten();
        let ip = errors.collect(read_ip(parameters)).flatten();
        let user = errors.collect(read_user(parameters)).flatten();
        let from = errors.collect(read_time(parameters, "from").map(|time| time.map(|(start, _)| start))).flatten();
        let before = errors.collect(read_time(parameters, "to").map(|time| time.map(|(_, end)| end))).flatten();
        if let (Some(from), Some(before)) = (from, before)
            && from >= before
        {
            errors.collect::<()>(Err(Detail::new("from", FieldCode::Invalid, "must not be later than to")));
        }
        let page = read_page(parameters, &mut errors);
        match page {
            Some(page) if errors.is_empty() => Ok(Self { event, status, client, ip, user, from, before, page }),
            _ => Err(errors.into_fault(Code::Validation)),
        }
    }
}

fn read_event(parameters: &Parameters) -> Result<Option<EventFilter>, Detail> {
    let Some(text) = parameters.text("event") else { return Ok(None) };
    let (name, is_prefix) = text.strip_suffix('*').map_or((text, false), |name| (name, true));
    let is_name = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.'));
    if !is_name || name.len() > MAX_EVENT {
        return Err(Detail::new(
            "event",
            FieldCode::Invalid,
            "must be the name of an event, or the beginning of one with * behind it",
        ));
    }
    Ok(Some(if is_prefix { EventFilter::Prefix(name.to_owned()) } else { EventFilter::Exact(name.to_owned()) }))
}

fn read_status(parameters: &Parameters) -> Result<Option<AuditStatus>, Detail> {
    let Some(text) = parameters.text("status") else { return Ok(None) };
    text.parse().map(Some).map_err(|_| Detail::new("status", FieldCode::Invalid, "must be success or failure"))
}

fn read_client(parameters: &Parameters) -> Result<Option<String>, Detail> {
    let Some(text) = parameters.text("client") else { return Ok(None) };
    if text.len() > MAX_CLIENT || text.contains(char::is_control) {
        return Err(Detail::new("client", FieldCode::Invalid, "must be the id of a client"));
    }
    Ok(Some(text.to_owned()))
}

/// An address as it is recorded: one of IPv4 that is written as one of IPv6 is one of IPv4.
fn read_ip(parameters: &Parameters) -> Result<Option<IpAddr>, Detail> {
    let Some(text) = parameters.text("ip") else { return Ok(None) };
    let read = text.trim().parse::<IpAddr>();
    read.map(|ip| Some(ip.to_canonical()))
        .map_err(|_| Detail::new("ip", FieldCode::Invalid, "must be an IP address, such as 203.0.113.7"))
}

pub(super) fn read_user(parameters: &Parameters) -> Result<Option<UserId>, Detail> {
    let Some(text) = parameters.text("user") else { return Ok(None) };
    text.parse().map(|id| Some(UserId(id))).map_err(|_| Detail::new("user", FieldCode::Invalid, "must be the id of an account"))
}

/// The first instant that a time stands for, and the first one after it: a day alone is all of that day.
fn read_time(parameters: &Parameters, name: &'static str) -> Result<Option<(Timestamp, Timestamp)>, Detail> {
    let Some(text) = parameters.text(name) else { return Ok(None) };
    let refused = || Detail::new(name, FieldCode::Invalid, "must be a day (YYYY-MM-DD) or a time (RFC 3339)");
    let start = timestamp::read(text).ok_or_else(refused)?;
    // PostgreSQL keeps microseconds.
    let length = if text.trim().parse::<Date>().is_ok() && text.trim().len() == "YYYY-MM-DD".len() {
        SignedDuration::from_hours(24)
    } else {
        SignedDuration::from_micros(1)
    };
    let end = start.checked_add(length).map_err(|_| refused())?;
    Ok(Some((start, end)))
}

#[cfg(test)]
mod tests {
    use super::{AuditQuery, AuditStatus, EventFilter};
    use crate::shared::Parameters;
    use proptest::prelude::*;

    fn read(pairs: &[(&str, &str)]) -> Result<AuditQuery, Vec<String>> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        AuditQuery::read(&Parameters::new(pairs)).map_err(|fault| fault.details.into_iter().map(|detail| detail.field).collect())
    }

    fn times(from: &str, to: &str) -> (String, String) {
        let query = read(&[("from", from), ("to", to)]).unwrap();
        (query.from.unwrap().to_string(), query.before.unwrap().to_string())
    }

    #[test]
    fn both_ends_are_inclusive_and_a_day_alone_is_all_of_it() {
        assert_eq!(times("2026-03-01", "2026-03-01"), ("2026-03-01T00:00:00Z".into(), "2026-03-02T00:00:00Z".into()));
        let at = "2026-03-01T12:00:00Z";
        assert_eq!(times(at, at), (at.into(), "2026-03-01T12:00:00.000001Z".into()));
    }

    #[test]
    fn an_event_is_a_name_or_the_beginning_of_one() {
        let event = |text: &str| read(&[("event", text)]).map(|query| query.event);
        assert_eq!(event("auth.login.success"), Ok(Some(EventFilter::Exact("auth.login.success".into()))));
        assert_eq!(event("admin.*"), Ok(Some(EventFilter::Prefix("admin.".into()))));
        assert_eq!(event(""), Ok(None));
        for wrong in ["a b", "%", "a*b", "'; drop table users", "Ä", &"x".repeat(101)] {
            assert_eq!(event(wrong), Err(vec!["event".to_owned()]), "{wrong}");
        }
    }

    #[test]
    fn outcome_client_and_address_are_read_as_they_are_recorded() {
        let query = read(&[("status", "failure"), ("client", "phone.app"), ("ip", " ::ffff:203.0.113.7 ")]).unwrap();
        assert_eq!((query.status, query.client.as_deref()), (Some(AuditStatus::Failure), Some("phone.app")));
        assert_eq!(query.ip.map(|ip| ip.to_string()), Some("203.0.113.7".to_owned()));
        let query = read(&[("status", ""), ("client", ""), ("ip", "")]).unwrap();
        assert_eq!((query.status, query.client, query.ip), (None, None, None));
    }

    #[test]
    fn every_invalid_parameter_is_named() {
        let (long, pairs) = ("x".repeat(256), ["status", "client", "ip"]);
        for (name, value) in pairs.iter().zip(["refused", &long, "203.0.113.0/24"]) {
            assert_eq!(read(&[(name, value)]).unwrap_err(), [*name]);
        }
        let wrong = [
            ("event", "%"),
            ("status", "ok"),
            ("client", "a\0"),
            ("ip", "localhost"),
            ("user", "me"),
            ("from", "soon"),
            ("to", "2026-02-30"),
            ("page", "0"),
        ];
        assert_eq!(read(&wrong).unwrap_err(), ["event", "status", "client", "ip", "user", "from", "to", "page"]);
        assert_eq!(read(&[("from", "2026-03-02"), ("to", "2026-03-01")]).unwrap_err(), ["from"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(name in "event|status|client|ip|user|from|to|page|perPage", value in "\\PC{0,120}") {
            if let Ok(query) = read(&[(&name, &value)]) {
                prop_assert!(query.page.page >= 1 && (1..=100).contains(&query.page.per_page));
            }
        }
    }
}
