//! Pages of lists.

/// A request for one page of a list. Both numbers are at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// 1 is the first page.
    pub page: u32,
    /// Items on a page.
    pub per_page: u32,
}

impl PageRequest {
    /// How many items come before this page.
    pub fn offset(self) -> i64 {
        i64::from(self.page.saturating_sub(1)) * i64::from(self.per_page)
    }

    /// How many pages `total` items make.
    pub fn pages_of(self, total: i64) -> i64 {
        (total + self.limit() - 1) / self.limit()
    }

    /// The most items of this page.
    pub fn limit(self) -> i64 {
        i64::from(self.per_page)
    }
}

/// One page and the number of all items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items of this page.
    pub items: Vec<T>,
    /// All matches, on every page.
    pub total: i64,
}

#[cfg(test)]
mod tests {
    use super::PageRequest;

    #[test]
    fn a_page_begins_after_those_before_it() {
        let page = |page, per_page| PageRequest { page, per_page };
        assert_eq!((page(1, 25).offset(), page(2, 25).offset(), page(4, 10).offset()), (0, 25, 30));
        assert_eq!((page(0, 25).offset(), page(1, 25).limit()), (0, 25));
        assert_eq!(page(u32::MAX, 1_000).offset(), 4_294_967_294_000);
    }

    #[test]
    fn the_last_page_may_be_partly_filled() {
        let page = PageRequest { page: 1, per_page: 25 };
        assert_eq!([0, 1, 25, 26, 50, 51].map(|total| page.pages_of(total)), [0, 1, 1, 2, 2, 3]);
    }
}
