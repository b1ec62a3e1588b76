//! How many responses are rendered at a time.

/// For each of these pages at a time there is one expensive query.
const PAGES_FOR_EXPENSIVE: usize = 8;
/// How many whole spaces are rendered at a time, and from how many connections on.
const WHOLE_SPACES: usize = 2;
const ENOUGH_FOR_WHOLE_SPACES: usize = 6;
/// The part of the connections that is never used for rendering, rounded up, and the least number of these.
const RESERVE: usize = 4;
const LEAST_RESERVE: usize = 2;

/// How many responses are rendered at a time, by their cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Permits {
    pub(super) pages: usize,
    pub(super) expensive: usize,
    pub(super) whole_spaces: usize,
}

impl Permits {
    /// As many as are wanted, as far as the connections of the pool allow: a reserve of these stays for
    /// everything else, however slow the responses are. There is one of each in any case.
    pub(super) fn new(pages: usize, connections: usize) -> Self {
        let available = connections.saturating_sub(connections.div_ceil(RESERVE).max(LEAST_RESERVE));
        let whole_spaces = if available >= ENOUGH_FOR_WHOLE_SPACES { WHOLE_SPACES } else { 1 };
        let rest = available.saturating_sub(whole_spaces);
        let pages = pages.min(rest - rest.div_ceil(PAGES_FOR_EXPENSIVE + 1)).max(1);
        Self { pages, expensive: pages.div_ceil(PAGES_FOR_EXPENSIVE), whole_spaces }
    }
}

#[cfg(test)]
mod tests {
    use super::Permits;

    #[test]
    fn a_quarter_of_the_connections_is_never_used_for_rendering() {
        assert_eq!(Permits::new(8, 16), Permits { pages: 8, expensive: 1, whole_spaces: 2 });
        assert_eq!(Permits::new(64, 16), Permits::new(8, 16));
        assert_eq!(Permits::new(64, 200).pages, 64);
        for connections in 5..=1_000 {
            for pages in [1, 4, 16, 1_000] {
                let Permits { pages, expensive, whole_spaces } = Permits::new(pages, connections);
                assert!(pages + expensive + whole_spaces + connections.div_ceil(4).max(2) <= connections, "{connections}");
            }
        }
    }

    #[test]
    fn a_small_pool_renders_one_of_each() {
        for connections in 1..5 {
            assert_eq!(Permits::new(8, connections), Permits { pages: 1, expensive: 1, whole_spaces: 1 });
        }
    }
}
