//! What people fill in. Each field that is at fault is noted, and all of them are told at once.

use crate::{
    identity::{Email, Locales, name},
    shared::{Detail, Fault},
};

/// What is wrong with the fields of a form so far.
#[derive(Debug, Default)]
pub struct Form {
    wrong: Vec<Detail>,
}

impl Form {
    /// Whether nothing is.
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Notes what is wrong with a field.
    pub fn refuse(&mut self, details: impl IntoIterator<Item = Detail>) {
        self.wrong.extend(details);
    }

    /// What was read of a field; else notes why it could not be.
    pub fn passed<T>(&mut self, read: Result<T, Detail>) -> Option<T> {
        read.map_err(|detail| self.wrong.push(detail)).ok()
    }

    /// A name that has to be there.
    pub fn name(&mut self, field: &'static str, sent: Option<&str>) -> Option<String> {
        self.passed(name::parse(sent.unwrap_or_default()).map_err(|refused| refused.detail(field)))
    }

    /// A name that may be left out; an empty one is none.
    pub fn optional_name(&mut self, field: &'static str, sent: Option<&str>) -> Option<String> {
        self.name(field, Some(sent.filter(|sent| !sent.trim().is_empty())?))
    }

    /// One of the locales that are supported, in our spelling; the default one when none was sent.
    pub fn locale<'a>(&mut self, sent: Option<&str>, locales: &'a Locales) -> Option<&'a str> {
        let unsupported = || {
            let all = locales.supported().join(", ");
            Detail::new("locale", "unsupported", format!("must be one of {all}")).bounded(all)
        };
        self.passed(locales.choose(sent).ok_or_else(unsupported))
    }

    /// 400 with this code about all that is wrong.
    pub fn refused(self, code: &'static str) -> Fault {
        Fault::fields(code, self.wrong)
    }
}

/// A mail address that has to be there. What is wrong with it is told as that of a field.
pub fn email(field: &'static str, sent: Option<&str>) -> Result<Email, Detail> {
    let sent = sent.filter(|sent| !sent.trim().is_empty()).ok_or_else(|| Detail::required(field))?;
    Email::parse(sent).ok_or_else(|| Detail::new(field, "invalid", "is not a mail address that can be used here"))
}
