//! Folders of assets: a tree of names. URLs know nothing of them.

use super::{checks::Checks, field::Field, hierarchy};
use crate::shared::{AssetFolderId, Fault};
use serde::Deserialize;
use uuid::Uuid;

/// How deep folders may stand in each other.
pub const MAX_FOLDER_DEPTH: usize = 32;

/// A folder as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetFolder {
    /// Its number.
    pub id: AssetFolderId,
    /// The same for other systems.
    pub uuid: Uuid,
    /// The name people see.
    pub name: String,
    /// The folder it stands in.
    pub parent_id: Option<AssetFolderId>,
    /// The same by UUID.
    pub parent_uuid: Option<Uuid>,
}

/// What a caller sends, for a new folder or a change.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct AssetFolderChange {
    /// The name.
    pub name: Option<String>,
    /// The folder it is to stand in.
    pub parent_id: Field<Option<AssetFolderId>>,
}

impl AssetFolderChange {
    /// Name and parent after the change; `old` is what it had, if there was one. 422 for a parent that cannot be one (0 is none).
    /// `all` are the folders of the space.
    pub fn apply(&self, old: Option<&AssetFolder>, all: &[AssetFolder]) -> Result<(String, Option<AssetFolderId>), Fault> {
        let name = self.name.clone().or_else(|| old.map(|it| it.name.clone())).unwrap_or_default();
        let mut parent = old.and_then(|it| it.parent_id);
        self.parent_id.apply(&mut parent);
        let parent = parent.filter(|it| it.0 != 0);

        let mut checks = Checks::default();
        checks.required("name", &name, 255);
        if let Some(parent) = parent {
            let parents = all.iter().map(|it| (it.id, it.parent_id)).collect();
            hierarchy::check_parent(parent, old.map(|it| it.id), &parents, MAX_FOLDER_DEPTH, &mut checks);
        }
        checks.finish()?;
        Ok((name, parent))
    }
}

#[cfg(test)]
mod tests {
    use super::{AssetFolder, AssetFolderChange};
    use crate::shared::AssetFolderId;
    use uuid::Uuid;

    #[test]
    fn a_folder_never_stands_in_itself() {
        let folder = |id: i64, parent: Option<i64>| AssetFolder {
            id: AssetFolderId(id),
            uuid: Uuid::nil(),
            name: "n".into(),
            parent_id: parent.map(AssetFolderId),
            parent_uuid: None,
        };
        let all = [folder(1, None), folder(2, Some(1))];
        let verdict = |body: &str, old: usize| {
            let change: AssetFolderChange = serde_json::from_str(body).unwrap();
            change.apply(all.get(old), &all).map(|(_, parent)| parent.map(|it| it.0)).map_err(|it| it.details[0].code)
        };
        assert_eq!(verdict(r#"{"parent_id":2}"#, 0), Err("cycle"));
        assert_eq!(verdict(r#"{"parent_id":9}"#, 0), Err("unknown"));
        assert_eq!(verdict(r#"{"parent_id":0}"#, 1), Ok(None));
        assert_eq!(verdict(r#"{"name":"x"}"#, 1), Ok(Some(1)));
        assert_eq!(verdict(r#"{"parent_id":1}"#, 9), Err("blank"), "a new one needs a name");
    }
}
