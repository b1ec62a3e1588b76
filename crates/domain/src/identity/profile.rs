//! What people may change about their own account.

use crate::{
    identity::{Locales, name},
    shared::{Detail, Fault},
};

/// What was sent. An absent member is left as it is.
#[derive(Debug, Default)]
pub struct ProfileRequest {
    /// Cannot be taken away.
    pub first_name: Option<Option<String>>,
    /// `null` or an empty text takes it away.
    pub last_name: Option<Option<String>>,
    /// `null` or an empty text takes it away.
    pub display_name: Option<Option<String>>,
    /// A supported one.
    pub locale: Option<Option<String>>,
    /// Members that were sent and are not the owner's to change.
    pub foreign: Vec<&'static str>,
}

/// A change that may be made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileChange {
    /// The new first name.
    pub first_name: Option<String>,
    /// The new last name, or none any more.
    pub last_name: Option<Option<String>>,
    /// What the person wants to be called, or the plain name again.
    pub display_name: Option<Option<String>>,
    /// The new locale, in our spelling.
    pub locale: Option<String>,
}

impl ProfileRequest {
    /// Checks every field. 400 `notEditable` for what is not the owner's to change, `unsupportedLocale` when only the locale is at fault, else
    /// `validation`.
    pub fn accept(self, locales: &Locales) -> Result<ProfileChange, Fault> {
        if !self.foreign.is_empty() {
            let details =
                self.foreign.iter().map(|field| detail(field, "notEditable", "cannot be changed here".to_owned())).collect();
            return Err(
                Fault::bad_request("notEditable", format!("{} cannot be changed here", self.foreign.join(", "))).about(details)
            );
        }
        let mut wrong = Vec::new();
        let first_name = self.first_name.and_then(|sent| required("firstName", sent.as_deref(), &mut wrong));
        let last_name = self.last_name.map(|sent| optional("lastName", sent.as_deref(), &mut wrong));
        let display_name = self.display_name.map(|sent| optional("displayName", sent.as_deref(), &mut wrong));
        let names_are_right = wrong.is_empty();
        let mut locale = None;
        if let Some(sent) = self.locale {
            // None at all would be the default, which nobody asked for.
            locale = sent.as_deref().and_then(|it| locales.choose(Some(it))).map(str::to_owned);
            if locale.is_none() {
                wrong.push(detail("locale", "unsupported", format!("must be one of {}", locales.supported().join(", "))));
            }
        }
        if wrong.is_empty() {
            return Ok(ProfileChange { first_name, last_name, display_name, locale });
        }
        let code = if names_are_right { "unsupportedLocale" } else { "validation" };
        let sentence = wrong.iter().map(|it| format!("{} {}", it.field, it.message)).collect::<Vec<_>>().join("; ");
        Err(Fault::bad_request(code, sentence).about(wrong))
    }
}

fn required(field: &'static str, text: Option<&str>, wrong: &mut Vec<Detail>) -> Option<String> {
    match name::parse(text.unwrap_or_default()) {
        Ok(name) => Some(name),
        Err(refused) => {
            wrong.push(detail(field, refused.code(), refused.message()));
            None
        }
    }
}

fn optional(field: &'static str, text: Option<&str>, wrong: &mut Vec<Detail>) -> Option<String> {
    let text = text.filter(|it| !it.trim().is_empty())?;
    required(field, Some(text), wrong)
}

fn detail(field: &str, code: &'static str, message: String) -> Detail {
    Detail { field: field.to_owned(), code, message }
}

#[cfg(test)]
mod tests {
    use super::{ProfileChange, ProfileRequest};
    use crate::identity::Locales;

    #[expect(clippy::unnecessary_wraps, reason = "a member that was sent")]
    fn said(text: &str) -> Option<Option<String>> {
        Some(Some(text.to_owned()))
    }

    fn accept(request: ProfileRequest) -> Result<ProfileChange, &'static str> {
        let locales = Locales::new(vec!["en".into(), "pt-BR".into()], "en".into()).unwrap();
        request.accept(&locales).map_err(|fault| fault.code)
    }

    #[test]
    fn absent_members_stay_and_empty_ones_are_taken_away() {
        assert_eq!(accept(ProfileRequest::default()), Ok(ProfileChange::default()));
        let request = ProfileRequest {
            first_name: said(" Ann "),
            last_name: Some(None),
            display_name: said(" "),
            locale: said("PT-br"),
            foreign: Vec::new(),
        };
        let change = ProfileChange {
            first_name: Some("Ann".into()),
            last_name: Some(None),
            display_name: Some(None),
            locale: Some("pt-BR".into()),
        };
        assert_eq!(accept(request), Ok(change));
    }

    #[test]
    fn every_refusal_has_its_code() {
        assert_eq!(accept(ProfileRequest { first_name: Some(None), ..ProfileRequest::default() }), Err("validation"));
        assert_eq!(accept(ProfileRequest { last_name: said("a\u{202e}b"), ..ProfileRequest::default() }), Err("validation"));
        assert_eq!(accept(ProfileRequest { locale: said("xx"), ..ProfileRequest::default() }), Err("unsupportedLocale"));
        assert_eq!(accept(ProfileRequest { locale: Some(None), ..ProfileRequest::default() }), Err("unsupportedLocale"));
        let both = ProfileRequest { first_name: said(""), locale: said("xx"), ..ProfileRequest::default() };
        assert_eq!(accept(both), Err("validation"));
        assert_eq!(accept(ProfileRequest { foreign: vec!["email"], ..ProfileRequest::default() }), Err("notEditable"));
    }
}
