//! Rules of plain values, in the words of the hosted service. Every refusal of a request is collected before it is answered.

use crate::shared::{Detail, Fault};

/// Collects what is wrong with a request.
#[derive(Debug, Default)]
pub struct Checks {
    details: Vec<Detail>,
}

impl Checks {
    /// Notes a refusal.
    pub fn refuse(&mut self, field: impl Into<String>, code: &'static str, message: impl Into<String>) {
        self.details.push(Detail::new(field, code, message));
    }

    /// A text that must be there, of at most so many characters.
    pub fn required(&mut self, field: &str, value: &str, max: usize) {
        if value.trim().is_empty() {
            self.refuse(field, "blank", "can't be blank");
        }
        self.text(field, Some(value), max);
    }

    /// A text that may be missing: bounded, and without control characters other than white space.
    pub fn text(&mut self, field: &str, value: Option<&str>, max: usize) {
        let Some(value) = value else { return };
        if value.chars().count() > max {
            self.refuse(field, "tooLong", format!("is too long (maximum is {max} characters)"));
        }
        if value.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            self.refuse(field, "invalid", "is invalid");
        }
    }

    /// Notes what another rule refused, and answers what it let through.
    pub fn passed<T>(&mut self, outcome: Result<T, Fault>) -> Option<T> {
        outcome.map_err(|fault| self.details.extend(fault.details)).ok()
    }

    /// 422 with everything that was noted, if anything was.
    pub fn finish(self) -> Result<(), Fault> {
        if self.details.is_empty() { Ok(()) } else { Err(Fault::invalid_fields(self.details)) }
    }
}

#[cfg(test)]
mod tests {
    use super::Checks;

    #[test]
    fn every_refusal_is_named() {
        let mut checks = Checks::default();
        checks.required("name", "  ", 10);
        checks.text("icon", Some("a\u{7}"), 10);
        checks.text("color", Some("ääää"), 3);
        checks.text("image", None, 3);
        let fault = checks.finish().unwrap_err();
        let found: Vec<_> = fault.details.iter().map(|detail| (detail.field.as_str(), detail.code)).collect();
        assert_eq!(found, [("name", "blank"), ("icon", "invalid"), ("color", "tooLong")]);
    }
}
