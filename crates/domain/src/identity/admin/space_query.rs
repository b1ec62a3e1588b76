//! The parameters of a list of spaces.

use super::{
    list::{read_flag, read_search},
    page::read_page,
};
use crate::{
    identity::FieldErrors,
    shared::{Code, Fault, PageRequest, Parameters, SpaceFilter},
};

/// A request for a page of spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpaceQuery {
    /// `search` in the name, `orphaned` and `deleted`.
    pub filter: SpaceFilter,
    /// `page` and `perPage`.
    pub page: PageRequest,
}

impl SpaceQuery {
    /// Reads the parameters. An empty one counts as left out. 400 `validation` names every invalid one.
    pub fn read(parameters: &Parameters) -> Result<Self, Fault> {
        let mut errors = FieldErrors::default();
        let mut flag = |name| errors.collect(read_flag(parameters, name)).flatten();
        let (is_orphaned, is_deleted) = (flag("orphaned"), flag("deleted"));
        let search = errors.collect(read_search(parameters)).flatten();
        let filter = SpaceFilter { name_pattern: search.map(|text| text.pattern()), is_orphaned, is_deleted };
        match read_page(parameters, &mut errors) {
            Some(page) if errors.is_empty() => Ok(Self { filter, page }),
            _ => Err(errors.into_fault(Code::Validation)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SpaceQuery;
    use crate::shared::{Parameters, SpaceFilter};

    fn read(pairs: &[(&str, &str)]) -> Result<SpaceQuery, Vec<String>> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        SpaceQuery::read(&Parameters::new(pairs)).map_err(|fault| fault.details.into_iter().map(|detail| detail.field).collect())
    }

    #[test]
    fn every_parameter_is_read_and_every_invalid_one_is_named() {
        let none = read(&[("search", ""), ("orphaned", "")]).unwrap();
        assert_eq!((none.filter, none.page.page), (SpaceFilter::default(), 1));
        let all = read(&[("search", "50 %"), ("orphaned", "true"), ("deleted", "false"), ("page", "3")]).unwrap();
        let filter = SpaceFilter { name_pattern: Some(r"%50 \%%".to_owned()), is_orphaned: Some(true), is_deleted: Some(false) };
        assert_eq!((all.filter, all.page.page), (filter, 3));
        let wrong = [("orphaned", "1"), ("deleted", "no"), ("search", &*"x".repeat(101)), ("page", "0")];
        assert_eq!(read(&wrong).unwrap_err(), ["orphaned", "deleted", "search", "page"]);
    }
}
