//! The mapping from the ids of a source to those here.

use super::{Fingerprint, Imported, Kind, Outcome, SourceId};
use crate::shared::NumericId;
use std::collections::BTreeMap;

/// What is known here about a record of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdMapping<Id> {
    pub id: Id,
    /// The fingerprint of what was stored; `None` if the id is only reserved.
    pub fingerprint: Option<Fingerprint>,
    /// Its outcome in the current import, if that import processed it before a crash.
    pub outcome: Option<Outcome>,
}

impl<Id> IdMapping<Id> {
    /// A mapping whose id is only reserved.
    pub fn reserved(id: Id) -> Self {
        Self { id, fingerprint: None, outcome: None }
    }

    /// The same with the id in another form.
    fn with<Other>(self, form: impl FnOnce(Id) -> Other) -> IdMapping<Other> {
        IdMapping { id: form(self.id), fingerprint: self.fingerprint, outcome: self.outcome }
    }
}

/// The mappings of records of all kinds.
#[derive(Debug, Clone, Default)]
pub struct IdMappings(BTreeMap<(Kind, i64), IdMapping<i64>>);

impl IdMappings {
    /// The mapping of a record.
    pub fn get<R: Imported>(&self, id: SourceId<R>) -> Option<IdMapping<R::Id>> {
        self.0.get(&(R::KIND, id.number())).map(|mapping| mapping.with(R::Id::of))
    }

    /// Adds the mapping of a record, or replaces it.
    pub fn insert<R: Imported>(&mut self, id: SourceId<R>, mapping: IdMapping<R::Id>) {
        self.insert_row(R::KIND, id.number(), mapping.with(R::Id::number));
    }

    /// The same as a row has it: kind, id at the source, mapping.
    pub fn insert_row(&mut self, kind: Kind, id: i64, mapping: IdMapping<i64>) {
        self.0.insert((kind, id), mapping);
    }

    /// All mappings as rows have them.
    pub fn rows(&self) -> impl Iterator<Item = (Kind, i64, &IdMapping<i64>)> {
        self.0.iter().map(|((kind, id), mapping)| (*kind, *id, mapping))
    }

    /// The mappings of a kind.
    pub fn of<R: Imported>(&self) -> impl Iterator<Item = (SourceId<R>, IdMapping<R::Id>)> {
        let all = self.0.range((R::KIND, i64::MIN)..=(R::KIND, i64::MAX));
        all.map(|((_, id), mapping)| (SourceId::of(*id), mapping.with(R::Id::of)))
    }

    /// Takes in further mappings. They serve to find ids: an outcome counts once, so that if the source has
    /// the same record twice, the second one is reported by itself.
    pub fn extend(&mut self, more: Self) {
        self.0.extend(more.0.into_iter().map(|(key, mapping)| (key, IdMapping { outcome: None, ..mapping })));
    }
}

#[cfg(test)]
mod tests {
    use super::{IdMapping, IdMappings};
    use crate::{
        content::import::{
            Kind, Outcome, SourceId,
            record::{Asset, Preset, Story},
        },
        shared::{AssetId, StoryId},
    };

    #[test]
    fn each_kind_has_ids_of_its_own() {
        let mut all = IdMappings::default();
        all.insert(SourceId::<Story>::of(1), IdMapping::reserved(StoryId(11)));
        all.insert(SourceId::<Asset>::of(1), IdMapping::reserved(AssetId(12)));
        all.insert_row(Kind::Story, 2, IdMapping { id: 21, fingerprint: Some([1; 16]), outcome: Some(Outcome::Created) });
        assert_eq!(all.get(SourceId::<Story>::of(1)).map(|mapping| mapping.id), Some(StoryId(11)));
        assert_eq!(all.get(SourceId::<Asset>::of(1)).map(|mapping| mapping.id), Some(AssetId(12)));
        assert_eq!(all.get(SourceId::<Preset>::of(1)), None);
        let stories: Vec<_> = all.of::<Story>().map(|(id, mapping)| (id.number(), mapping.id.0)).collect();
        assert_eq!(stories, [(1, 11), (2, 21)]);
        let mut known = IdMappings::default();
        known.extend(all);
        assert_eq!(known.get(SourceId::<Story>::of(2)).and_then(|mapping| mapping.outcome), None, "it counts once");
    }
}
