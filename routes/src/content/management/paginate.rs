//! The parameters of lists, and paging of those that Storyblok always answers whole. A client that pages
//! through such a list all the same must come to an end, so `page` and `per_page` are honoured when they are
//! sent.

use crate::web::{ApiRequest, ApiResponse};
use domain::shared::{Fault, FieldCode, PageRequest, Parameters};

/// The most items of one page.
const MAX_PER_PAGE: u32 = 1000;

/// The query of a list that knows these parameters, in the notation of [`Parameters::only`], and those that
/// every list has: `page`, `per_page`, and `version`, which `getAll` of Storyblok's JavaScript client adds to
/// every list. There is one version of what is managed, so both values of it answer the same.
///
/// A parameter that its client meant to leave out is absent ([`Parameters::without_unset`]). 422 for another
/// parameter, and for a `version` that is neither `draft` nor `published`.
pub(super) fn list_parameters(request: &ApiRequest, known: &[&str]) -> Result<Parameters, Fault> {
    let query = request.query()?;
    query.only(&[known, &["page", "per_page", "version"]].concat())?;
    let query = query.without_unset();
    match query.text("version") {
        None | Some("draft" | "published") => Ok(query),
        Some(_) => Err(Fault::invalid("version", FieldCode::Invalid, "must be draft or published")),
    }
}

/// A whole list, or a page of it.
pub(super) struct MaybePage<T> {
    /// The items to answer.
    pub(super) items: Vec<T>,
    /// The length of the whole list, and the page that was asked for.
    page: Option<(i64, PageRequest)>,
}

/// Cuts out the page that the query asks for, if it asks for one.
pub(super) fn paginate<T>(query: &Parameters, all: Vec<T>) -> Result<MaybePage<T>, Fault> {
    if query.get("page").is_none() && query.get("per_page").is_none() {
        return Ok(MaybePage { items: all, page: None });
    }
    let page = query.page(MAX_PER_PAGE)?;
    let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let items = all.into_iter().skip(before).take(page.per_page as usize).collect();
    Ok(MaybePage { items, page: Some((total, page)) })
}

impl<T> MaybePage<T> {
    /// Adds the headers of a page, if it is one.
    pub(super) fn add_headers(&self, response: ApiResponse) -> ApiResponse {
        match self.page {
            Some((total, page)) => response.paged(total, page),
            None => response,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::paginate;
    use crate::web::query;

    #[test]
    fn a_list_is_whole_until_a_page_is_asked_for() {
        let cut = |raw: &str| paginate(&query::parse(raw).unwrap(), vec![1, 2, 3, 4, 5]).unwrap().items;
        assert_eq!(cut(""), [1, 2, 3, 4, 5]);
        assert_eq!(cut("page=2&per_page=2"), [3, 4]);
        assert_eq!(cut("page=4&per_page=2"), [0; 0]);
        assert!(paginate(&query::parse("page=0").unwrap(), vec![1]).is_err());
    }
}
