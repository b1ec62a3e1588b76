//! Which content types the stories of a folder may have. A folder says it in its content, in Storyblok's
//! names: `content_types`, a list of root components, and `lock_subfolders_content_types`, which makes the
//! list hold in the folders below, too. An empty list allows all.

use crate::shared::{Fault, FieldCode};
use serde_json::Value;

/// What a folder allows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FolderTypes {
    allowed: Vec<String>,
    is_for_subfolders: bool,
}

impl FolderTypes {
    /// Reads the members of a folder's content. What has another shape says nothing.
    pub fn read(content_types: Option<&Value>, lock_subfolders: Option<&Value>) -> Self {
        let listed = content_types.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Self {
            allowed: listed.iter().filter_map(Value::as_str).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            is_for_subfolders: matches!(lock_subfolders, Some(Value::Bool(true))),
        }
    }
}

/// What those folders allow in the folders below: the list of a story's own folder, which is not one of them,
/// holds there already.
pub fn for_subfolders(folders: Vec<FolderTypes>) -> Vec<FolderTypes> {
    let holds = |folder: &FolderTypes| folder.is_for_subfolders && !folder.allowed.is_empty();
    folders.into_iter().filter(holds).collect()
}

/// 422 on `content_types` for a root component that a folder does not allow. `folders` are those that a story
/// is in, its own first.
pub fn check(folders: &[FolderTypes], component: &str) -> Result<(), Fault> {
    let applies = |(depth, folder): &(usize, &FolderTypes)| *depth == 0 || folder.is_for_subfolders;
    let refuses = |folder: &&FolderTypes| !folder.allowed.is_empty() && !folder.allowed.iter().any(|name| name == component);
    match folders.iter().enumerate().filter(applies).map(|(_, folder)| folder).find(refuses) {
        None => Ok(()),
        Some(folder) => {
            let message = format!("of the folder do not allow {component}: it takes {}", folder.allowed.join(", "));
            Err(Fault::invalid("content_types", FieldCode::ComponentNotAllowed, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FolderTypes, check, for_subfolders};
    use serde_json::{Value, json};

    fn folder(types: Value, lock: Value) -> FolderTypes {
        FolderTypes::read(Some(&types), Some(&lock))
    }

    #[test]
    fn the_own_folder_and_those_above_that_lock_have_a_say() {
        let (all, posts) = (|| folder(json!([]), json!(true)), |lock: bool| folder(json!(["post", "news"]), json!(lock)));
        for (folders, component, is_right) in [
            (vec![], "page", true),
            (vec![all()], "page", true),
            (vec![posts(false)], "post", true),
            (vec![posts(false)], "page", false),
            (vec![all(), posts(false)], "page", true),
            (vec![all(), posts(true)], "page", false),
            (vec![all(), all(), posts(true)], "news", true),
            (vec![folder(json!(["page"]), json!(false)), posts(true)], "page", false),
        ] {
            assert_eq!(check(&folders, component).is_ok(), is_right, "{folders:?} {component}");
        }
    }

    #[test]
    fn below_hold_the_lists_of_those_that_lock() {
        let (locks, own) = (folder(json!(["post"]), json!(true)), folder(json!(["news"]), json!(false)));
        let all = folder(json!([]), json!(true));
        assert_eq!(for_subfolders(vec![own, all, locks.clone()]), [locks]);
    }

    #[test]
    fn what_has_another_shape_says_nothing() {
        for (types, lock) in [(json!("post"), json!("true")), (json!([1, null, ""]), json!(1)), (json!(null), json!({}))] {
            assert_eq!(folder(types, lock), FolderTypes::default());
        }
        assert_eq!(FolderTypes::read(None, None), FolderTypes::default());
    }
}
