//! Lists with random filters, orders, tags and searches, of which few come from the cache.

use super::{Load, Setup};
use crate::harness::{
    site::{KINDS, Space},
    user::{Pace, TimedClient, TurnFuture, User},
};
use anyhow::Result;
use fastrand::Rng;
use std::time::Duration;

pub(super) async fn prepare(setup: &mut Setup<'_>) -> Result<Load> {
    let space = setup.site.space("delivery mixed").await?;
    setup.site.write_stories(&space, setup.args.stories).await?;
    Ok(setup.group(Pace::Closed(Duration::ZERO), readers(&space, 0, setup.users(16))).into())
}

/// Users that read such lists of a space. Those with another first number ask for other lists, which do not
/// come from the cache either.
pub(super) fn readers(space: &Space, first: u64, count: u32) -> Vec<Box<dyn User>> {
    let reader = |number| -> Box<dyn User> { Box::new(Reader { space: space.clone(), random: Rng::with_seed(number) }) };
    (first..).zip(0..count).map(|(number, _)| reader(number)).collect()
}

struct Reader {
    space: Space,
    random: Rng,
}

impl Reader {
    /// The name of a list and its parameters. Prices and left-out ids make most of them new to the server.
    fn list(&mut self) -> (&'static str, String) {
        let (kind, price, left_out) = (self.random.u32(..KINDS), self.random.u32(..1_009), self.random.u32(..1 << 30));
        let (name, filter) = match self.random.u32(..6) {
            0 => ("by prefix", format!("starts_with=folder-{kind}/")),
            1 => ("by category", format!("filter_query[category][in]=category-{kind}")),
            2 => ("by price", format!("filter_query[price][gt_int]={price}&sort_by=content.price:asc:int")),
            3 => ("by tag", format!("with_tag=tag-{kind}&sort_by=name:desc")),
            4 => ("by search", format!("search_term=title+{price}")),
            _ => ("two filters", format!("filter_query[category][in]=category-{kind}&filter_query[price][lt_int]={price}")),
        };
        // Brackets are not allowed in the query of a URL.
        let filter = filter.replace('[', "%5B").replace(']', "%5D");
        (name, format!("stories?per_page=25&excluding_ids={left_out}&{filter}"))
    }
}

impl User for Reader {
    /// One list.
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let (name, list) = self.list();
            client.send(name, self.space.read(&list, "published")?).await;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use crate::harness::site::Space;
    use fastrand::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn lists_are_of_every_kind_and_hardly_ever_the_same() {
        let text = String::new;
        let space = Space { id: 1, public: text(), preview: text(), admin: text() };
        let mut reader = Reader { space, random: Rng::with_seed(1) };
        let lists: Vec<_> = (0..200).map(|_| reader.list()).collect();
        let again = &mut Reader { space: reader.space.clone(), random: Rng::with_seed(1) };
        assert!(lists.iter().all(|list| *list == again.list()), "the same in every run");
        assert_eq!(lists.iter().map(|(name, _)| name).collect::<BTreeSet<_>>().len(), 6);
        assert_eq!(lists.iter().map(|(_, list)| list).collect::<BTreeSet<_>>().len(), 200);
        assert!(reader.space.read(&lists[0].1, "published").is_ok());
    }
}
