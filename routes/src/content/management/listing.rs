//! Lists that the hosted service gives whole. A client that pages through them all the same must come to an end, so `page` and
//! `per_page` are honoured when they are sent.

use crate::web::ApiResponse;
use domain::shared::{Fault, PageRequest, Parameters};

/// The most that is given on one page.
const MAX_PER_PAGE: u32 = 1000;

/// A list, or a page of it.
pub(super) struct Listing<T> {
    /// What is answered.
    pub items: Vec<T>,
    page: Option<(i64, PageRequest)>,
}

impl<T> Listing<T> {
    /// Cuts the page that the query asks for, if it asks for one.
    pub(super) fn of(query: &Parameters, all: Vec<T>) -> Result<Self, Fault> {
        if query.get("page").is_none() && query.get("per_page").is_none() {
            return Ok(Self { items: all, page: None });
        }
        let page = query.page(MAX_PER_PAGE)?;
        let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
        let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let items = all.into_iter().skip(before).take(page.per_page as usize).collect();
        Ok(Self { items, page: Some((total, page)) })
    }

    /// Adds the headers of a page.
    pub(super) fn headed(&self, answer: ApiResponse) -> ApiResponse {
        match self.page {
            Some((total, page)) => answer.paged(total, page),
            None => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Listing;

    #[test]
    fn a_list_is_whole_until_a_page_is_asked_for() {
        let cut = |raw: &str| Listing::of(&crate::web::query::parse(raw).unwrap(), vec![1, 2, 3, 4, 5]).unwrap().items;
        assert_eq!(cut(""), [1, 2, 3, 4, 5]);
        assert_eq!(cut("page=2&per_page=2"), [3, 4]);
        assert_eq!(cut("page=4&per_page=2"), [0; 0]);
        assert!(Listing::of(&crate::web::query::parse("page=0").unwrap(), vec![1]).is_err());
    }
}
