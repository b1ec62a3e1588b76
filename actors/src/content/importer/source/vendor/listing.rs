//! Reads lists page by page, whatever their totals say: a list is bounded by what the source says that it
//! has, by what is new on each page, and by the memory of the import.

use super::{Error, RetryingClient};
use domain::content::import::SourceId;
use egress::vendor::{Held, Record, VendorPage};
use std::{collections::HashSet, future::Future};

/// How often a list is read again that changes while it is read.
const READS: usize = 3;
/// The maximum number of pages of a list, whatever the source says.
const MAX_PAGES: u64 = 20_000;
/// How many pages more than announced a list may have, because records are added while it is read; also a
/// tenth of those announced.
const MORE_PAGES: u64 = 10;

/// What is kept of a record.
pub(super) struct Kept<R, T> {
    pub(super) id: SourceId<R>,
    pub(super) item: T,
    /// What that takes, in bytes, besides what it counts itself.
    pub(super) bytes: usize,
}

/// Reads all pages of a list, each record once, in the source's order. If the list changed meanwhile, records
/// may have moved to pages that were read already, so it is read again for those that were missed. Records of
/// which nothing is kept are left out.
pub(super) async fn read_list<R, T, F: Future<Output = Result<VendorPage, Error>>>(
    client: &RetryingClient,
    page: impl Fn(u64) -> F,
    keep: impl Fn(Record) -> Option<Kept<R, T>>,
) -> Result<(Vec<T>, Held), Error> {
    let mut all: Vec<T> = Vec::new();
    let mut held = client.vendor.memory().nothing();
    let mut seen = HashSet::new();
    for _ in 0..READS {
        let read = read_pages(client, &page, &keep).await?;
        held.join(read.held);
        for Kept { id, item, bytes } in read.items {
            if seen.insert(id) {
                all.push(item);
            } else {
                held.release(bytes);
            }
        }
        if !read.has_changed {
            break;
        }
    }
    Ok((all, held))
}

/// The result of reading a list once.
struct ListRead<R, T> {
    items: Vec<Kept<R, T>>,
    held: Held,
    /// Whether the total changed between pages, or a record came twice.
    has_changed: bool,
}

/// Reads a list to its end: a page with nothing new, or a short page once the total is reached.
async fn read_pages<R, T, F: Future<Output = Result<VendorPage, Error>>>(
    client: &RetryingClient,
    page: impl Fn(u64) -> F,
    keep: impl Fn(Record) -> Option<Kept<R, T>>,
) -> Result<ListRead<R, T>, Error> {
    let mut read = ListRead { items: Vec::new(), held: client.vendor.memory().nothing(), has_changed: false };
    let mut ids = HashSet::new();
    let mut came = 0;
    let mut stated_total = None;
    let mut most = MAX_PAGES;
    for number in 1.. {
        if number > most {
            return Err(Error::Endless);
        }
        let page = client.with_retries(|| page(number)).await?;
        let here = page.items.len() as u64;
        came += here;
        let before = ids.len();
        let mut has_duplicates = false;
        // `keep` reduces each record before the next page is read, because lists may be long.
        for kept in page.items.into_iter().filter_map(&keep) {
            let is_new = ids.insert(kept.id);
            has_duplicates |= !is_new;
            if is_new {
                read.held.grow(kept.bytes)?;
                read.items.push(kept);
            }
        }
        if number == 1 {
            most = max_pages(page.total, here);
        }
        read.has_changed |= has_duplicates || (number > 1 && page.total != stated_total);
        stated_total = page.total;
        let is_short = page.per_page.is_some_and(|per_page| here < per_page);
        // A page that repeats others ends the list, too: the source does not heed the number of the page.
        if ids.len() == before || page.total.is_some_and(|total| is_short && came >= total) {
            break;
        }
    }
    Ok(read)
}

/// How many pages a list may have whose first page has this many records, out of this total.
fn max_pages(total: Option<u64>, here: u64) -> u64 {
    let Some(total) = total else { return MAX_PAGES };
    let pages = total.div_ceil(here.max(1));
    pages.saturating_add(pages / 10 + MORE_PAGES).min(MAX_PAGES)
}

#[cfg(test)]
mod tests {
    use super::{MAX_PAGES, max_pages};

    #[test]
    fn a_list_may_have_some_more_pages_than_it_was_said_to_have() {
        for (total, here, most) in [(Some(0), 0, 10), (Some(250), 100, 13), (Some(100_000), 100, 1_110), (Some(5), 0, 15)] {
            assert_eq!(max_pages(total, here), most, "{total:?} {here}");
        }
        for (total, here) in [(None, 100), (Some(u64::MAX), 1), (Some(u64::MAX), 0)] {
            assert_eq!(max_pages(total, here), MAX_PAGES, "{total:?} {here}");
        }
    }
}
