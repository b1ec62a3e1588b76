//! What is wrong with a form, in words: the faults of the use cases as pages tell them.

use crate::fault_text::{field_sentence, sentence};
use domain::shared::{Code, Fault, Language};

/// What is wrong with a form that was sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    /// What is wrong with the whole, if it is not about fields alone.
    pub summary: Option<String>,
    /// What is wrong with fields: the name of each, and a sentence.
    pub fields: Vec<(String, String)>,
}

impl Problems {
    /// A problem of the whole form.
    pub fn summary(text: impl Into<String>) -> Self {
        Self { summary: Some(text.into()), fields: Vec::new() }
    }

    /// A problem of one field.
    pub fn field(name: &str, text: impl Into<String>) -> Self {
        Self { summary: None, fields: vec![(name.to_owned(), text.into())] }
    }

    /// The fault of a use case. `names` are the fields that the form has, by the names that the use case
    /// knows; a fault about another one is told at the top.
    pub fn of(language: Language, fault: &Fault, names: &[&str]) -> Self {
        let mut problems = Self::default();
        // In the order of the form.
        for name in names {
            for detail in fault.details.iter().filter(|detail| detail.field == *name) {
                problems.add(name, &field_sentence(language, detail));
            }
        }
        if let Some(name) = field_of(fault.code).filter(|name| names.contains(name) && problems.fields.is_empty()) {
            problems.add(name, &sentence(language, fault));
        }
        if problems.fields.is_empty() {
            problems.summary = Some(sentence(language, fault));
        }
        problems
    }

    fn add(&mut self, name: &str, text: &str) {
        match self.fields.iter_mut().find(|(known, _)| known == name) {
            Some((_, sentences)) => {
                sentences.push(' ');
                sentences.push_str(text);
            }
            None => self.fields.push((name.to_owned(), text.to_owned())),
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.summary.is_none() && self.fields.is_empty()
    }

    /// What is wrong with a field.
    pub fn of_field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

/// The field that a code is about although its fault names none.
fn field_of(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::InvalidCode | Code::InvalidLoginCode => "code",
        Code::InvalidUserCode => "user_code",
        Code::InvalidPassword | Code::PasswordRequired => "password",
        Code::CurrentPasswordRequired => "currentPassword",
        Code::PasswordReused => "newPassword",
        Code::EmailTaken => "email",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Problems;
    use domain::shared::{Code, Detail, Fault, FieldCode, Language};

    #[test]
    fn a_fault_is_told_at_its_field_or_at_the_top() {
        let weak = Fault::fields(
            Code::WeakPassword,
            vec![Detail::new("password", FieldCode::TooShort, "").bounded(12), Detail::new("password", FieldCode::Common, "")],
        );
        let problems = Problems::of(Language::German, &weak, &["email", "password"]);
        let text = "Nehmen Sie mindestens 12 Zeichen. Dieses Passwort benutzen viele. Wählen Sie eines, das niemand errät.";
        assert_eq!((problems.summary.as_deref(), problems.of_field("password")), (None, Some(text)));
        let problems = Problems::of(Language::English, &weak, &["email"]);
        assert!(problems.summary.is_some() && problems.fields.is_empty(), "the form has no such field");
        let reused = Fault::of(Code::PasswordReused);
        assert!(Problems::of(Language::English, &reused, &["newPassword"]).of_field("newPassword").is_some());
    }
}
