//! Groups of components: a tree of names.

use super::{checks::Checks, field::Field, hierarchy};
use crate::shared::{Fault, GroupId};
use serde::Deserialize;
use uuid::Uuid;

/// How deep groups may stand in each other.
pub const MAX_GROUP_DEPTH: usize = 32;

/// A group as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentGroup {
    /// Its number.
    pub id: GroupId,
    /// What components and whitelists name it by.
    pub uuid: Uuid,
    /// The name people see.
    pub name: String,
    /// The group it stands in.
    pub parent_id: Option<GroupId>,
    /// The same by UUID.
    pub parent_uuid: Option<Uuid>,
}

/// What a caller sends, for a new group or a change.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct GroupChange {
    name: Option<String>,
    parent_id: Field<Option<GroupId>>,
}

impl GroupChange {
    /// Name and parent of a group after the change; `old` is what it had, if there was one.
    ///
    /// 422 for a parent that does not exist, is the group itself or stands below it, or stands too deep. 0 is no parent, as in
    /// folders. `all` are the groups of the space.
    pub fn apply(&self, old: Option<&ComponentGroup>, all: &[ComponentGroup]) -> Result<(String, Option<GroupId>), Fault> {
        let name = self.name.clone().or_else(|| old.map(|it| it.name.clone())).unwrap_or_default();
        let mut parent = old.and_then(|it| it.parent_id);
        self.parent_id.apply(&mut parent);
        let parent = parent.filter(|it| it.0 != 0);

        let mut checks = Checks::default();
        checks.required("name", &name, 255);
        if let Some(parent) = parent {
            let parents = all.iter().map(|it| (it.id, it.parent_id)).collect();
            hierarchy::check_parent(parent, old.map(|it| it.id), &parents, MAX_GROUP_DEPTH, &mut checks);
        }
        checks.finish()?;
        Ok((name, parent))
    }
}

#[cfg(test)]
mod tests {
    use super::{ComponentGroup, GroupChange, MAX_GROUP_DEPTH};
    use crate::shared::GroupId;
    use uuid::Uuid;

    fn group(id: i64, parent: Option<i64>) -> ComponentGroup {
        let name = format!("group {id}");
        ComponentGroup { id: GroupId(id), uuid: Uuid::nil(), name, parent_id: parent.map(GroupId), parent_uuid: None }
    }

    fn verdict(body: &str, old: Option<i64>, all: &[ComponentGroup]) -> Result<Option<i64>, &'static str> {
        let change: GroupChange = serde_json::from_str(body).unwrap();
        let old = old.and_then(|id| all.iter().find(|it| it.id.0 == id));
        change.apply(old, all).map(|(_, parent)| parent.map(|it| it.0)).map_err(|fault| fault.details[0].code)
    }

    #[test]
    fn a_group_never_stands_in_itself() {
        let all = [group(1, None), group(2, Some(1)), group(3, Some(2))];
        for parent in 1..=3 {
            assert_eq!(verdict(&format!(r#"{{"parent_id":{parent}}}"#), Some(1), &all), Err("cycle"), "{parent}");
        }
        assert_eq!(verdict(r#"{"parent_id":1}"#, Some(3), &all), Ok(Some(1)));
        assert_eq!(verdict(r#"{"parent_id":null}"#, Some(3), &all), Ok(None));
        assert_eq!(verdict(r#"{"parent_id":0}"#, Some(3), &all), Ok(None));
        assert_eq!(verdict(r#"{"name":"x"}"#, Some(3), &all), Ok(Some(2)));
        assert_eq!(verdict(r#"{"parent_id":9}"#, Some(3), &all), Err("unknown"));
        assert_eq!(verdict(r#"{"name":""}"#, None, &all), Err("blank"));
    }

    #[test]
    fn depth_is_bounded() {
        let deep: Vec<_> = (1..=40).map(|id| group(id, (id > 1).then_some(id - 1))).collect();
        let last = i64::try_from(MAX_GROUP_DEPTH).unwrap();
        assert_eq!(verdict(&format!(r#"{{"name":"x","parent_id":{}}}"#, last - 1), None, &deep), Ok(Some(last - 1)));
        assert_eq!(verdict(&format!(r#"{{"name":"x","parent_id":{last}}}"#), None, &deep), Err("tooDeep"));
    }
}
