//! `page` and `perPage` of the lists for administrators.

use crate::{
    identity::FieldErrors,
    shared::{Detail, FieldCode, PageRequest, Parameters},
};
use std::num::IntErrorKind;

/// The items on a page without `perPage`.
const PER_PAGE: u32 = 20;
/// The highest `perPage`; more is lowered to it.
const MAX_PER_PAGE: u32 = 100;

/// Reads both; a number that is too high is lowered, and one that is none is an error.
pub(super) fn read_page(parameters: &Parameters, errors: &mut FieldErrors) -> Option<PageRequest> {
    let page = errors.collect(read_number(parameters, "page", 1, u32::MAX));
    let per_page = errors.collect(read_number(parameters, "perPage", PER_PAGE, MAX_PER_PAGE));
    Some(PageRequest { page: page?, per_page: per_page? })
}

/// A number of at least 1, lowered to `most`.
fn read_number(parameters: &Parameters, name: &'static str, default: u32, most: u32) -> Result<u32, Detail> {
    let Some(text) = parameters.text(name) else { return Ok(default) };
    match text.parse::<u32>() {
        Ok(number) if number >= 1 => Ok(number.min(most)),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(most),
        _ => Err(Detail::new(name, FieldCode::Invalid, "must be a whole number of at least 1")),
    }
}
