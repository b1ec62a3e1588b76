//! The parameters of a list of accounts.

use super::page::read_page;
use crate::{
    identity::FieldErrors,
    shared::{Code, Detail, Fault, FieldCode, PageRequest, Parameters, email::searched},
};

/// The longest text to search for, in characters.
const MAX_SEARCH: usize = 100;
/// How many letters and digits a text needs side by side, so that the index of trigrams can find it.
const TRIGRAM: usize = 3;

/// A text that is searched for in addresses and names, inside of words too and in either case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText(String);

impl SearchText {
    /// The pattern for LIKE: the characters that mean something there stand for themselves.
    pub fn pattern(&self) -> String {
        let mut pattern = String::with_capacity(self.0.len() + 2);
        pattern.push('%');
        for character in self.0.chars() {
            if matches!(character, '%' | '_' | '\\') {
                pattern.push('\\');
            }
            pattern.push(character);
        }
        pattern.push('%');
        pattern
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether an index of trigrams can find it.
    pub fn has_trigram(&self) -> bool {
        self.0.split(|character: char| !character.is_alphanumeric()).any(|word| word.chars().count() >= TRIGRAM)
    }
}

/// Which accounts are wanted; `None` stands for both kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UserFilter {
    /// `emailVerified`.
    pub email_verified: Option<bool>,
    /// `isAdmin`.
    pub is_admin: Option<bool>,
    /// `suspended`.
    pub is_suspended: Option<bool>,
}

/// What a list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserOrder {
    /// The time of the creation, and the id where two are equal.
    Created,
    Email,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserSort {
    /// What it is ordered by.
    pub by: UserOrder,
    /// Whether the greatest comes first.
    pub is_descending: bool,
}

impl UserSort {
    /// The opposite order.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { is_descending: !self.is_descending, ..self }
    }
}

/// A request for a page of accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserQuery {
    /// `search`.
    pub search: Option<SearchText>,
    pub filter: UserFilter,
    /// `sort`: `createdAt` or `email`, with `-` before it for the opposite order; the newest first without
    /// it.
    pub sort: UserSort,
    /// `page` and `perPage`.
    pub page: PageRequest,
}

impl UserQuery {
    /// Reads the parameters. An empty one counts as left out. 400 `validation` names every invalid one.
    pub fn read(parameters: &Parameters) -> Result<Self, Fault> {
        let mut errors = FieldErrors::default();
        let mut flag = |name| errors.collect(read_flag(parameters, name)).flatten();
        let filter =
            UserFilter { email_verified: flag("emailVerified"), is_admin: flag("isAdmin"), is_suspended: flag("suspended") };
        let search = errors.collect(read_search(parameters)).flatten().map(|SearchText(text)| SearchText(searched(&text)));
        let sort = errors.collect(read_sort(parameters));
        let page = read_page(parameters, &mut errors);
        match (sort, page) {
            (Some(sort), Some(page)) if errors.is_empty() => Ok(Self { search, filter, sort, page }),
            _ => Err(errors.into_fault(Code::Validation)),
        }
    }
}

pub(super) fn read_flag(parameters: &Parameters, name: &'static str) -> Result<Option<bool>, Detail> {
    match parameters.text(name) {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => Err(Detail::new(name, FieldCode::Invalid, "must be true or false")),
    }
}

pub(super) fn read_search(parameters: &Parameters) -> Result<Option<SearchText>, Detail> {
    let text = parameters.get("search").unwrap_or_default().trim();
    if text.chars().count() > MAX_SEARCH {
        return Err(
            Detail::new("search", FieldCode::TooLong, format!("is longer than {MAX_SEARCH} characters")).bounded(MAX_SEARCH)
        );
    }
    Ok((!text.is_empty()).then(|| SearchText(text.to_owned())))
}

fn read_sort(parameters: &Parameters) -> Result<UserSort, Detail> {
    let text = parameters.text("sort").unwrap_or("-createdAt");
    let (name, is_descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
    let by = match name {
        "createdAt" => UserOrder::Created,
        "email" => UserOrder::Email,
        _ => {
            return Err(Detail::new(
                "sort",
                FieldCode::Invalid,
                "must be createdAt or email, with - before it for the opposite order",
            ));
        }
    };
    Ok(UserSort { by, is_descending })
}

#[cfg(test)]
mod tests {
    use super::{SearchText, UserFilter, UserOrder, UserQuery};
    use crate::shared::Parameters;
    use proptest::prelude::*;

    fn read(pairs: &[(&str, &str)]) -> Result<UserQuery, Vec<String>> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        UserQuery::read(&Parameters::new(pairs)).map_err(|fault| fault.details.into_iter().map(|detail| detail.field).collect())
    }

    #[test]
    fn without_parameters_it_is_the_first_page_with_the_newest_first() {
        let query = read(&[("search", " "), ("page", ""), ("isAdmin", "")]).unwrap();
        assert_eq!((query.page.page, query.page.per_page, query.search), (1, 20, None));
        assert_eq!((query.sort.by, query.sort.is_descending, query.filter), (UserOrder::Created, true, UserFilter::default()));
    }

    #[test]
    fn a_page_is_bounded_and_what_is_no_page_is_refused() {
        let page = |page: &str, per_page: &str| {
            read(&[("page", page), ("perPage", per_page)]).map(|query| (query.page.page, query.page.per_page))
        };
        assert_eq!(page("2", "101"), Ok((2, 100)));
        assert_eq!(page("4294967296", "99999999999999999999"), Ok((u32::MAX, 100)));
        for (bad, good) in [("0", "20"), ("-1", "20"), ("1.5", "20"), ("x", "20")] {
            assert_eq!((page(bad, good), page(good, bad)), (Err(vec!["page".into()]), Err(vec!["perPage".into()])), "{bad}");
        }
    }

    #[test]
    fn every_invalid_parameter_is_named() {
        let wrong =
            [("emailVerified", "maybe"), ("isAdmin", "1"), ("suspended", "TRUE"), ("search", &"x".repeat(101)), ("sort", "name")];
        assert_eq!(read(&wrong).unwrap_err(), ["emailVerified", "isAdmin", "suspended", "search", "sort"]);
        assert!(read(&[("search", &"ä".repeat(100)), ("sort", "-email"), ("suspended", "false")]).is_ok());
    }

    #[test]
    fn wildcards_stand_for_themselves() {
        let pattern = |text: &str| SearchText(text.to_owned()).pattern();
        assert_eq!((pattern("a%b").as_str(), pattern("_").as_str(), pattern("\\").as_str()), (r"%a\%b%", r"%\_%", r"%\\%"));
        let has_trigram = |text: &str| SearchText(text.to_owned()).has_trigram();
        assert!(has_trigram("ann") && has_trigram("a b@exa") && has_trigram("häu"));
        assert!(!has_trigram("an") && !has_trigram("a.b-c_d%e") && !has_trigram("@@@@"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(name in "search|page|perPage|sort|isAdmin", value in "\\PC{0,120}") {
            if let Ok(query) = read(&[(&name, &value)]) {
                prop_assert!(query.page.page >= 1 && (1..=100).contains(&query.page.per_page));
            }
        }
    }
}
