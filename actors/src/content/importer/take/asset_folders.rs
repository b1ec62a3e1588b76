//! Folders of assets: known by their UUIDs, which they keep.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::memory::Memory;
use crypto::digest;
use domain::{
    content::{
        asset_folder::{AssetFolder, AssetFolderChange},
        field::Field,
        import::{Finding, Kind, Outcome, Record},
    },
    shared::AssetFolderId,
};
use storage::{
    Result,
    content::asset_folders::{self, Filter, NewFolder},
};
use uuid::Uuid;

const KIND: Kind = Kind::AssetFolder;

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let mut here = asset_folders::list(&hand.query(), hand.space(), &Filter::default()).await?;
    here.extend(memory.made.asset_folders.iter().cloned());
    for item in items {
        let Subject::Record(Record::AssetFolder(folder)) = &item.subject else {
            super::unreadable(KIND, &item.subject, taken);
            continue;
        };
        let above = folder.parent_id.filter(|id| *id != 0);
        let parent = above.and_then(|id| taken.known(memory, KIND, id)).map(|it| AssetFolderId(it.id));
        if above.is_some() && parent.is_none() {
            let message = "the folder above it is missing: it stands at the top";
            taken.warn(Finding::new("parentMissing", KIND, folder.id, &folder.name, message));
        }
        let known = memory.known(KIND, folder.id);
        let is_same = |it: &&AssetFolder| match folder.uuid {
            Some(uuid) => it.uuid == uuid,
            None => known.is_some_and(|known| known.id == it.id.0),
        };
        let old = here.iter().find(is_same).cloned();
        let change = AssetFolderChange { name: Some(folder.name.clone()), parent_id: Field::Given(parent) };
        let (name, parent) = match change.apply(old.as_ref(), &here) {
            Ok(applied) => applied,
            Err(fault) => {
                taken.refuse(KIND, folder.id, &folder.name, &fault);
                continue;
            }
        };
        let print = digest::of_parts([name.as_bytes(), parent.map_or(0, |it| it.0).to_string().as_bytes()]);
        let (outcome, id) = match &old {
            Some(old) if known.is_some_and(|it| it.id == old.id.0 && it.fingerprint == Some(print)) => (Outcome::Unchanged, old.id),
            Some(old) => {
                if let Some(desk) = hand.desk() {
                    asset_folders::update(desk.tx, desk.space, old.id, &name, parent, desk.now).await?;
                }
                (Outcome::Updated, old.id)
            }
            None => {
                let uuid = folder.uuid.unwrap_or_else(|| uuid_of(memory.source, folder.id));
                let id = match hand.desk() {
                    Some(desk) => {
                        let new = NewFolder { uuid, name: name.clone(), parent };
                        asset_folders::insert(desk.tx, desk.space, &new, desk.now).await?
                    }
                    None => AssetFolderId(taken.make_up()),
                };
                let made = AssetFolder { id, uuid, name, parent_id: parent, parent_uuid: None };
                if hand.desk().is_none() {
                    taken.made.asset_folders.push(made.clone());
                }
                here.push(made);
                (Outcome::Created, id)
            }
        };
        taken.took(memory, KIND, folder.id, outcome, id.0, print);
    }
    Ok(())
}

/// A UUID for a folder whose source shows none: the same each time.
fn uuid_of(space: i64, folder: i64) -> Uuid {
    let half = digest::of_parts([b"asset folder".as_slice(), &space.to_be_bytes(), &folder.to_be_bytes()]);
    uuid::Builder::from_random_bytes(half).into_uuid()
}
