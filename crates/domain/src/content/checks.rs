//! Checks of plain values, in Storyblok's words. All errors of a request are collected before it is answered.

use crate::shared::{Detail, Fault, FieldCode};

/// Collects the field errors of a request.
#[derive(Debug, Default)]
pub struct Checks {
    details: Vec<Detail>,
}

impl Checks {
    /// Adds an error.
    pub fn refuse(&mut self, field: impl Into<String>, code: FieldCode, message: impl Into<String>) {
        self.details.push(Detail::new(field, code, message));
    }

    /// Checks a required text of at most `max` characters.
    pub fn required(&mut self, field: &str, value: &str, max: usize) {
        if value.trim().is_empty() {
            self.refuse(field, FieldCode::Blank, "can't be blank");
        }
        self.text(field, Some(value), max);
    }

    /// Checks an optional text: at most `max` characters, none of them a control character other than white
    /// space.
    pub fn text(&mut self, field: &str, value: Option<&str>, max: usize) {
        let Some(value) = value else { return };
        if value.chars().count() > max {
            self.refuse(field, FieldCode::TooLong, format!("is too long (maximum is {max} characters)"));
        }
        if value.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            self.refuse(field, FieldCode::Invalid, "is invalid");
        }
    }

    /// Adds the errors of another check, or returns its value.
    pub fn collect<T>(&mut self, outcome: Result<T, Fault>) -> Option<T> {
        outcome.map_err(|fault| self.details.extend(fault.details)).ok()
    }

    /// 422 with all errors, if there are any.
    pub fn finish(self) -> Result<(), Fault> {
        if self.details.is_empty() { Ok(()) } else { Err(Fault::invalid_fields(self.details)) }
    }
}

#[cfg(test)]
mod tests {
    use super::Checks;

    #[test]
    fn every_error_is_named() {
        let mut checks = Checks::default();
        checks.required("name", "  ", 10);
        checks.text("icon", Some("a\u{7}"), 10);
        checks.text("color", Some("ääää"), 3);
        checks.text("image", None, 3);
        let fault = checks.finish().unwrap_err();
        let found: Vec<_> = fault.details.iter().map(|detail| (detail.field.as_str(), detail.code.name())).collect();
        assert_eq!(found, [("name", "blank"), ("icon", "invalid"), ("color", "tooLong")]);
    }
}
