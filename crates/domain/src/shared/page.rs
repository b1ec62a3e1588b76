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

    /// How many pages so many items make.
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
