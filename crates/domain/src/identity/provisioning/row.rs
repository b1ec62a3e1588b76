//! One account as it was sent, checked without a look at the accounts that exist. The schema is strict: a
//! field that accounts do not have here is refused by its name, so that no misspelt one is lost, and nothing
//! can be asked for that provisioning cannot do, such as making an administrator.

use super::{LegacySub, RowCode, RowRefusal, request::shown, roles};
use crate::{
    identity::{Email, FieldErrors, Locales, oidc::Clients},
    shared::{Code, Detail, FieldCode, email, json::Members, timestamp},
};
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::{Value, value::RawValue};

/// The fields of an account.
const FIELDS: [&str; 11] = [
    "email",
    "firstName",
    "lastName",
    "locale",
    "emailVerified",
    "createdAt",
    "suspended",
    "legacySub",
    "roles",
    "hashedPassword",
    "invite",
];
/// The fields of its `hashedPassword`.
const HASH_FIELDS: [&str; 2] = ["value", "algorithm"];

/// What rows are checked by.
#[derive(Clone, Copy)]
pub struct RowRules<'a> {
    pub locales: &'a Locales,
    /// The clients, which declare roles.
    pub clients: &'a Clients,
    /// Checks a hash and the label that it came with; the error completes a sentence that begins with the
    /// field. It computes no hash.
    pub check_hash: fn(&str, Option<&str>) -> Result<(), String>,
    pub now: Timestamp,
}

/// An account that can be made, if no other is in its way.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub email: Email,
    /// The first name.
    pub first_name: String,
    /// The last name.
    pub last_name: Option<String>,
    pub locale: String,
    /// Whether the address counts as proved.
    pub email_verified: bool,
    /// When the account was created in the other system.
    pub created_at: Option<Timestamp>,
    /// Whether it may not sign in.
    pub is_suspended: bool,
    /// The subject that it had there.
    pub legacy_sub: Option<LegacySub>,
    /// The roles to assign: group and role.
    pub roles: Vec<(String, String)>,
    /// The hash of its password, as it was sent.
    pub password_hash: Option<SecretString>,
    /// Whether it is invited to set a first password.
    pub is_invited: bool,
}

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// The address in canonical form; if it is none, the beginning of what was sent.
    pub email: String,
    /// The subject, if one was sent that can be one.
    pub legacy_sub: Option<String>,
    /// The account, or why it is invalid.
    pub checked: Result<Candidate, RowRefusal>,
}

/// Checks a row. The error is the first that applies of `unknownField`, `validation`, `badRole` and
/// `badHash`.
pub fn read(json: &RawValue, rules: &RowRules<'_>) -> Row {
    let Some(Members(members)) = Members::<Value>::parse(json) else {
        let refusal = RowRefusal::new(RowCode::Validation, "The account must be a JSON object");
        return Row { email: String::new(), legacy_sub: None, checked: Err(refusal) };
    };
    let checked = check_names(&members).and_then(|()| Sent { members: &members, errors: FieldErrors::default() }.read(rules));
    let text = |name: &str| members.iter().find(|(member, _)| member == name).and_then(|(_, value)| value.as_str());
    let sent = text("email").unwrap_or_default();
    Row {
        email: Email::parse(sent).map_or_else(|| sent.chars().take(254).collect(), |email| email.as_str().to_owned()),
        legacy_sub: text("legacySub").and_then(|sub| LegacySub::parse(sub).ok()).map(|sub| sub.as_str().to_owned()),
        checked,
    }
}

fn check_names(members: &[(String, Value)]) -> Result<(), RowRefusal> {
    let nested = members.iter().filter(|(name, _)| name == "hashedPassword").filter_map(|(_, value)| value.as_object());
    let unknown_nested = || {
        let mut names = nested.flat_map(serde_json::Map::keys);
        let unknown = names.find(|name| !HASH_FIELDS.contains(&name.as_str()))?;
        Some(format!("hashedPassword.{}", shown(unknown)))
    };
    let unknown = members.iter().map(|(name, _)| name).find(|name| !FIELDS.contains(&name.as_str())).map(|name| shown(name));
    match unknown.or_else(unknown_nested) {
        Some(name) => Err(RowRefusal::new(RowCode::UnknownField, format!("{name} is not known"))),
        None => Ok(()),
    }
}

/// The members of a row, and what is wrong with them so far.
struct Sent<'a> {
    members: &'a [(String, Value)],
    errors: FieldErrors,
}

impl<'a> Sent<'a> {
    fn read(mut self, rules: &RowRules<'_>) -> Result<Candidate, RowRefusal> {
        let email = self.text("email").and_then(|sent| self.errors.collect(email::parse_field("email", sent)));
        let first_name = self.text("firstName").and_then(|sent| self.errors.name("firstName", sent));
        let last_name = self.text("lastName").flatten().and_then(|sent| self.errors.optional_name("lastName", Some(sent)));
        let locale = self.text("locale").flatten();
        let locale = rules.locales.choose(locale).or_else(|| rules.locales.choose(None)).unwrap_or_default().to_owned();
        let email_verified = self.flag("emailVerified");
        let created_at = self.text("createdAt").flatten().and_then(|sent| self.errors.collect(past(sent, rules.now)));
        let is_suspended = self.flag("suspended");
        let legacy_sub = self.text("legacySub").flatten().and_then(|sent| self.errors.collect(LegacySub::parse(sent)));
        let sent_roles = self.roles();
        let hash = self.hash();
        let is_invited = self.flag("invite");
        if is_invited && hash.is_some() {
            self.errors.extend([Detail::new("invite", FieldCode::Excluded, "and hashedPassword exclude each other")]);
        }
        let (Some(email), Some(first_name), true) = (email, first_name, self.errors.is_empty()) else {
            return Err(RowRefusal::new(RowCode::Validation, self.errors.into_fault(Code::Validation).message));
        };
        let assigned = roles::resolve(rules.clients, &sent_roles)?;
        if let Some((value, label)) = hash {
            let bad = |what| RowRefusal::new(RowCode::BadHash, format!("hashedPassword {what}"));
            (rules.check_hash)(value, label).map_err(bad)?;
        }
        Ok(Candidate {
            email,
            first_name,
            last_name,
            locale,
            // Who accepts an invitation proves the address by that.
            email_verified: email_verified && !is_invited,
            created_at,
            is_suspended,
            legacy_sub,
            roles: assigned,
            password_hash: hash.map(|(value, _)| value.into()),
            is_invited,
        })
    }

    /// The value of a field. Null counts as absent.
    fn value(&mut self, name: &'static str) -> Option<&'a Value> {
        let mut found = self.members.iter().filter(|(member, _)| member == name).map(|(_, value)| value);
        let value = found.next();
        if found.next().is_some() {
            self.errors.extend([Detail::new(name, FieldCode::Repeated, "is there more than once")]);
        }
        value.filter(|value| !value.is_null())
    }

    fn wrong_type(&mut self, field: impl Into<String>, what: &'static str) {
        self.errors.extend([Detail::new(field, FieldCode::WrongType, what)]);
    }

    /// A text, if there is one; the outer `None` when it is something else, which is noted.
    fn text(&mut self, name: &'static str) -> Option<Option<&'a str>> {
        let Some(value) = self.value(name) else { return Some(None) };
        let text = value.as_str();
        if text.is_none() {
            self.wrong_type(name, "must be a string");
        }
        text.map(Some)
    }

    fn flag(&mut self, name: &'static str) -> bool {
        let Some(value) = self.value(name) else { return false };
        value.as_bool().unwrap_or_else(|| {
            self.wrong_type(name, "must be true or false");
            false
        })
    }

    fn roles(&mut self) -> roles::SentRoles<'a> {
        let Some(value) = self.value("roles") else { return Vec::new() };
        let Some(groups) = value.as_object() else {
            self.wrong_type("roles", "must be an object");
            return Vec::new();
        };
        let mut read = Vec::new();
        for (name, roles) in groups {
            let texts = roles.as_array().and_then(|roles| roles.iter().map(Value::as_str).collect::<Option<Vec<&str>>>());
            let Some(texts) = texts else {
                self.wrong_type(format!("roles.{}", shown(name)), "must be an array of strings");
                return Vec::new();
            };
            read.push((name.as_str(), texts));
        }
        read
    }

    /// The hash and its label.
    fn hash(&mut self) -> Option<(&'a str, Option<&'a str>)> {
        let Some(object) = self.value("hashedPassword")?.as_object() else {
            self.wrong_type("hashedPassword", "must be an object");
            return None;
        };
        let label = object.get("algorithm").filter(|label| !label.is_null());
        if label.is_some_and(|label| !label.is_string()) {
            self.wrong_type("hashedPassword.algorithm", "must be a string");
        }
        let value = object.get("value").and_then(Value::as_str);
        if value.is_none() {
            self.wrong_type("hashedPassword.value", "must be a string");
        }
        value.map(|value| (value, label.and_then(Value::as_str)))
    }
}

fn past(sent: &str, now: Timestamp) -> Result<Timestamp, Detail> {
    let at = timestamp::read(sent)
        .ok_or_else(|| Detail::new("createdAt", FieldCode::Invalid, "must be a time of ISO 8601, such as 2019-05-04T08:00:00Z"))?;
    if at > now { Err(Detail::new("createdAt", FieldCode::Future, "is in the future")) } else { Ok(at) }
}

#[cfg(test)]
pub(super) mod tests;
