//! Collects what is wrong with the fields of a request, so that one answer names all of them.

use crate::{
    identity::{Locales, name},
    shared::{Code, Detail, Fault, FieldCode},
};

/// The invalid fields of a request so far.
#[derive(Debug, Default)]
pub struct FieldErrors {
    details: Vec<Detail>,
}

impl FieldErrors {
    /// Whether every field was valid so far.
    pub fn is_empty(&self) -> bool {
        self.details.is_empty()
    }

    /// Adds errors.
    pub fn extend(&mut self, details: impl IntoIterator<Item = Detail>) {
        self.details.extend(details);
    }

    /// The parsed value of a field; otherwise its error is added.
    pub fn collect<T>(&mut self, parsed: Result<T, Detail>) -> Option<T> {
        parsed.map_err(|detail| self.details.push(detail)).ok()
    }

    /// A required name.
    pub fn name(&mut self, field: &'static str, sent: Option<&str>) -> Option<String> {
        self.collect(name::parse(sent.unwrap_or_default()).map_err(|invalid| invalid.detail(field)))
    }

    /// An optional name; an empty one counts as absent.
    pub fn optional_name(&mut self, field: &'static str, sent: Option<&str>) -> Option<String> {
        self.name(field, Some(sent.filter(|text| !text.trim().is_empty())?))
    }

    /// A supported locale in its configured spelling; the default locale when none was sent.
    pub fn locale<'a>(&mut self, sent: Option<&str>, locales: &'a Locales) -> Option<&'a str> {
        let unsupported = || {
            let all = locales.supported().join(", ");
            Detail::new("locale", FieldCode::Unsupported, format!("must be one of {all}")).bounded(all)
        };
        self.collect(locales.choose(sent).ok_or_else(unsupported))
    }

    /// 400 with this code and all errors.
    pub fn into_fault(self, code: Code) -> Fault {
        Fault::fields(code, self.details)
    }
}
