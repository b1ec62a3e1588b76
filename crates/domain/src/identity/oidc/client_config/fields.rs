//! The attributes of one client, taken one by one. What is wrong is noted, and reading goes on.

use super::ClientFault;
use crate::shared::json::Members;
use serde_json::Value;
use std::{ops::RangeInclusive, str::FromStr};
use strum::VariantNames;

/// The attributes of a client that were not read yet.
pub(super) struct Fields<'a> {
    /// What faults call the client.
    label: String,
    members: Vec<(String, Value)>,
    faults: &'a mut Vec<ClientFault>,
}

impl<'a> Fields<'a> {
    /// The attributes of the client at this place of the list.
    pub(super) fn new(place: String, members: Members, faults: &'a mut Vec<ClientFault>) -> Self {
        let id = members.0.iter().find(|(name, _)| name == "clientId").and_then(|(_, id)| id.as_str());
        let label = id.filter(|id| !id.is_empty()).map_or(place, |id| format!("{id:?}"));
        Self { label, members: members.0, faults }
    }

    /// Notes what is wrong with an attribute.
    pub(super) fn fault(&mut self, attribute: impl Into<String>, what: impl Into<String>) {
        self.faults.push(ClientFault { client: Some(self.label.clone()), attribute: Some(attribute.into()), what: what.into() });
    }

    /// Reports the attributes that were not taken: there are none of these names.
    pub(super) fn finish(mut self) {
        for (name, _) in std::mem::take(&mut self.members) {
            self.fault(name, "is no attribute of a client");
        }
    }

    /// Whether an attribute says nothing: it is absent, null, or an empty list.
    pub(super) fn is_absent(&self, name: &str) -> bool {
        let says_nothing = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        self.members.iter().all(|(member, value)| member != name || says_nothing(value))
    }

    /// The value of an attribute. Null counts as absent.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let (taken, left) = std::mem::take(&mut self.members).into_iter().partition::<Vec<_>, _>(|(member, _)| member == name);
        self.members = left;
        if taken.len() > 1 {
            self.fault(name, "is there more than once");
        }
        taken.into_iter().next().map(|(_, value)| value).filter(|value| !value.is_null())
    }

    /// A text that passes a check.
    pub(super) fn text<T, E: Into<String>>(&mut self, name: &str, check: impl Fn(&str) -> Result<T, E>) -> Option<T> {
        let value = self.take(name)?;
        let read = value.as_str().ok_or_else(|| "is no string".to_owned()).and_then(|text| check(text).map_err(Into::into));
        read.map_err(|what| self.fault(name, what)).ok()
    }

    /// Texts that pass a check, none of them twice.
    pub(super) fn texts<T, E: Into<String>>(&mut self, name: &str, check: impl Fn(&str) -> Result<T, E>) -> Option<Vec<T>> {
        let Value::Array(items) = self.take(name)? else {
            self.fault(name, "is no array of strings");
            return None;
        };
        let mut read = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let is_repeated = items.iter().take(index).any(|other| other == item);
            let checked = match item.as_str() {
                None => Err("is no string".to_owned()),
                Some(_) if is_repeated => Err("is there more than once".to_owned()),
                Some(text) => check(text).map_err(Into::into),
            };
            match checked {
                Ok(value) => read.push(value),
                Err(what) => self.fault(format!("{name}[{index}]"), what),
            }
        }
        Some(read)
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, name: &str) -> Option<bool> {
        let flag = self.take(name)?.as_bool();
        if flag.is_none() {
            self.fault(name, "is neither true nor false");
        }
        flag
    }

    /// A whole number within bounds.
    pub(super) fn number(&mut self, name: &str, bounds: RangeInclusive<u32>) -> Option<u32> {
        let number =
            self.take(name)?.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| bounds.contains(number));
        if number.is_none() {
            self.fault(name, format!("is no whole number from {} to {}", bounds.start(), bounds.end()));
        }
        number
    }

    /// One of several words.
    pub(super) fn choice<T: FromStr + VariantNames>(&mut self, name: &str) -> Option<T> {
        self.text(name, |text| text.parse().map_err(|_| format!("is none of {}", T::VARIANTS.join(", "))))
    }
}
