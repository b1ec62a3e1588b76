//! Folders of assets and groups of components: known by their UUIDs, which they keep.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::memory::{Made, Memory};
use crypto::digest;
use domain::{
    content::{
        field::Field,
        hierarchy::{Node, NodeChange},
        import::{Finding, Kind, Outcome, Record},
    },
    shared::{AssetFolderId, GroupId},
};
use services::content::hierarchy::Nested;
use storage::{
    Result,
    content::hierarchy::{Filter, NewNode},
};
use uuid::Uuid;

/// What the source says of one.
pub(super) struct Told<'a> {
    id: i64,
    uuid: Option<Uuid>,
    name: &'a str,
    parent_id: Option<i64>,
}

/// A kind of them that is imported.
pub(super) trait Imported: Nested {
    const KIND: Kind;
    /// What a person calls one.
    const WORD: &'static str;
    /// What the UUIDs are made from that a source does not show.
    const UUIDS: &'static str;

    /// What a record says, if it is one of them.
    fn told(record: &Record) -> Option<Told<'_>>;

    /// What a dry run would have made and changed.
    fn made(made: &Made) -> &Vec<Node<Self>>;

    /// The same, to add to it.
    fn made_mut(made: &mut Made) -> &mut Vec<Node<Self>>;
}

impl Imported for AssetFolderId {
    const KIND: Kind = Kind::AssetFolder;
    const WORD: &'static str = "folder";
    const UUIDS: &'static str = "asset folder";

    fn told(record: &Record) -> Option<Told<'_>> {
        let Record::AssetFolder(it) = record else { return None };
        Some(Told { id: it.id, uuid: it.uuid, name: &it.name, parent_id: it.parent_id })
    }

    fn made(made: &Made) -> &Vec<Node<Self>> {
        &made.asset_folders
    }

    fn made_mut(made: &mut Made) -> &mut Vec<Node<Self>> {
        &mut made.asset_folders
    }
}

impl Imported for GroupId {
    const KIND: Kind = Kind::ComponentGroup;
    const WORD: &'static str = "group";
    const UUIDS: &'static str = "component group";

    fn told(record: &Record) -> Option<Told<'_>> {
        let Record::ComponentGroup(it) = record else { return None };
        Some(Told { id: it.id, uuid: Some(it.uuid), name: &it.name, parent_id: it.parent_id })
    }

    fn made(made: &Made) -> &Vec<Node<Self>> {
        &made.groups
    }

    fn made_mut(made: &mut Made) -> &mut Vec<Node<Self>> {
        &mut made.groups
    }
}

/// What is here, or would be by now in a dry run.
pub(super) async fn here<Id: Imported>(hand: &Hand<'_>, memory: &Memory) -> Result<Vec<Node<Id>>> {
    let mut here = Id::TABLE.list(&hand.query(), hand.space(), &Filter::default()).await?;
    for made in Id::made(&memory.made) {
        put(&mut here, made.clone());
    }
    Ok(here)
}

pub(super) async fn take<Id: Imported>(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let mut here = here::<Id>(hand, memory).await?;
    for item in items {
        let record = if let Subject::Record(record) = &item.subject { Id::told(record) } else { None };
        let Some(told) = record else {
            super::unreadable(Id::KIND, &item.subject, taken);
            continue;
        };
        let above = told.parent_id.filter(|id| *id != 0);
        let parent = above.and_then(|id| taken.known(memory, Id::KIND, id)).map(|above| Id::of(above.id));
        if above.is_some() && parent.is_none() {
            let message = format!("the {} above it is missing: it stands at the top", Id::WORD);
            taken.warn(Finding::new("parentMissing", Id::KIND, told.id, told.name, message));
        }
        let known = memory.known(Id::KIND, told.id);
        let is_same = |value: &&Node<Id>| match told.uuid {
            Some(uuid) => value.uuid == uuid,
            None => known.is_some_and(|known| known.id == value.id.number()),
        };
        let old = here.iter().find(is_same).cloned();
        let change = NodeChange { name: Some(told.name.to_owned()), parent_id: Field::Given(parent) };
        let (name, parent_id) = match change.apply(old.as_ref(), &here) {
            Ok(applied) => applied,
            Err(fault) => {
                taken.refuse(Id::KIND, told.id, told.name, &fault);
                continue;
            }
        };
        let print = digest::of_parts([name.as_bytes(), parent_id.map_or(0, Id::number).to_string().as_bytes()]);
        let is_unchanged =
            |old: &Node<Id>| known.is_some_and(|known| known.id == old.id.number() && known.fingerprint == Some(print));
        let (outcome, id) = match old {
            Some(old) if is_unchanged(&old) => (Outcome::Unchanged, old.id),
            Some(old) => {
                let after = Node { name, parent_id, ..old };
                if let Some(ctx) = hand.ctx() {
                    Id::TABLE.update(ctx.tx, ctx.space, after.id, (&after.name, parent_id), ctx.now).await?;
                } else {
                    Id::made_mut(&mut taken.made).push(after.clone());
                }
                let id = after.id;
                put(&mut here, after);
                (Outcome::Updated, id)
            }
            None => {
                let uuid = told.uuid.unwrap_or_else(|| uuid_of::<Id>(memory.source, told.id));
                let new = NewNode { uuid, name, parent_id };
                let id = match hand.ctx() {
                    Some(ctx) => Id::TABLE.insert(ctx.tx, ctx.space, &new, ctx.now).await?,
                    None => Id::of(taken.make_up()),
                };
                let made = Node { id, uuid, name: new.name, parent_id, parent_uuid: None };
                if hand.ctx().is_none() {
                    Id::made_mut(&mut taken.made).push(made.clone());
                }
                here.push(made);
                (Outcome::Created, id)
            }
        };
        taken.took(memory, Id::KIND, told.id, outcome, id.number(), print);
    }
    Ok(())
}

/// Puts one in the place of what it was.
fn put<Id: Imported>(here: &mut Vec<Node<Id>>, node: Node<Id>) {
    match here.iter_mut().find(|h| h.id == node.id) {
        Some(old) => *old = node,
        None => here.push(node),
    }
}

/// A UUID for one whose source shows none: the same each time.
fn uuid_of<Id: Imported>(space: i64, id: i64) -> Uuid {
    let half = digest::of_parts([Id::UUIDS.as_bytes(), &space.to_be_bytes(), &id.to_be_bytes()]);
    uuid::Builder::from_random_bytes(half).into_uuid()
}
