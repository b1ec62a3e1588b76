//! The parameters of a list of tokens.

use super::{audit_query::read_user, list::read_flag, page::read_page};
use crate::{
    identity::FieldErrors,
    shared::{Code, Fault, PageRequest, Parameters, TokenFilter},
};

/// A request for a page of tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenQuery {
    /// `user`, and `withoutPerson`.
    pub filter: TokenFilter,
    /// `page` and `perPage`.
    pub page: PageRequest,
}

impl TokenQuery {
    /// Reads the parameters. An empty one counts as left out. 400 `validation` names every invalid one.
    pub fn read(parameters: &Parameters) -> Result<Self, Fault> {
        let mut errors = FieldErrors::default();
        let user = errors.collect(read_user(parameters)).flatten();
        let is_without_person = errors.collect(read_flag(parameters, "withoutPerson")).flatten();
        match read_page(parameters, &mut errors) {
            Some(page) if errors.is_empty() => Ok(Self { filter: TokenFilter { user, is_without_person }, page }),
            _ => Err(errors.into_fault(Code::Validation)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TokenQuery;
    use crate::shared::{Parameters, TokenFilter, UserId};
    use uuid::Uuid;

    fn read(pairs: &[(&str, &str)]) -> Result<TokenQuery, Vec<String>> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        TokenQuery::read(&Parameters::new(pairs)).map_err(|fault| fault.details.into_iter().map(|detail| detail.field).collect())
    }

    #[test]
    fn every_parameter_is_read_and_every_invalid_one_is_named() {
        assert_eq!(read(&[("user", ""), ("withoutPerson", "")]).unwrap().filter, TokenFilter::default());
        let all = read(&[("user", &Uuid::nil().to_string()), ("withoutPerson", "false"), ("page", "2")]).unwrap();
        let filter = TokenFilter { user: Some(UserId(Uuid::nil())), is_without_person: Some(false) };
        assert_eq!((all.filter, all.page.page), (filter, 2));
        assert_eq!(read(&[("user", "ann"), ("withoutPerson", "1"), ("page", "0")]).unwrap_err(), ["user", "withoutPerson", "page"]);
    }
}
