//! Trees of folders: groups of components, and folders of assets. Each node has a name, a number, and a UUID
//! by which other systems know it.

use super::{checks::Checks, field::Field};
use crate::shared::{Fault, FieldCode, NumericId};
use serde::Deserialize;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The most levels of a tree.
pub const MAX_DEPTH: usize = 32;

/// A node as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node<Id> {
    pub id: Id,
    /// The UUID by which other records and other systems name it.
    pub uuid: Uuid,
    /// The name people see.
    pub name: String,
    pub parent_id: Option<Id>,
    /// The UUID of its parent.
    pub parent_uuid: Option<Uuid>,
}

/// The body of a request for a new one or a change of one.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, bound(deserialize = "Id: Deserialize<'de>"))]
pub struct NodeChange<Id> {
    pub name: Option<String>,
    /// The parent; 0 is none.
    pub parent_id: Field<Option<Id>>,
}

impl<Id> Default for NodeChange<Id> {
    fn default() -> Self {
        Self { name: None, parent_id: Field::default() }
    }
}

impl<Id: NumericId> NodeChange<Id> {
    /// Name and parent after the change; `old` is what it had, if there was one. `all` are the nodes of the
    /// space.
    ///
    /// 422 for a parent that does not exist, is the node itself or below it, or is too deep.
    pub fn apply(&self, old: Option<&Node<Id>>, all: &[Node<Id>]) -> Result<(String, Option<Id>), Fault> {
        let name = self.name.clone().or_else(|| old.map(|old| old.name.clone())).unwrap_or_default();
        let mut parent = old.and_then(|old| old.parent_id);
        self.parent_id.apply(&mut parent);
        let parent = parent.filter(|parent| parent.number() != 0);

        let mut checks = Checks::default();
        checks.required("name", &name, 255);
        if let Some(parent) = parent {
            check_parent(parent, old.map(|old| old.id), all, &mut checks);
        }
        checks.finish()?;
        Ok((name, parent))
    }
}

fn check_parent<Id: NumericId>(parent: Id, own: Option<Id>, all: &[Node<Id>], checks: &mut Checks) {
    let parents: BTreeMap<Id, Option<Id>> = all.iter().map(|value| (value.id, value.parent_id)).collect();
    if !parents.contains_key(&parent) {
        return checks.refuse("parent_id", FieldCode::Unknown, "does not exist");
    }
    let mut above = Some(parent);
    for _ in 0..MAX_DEPTH {
        let Some(next) = above else { return };
        if Some(next) == own {
            return checks.refuse("parent_id", FieldCode::Cycle, "can't be itself or one below it");
        }
        above = parents.get(&next).copied().flatten();
    }
    checks.refuse("parent_id", FieldCode::TooDeep, format!("stands too deep (maximum is {MAX_DEPTH} levels)"));
}

/// A node and those below it, each behind its parent.
pub fn below<Id: NumericId>(top: Id, all: &[Node<Id>]) -> Vec<&Node<Id>> {
    let mut tree: Vec<&Node<Id>> = all.iter().filter(|node| node.id == top).collect();
    let mut at = 0;
    while let Some(parent) = tree.get(at).map(|node| node.id) {
        tree.extend(all.iter().filter(|node| node.parent_id == Some(parent)));
        at += 1;
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, Node, NodeChange, below};
    use crate::shared::GroupId;
    use uuid::Uuid;

    fn group(id: i64, parent: Option<i64>) -> Node<GroupId> {
        let name = format!("group {id}");
        Node { id: GroupId(id), uuid: Uuid::nil(), name, parent_id: parent.map(GroupId), parent_uuid: None }
    }

    fn verdict(body: &str, old: Option<i64>, all: &[Node<GroupId>]) -> Result<Option<i64>, &'static str> {
        let change: NodeChange<GroupId> = serde_json::from_str(body).unwrap();
        let old = old.and_then(|id| all.iter().find(|value| value.id.0 == id));
        change.apply(old, all).map(|(_, parent)| parent.map(|parent| parent.0)).map_err(|fault| fault.details[0].code.name())
    }

    #[test]
    fn nothing_ever_stands_in_itself() {
        let all = [group(1, None), group(2, Some(1)), group(3, Some(2))];
        for parent in 1..=3 {
            assert_eq!(verdict(&format!(r#"{{"parent_id":{parent}}}"#), Some(1), &all), Err("cycle"), "{parent}");
        }
        assert_eq!(verdict(r#"{"parent_id":1}"#, Some(3), &all), Ok(Some(1)));
        assert_eq!(verdict(r#"{"parent_id":null}"#, Some(3), &all), Ok(None));
        assert_eq!(verdict(r#"{"parent_id":0}"#, Some(3), &all), Ok(None));
        assert_eq!(verdict(r#"{"name":"x"}"#, Some(3), &all), Ok(Some(2)));
        assert_eq!(verdict(r#"{"parent_id":9}"#, Some(3), &all), Err("unknown"));
        assert_eq!(verdict(r#"{"name":""}"#, Some(3), &all), Err("blank"));
        assert_eq!(verdict(r#"{"parent_id":1}"#, None, &all), Err("blank"), "a new one needs a name");
    }

    #[test]
    fn a_tree_is_listed_from_the_top_down() {
        let all = [group(4, Some(3)), group(1, None), group(3, Some(2)), group(2, None), group(5, Some(2))];
        assert_eq!(below(GroupId(2), &all).iter().map(|node| node.id.0).collect::<Vec<_>>(), [2, 3, 5, 4]);
        assert!(below(GroupId(9), &all).is_empty());
    }

    #[test]
    fn depth_is_bounded() {
        let deep: Vec<_> = (1..=40).map(|id| group(id, (id > 1).then_some(id - 1))).collect();
        let last = i64::try_from(MAX_DEPTH).unwrap();
        assert_eq!(verdict(&format!(r#"{{"name":"x","parent_id":{}}}"#, last - 1), None, &deep), Ok(Some(last - 1)));
        assert_eq!(verdict(&format!(r#"{{"name":"x","parent_id":{last}}}"#), None, &deep), Err("tooDeep"));
    }
}
