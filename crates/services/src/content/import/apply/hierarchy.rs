//! Asset folders and component groups, identified by their UUIDs, which they keep.

use super::{
    ApplyMode, ChunkOutcome,
    record::{PreparedContent, PreparedRecord, report_unusable},
};
use crate::content::{
    hierarchy::Nested,
    import::state::{DryRunCreated, ImportState},
};
use crypto::digest;
use domain::{
    content::{
        field::Field,
        hierarchy::{MAX_DEPTH, Node, NodeChange},
        import::{Finding, Kind, Outcome, Record, record},
    },
    shared::{AssetFolderId, GroupId},
};
use storage::{
    Result,
    content::hierarchy::{HierarchyFilter, NewNode},
};
use uuid::Uuid;

/// The attributes of a folder or group at the source.
pub(super) struct SourceNode<'a> {
    id: i64,
    uuid: Option<Uuid>,
    name: &'a str,
    parent_id: Option<i64>,
    is_in_circle: bool,
}

/// A kind of nested record that is imported.
pub(super) trait ImportedNode: Nested {
    const KIND: Kind;
    /// The noun in messages.
    const NOUN: &'static str;
    /// The namespace of derived UUIDs, for sources without UUIDs.
    const UUID_NAMESPACE: &'static str;

    /// The node in a record; `None` if the record is of another kind.
    fn source_node(record: &Record) -> Option<SourceNode<'_>>;

    /// The nodes that a dry run would have created or changed.
    fn dry_run_nodes(created: &DryRunCreated) -> &Vec<Node<Self>>;

    /// The same, mutable.
    fn dry_run_nodes_mut(created: &mut DryRunCreated) -> &mut Vec<Node<Self>>;
}

impl ImportedNode for AssetFolderId {
    const KIND: Kind = Kind::AssetFolder;
    const NOUN: &'static str = "folder";
    const UUID_NAMESPACE: &'static str = "asset folder";

    fn source_node(record: &Record) -> Option<SourceNode<'_>> {
        let Record::AssetFolder(folder) = record else { return None };
        let record::AssetFolder { id, uuid, name, parent_id, is_in_circle, .. } = folder;
        Some(SourceNode { id: *id, uuid: *uuid, name, parent_id: *parent_id, is_in_circle: *is_in_circle })
    }

    fn dry_run_nodes(created: &DryRunCreated) -> &Vec<Node<Self>> {
        &created.asset_folders
    }

    fn dry_run_nodes_mut(created: &mut DryRunCreated) -> &mut Vec<Node<Self>> {
        &mut created.asset_folders
    }
}

impl ImportedNode for GroupId {
    const KIND: Kind = Kind::ComponentGroup;
    const NOUN: &'static str = "group";
    const UUID_NAMESPACE: &'static str = "component group";

    fn source_node(record: &Record) -> Option<SourceNode<'_>> {
        let Record::ComponentGroup(group) = record else { return None };
        let record::ComponentGroup { id, uuid, name, parent_id, is_in_circle, .. } = group;
        Some(SourceNode { id: *id, uuid: Some(*uuid), name, parent_id: *parent_id, is_in_circle: *is_in_circle })
    }

    fn dry_run_nodes(created: &DryRunCreated) -> &Vec<Node<Self>> {
        &created.groups
    }

    fn dry_run_nodes_mut(created: &mut DryRunCreated) -> &mut Vec<Node<Self>> {
        &mut created.groups
    }
}

/// The existing nodes; in a dry run as they would be by now.
pub(super) async fn list_existing<Id: ImportedNode>(mode: &ApplyMode<'_>, state: &ImportState) -> Result<Vec<Node<Id>>> {
    let mut existing = Id::TABLE.list(&mode.executor(), mode.space(), &HierarchyFilter::default()).await?;
    for node in Id::dry_run_nodes(&state.dry_run_created) {
        upsert(&mut existing, node.clone());
    }
    Ok(existing)
}

pub(super) async fn apply<Id: ImportedNode>(
    mode: &ApplyMode<'_>,
    state: &ImportState,
    records: &[PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let mut existing = list_existing::<Id>(mode, state).await?;
    for record in records {
        let node = if let PreparedContent::Plain(record) = &record.content { Id::source_node(record) } else { None };
        let Some(source) = node else {
            report_unusable(Id::KIND, &record.content, outcome);
            continue;
        };
        let source_parent = source.parent_id.filter(|id| *id != 0);
        let mapping = state.mapping(Id::KIND, source.id);
        let is_same = |node: &&Node<Id>| match source.uuid {
            Some(uuid) => node.uuid == uuid,
            None => mapping.is_some_and(|mapping| mapping.id == node.id.number()),
        };
        let old = existing.iter().find(is_same).cloned();
        let parent = source_parent.and_then(|id| outcome.mapping(state, Id::KIND, id)).map(|mapping| Id::of(mapping.id));
        let is_below = |parent: Id| old.as_ref().is_some_and(|old| is_or_is_below(parent, old.id, &existing));
        let (parent, missing) = match parent {
            _ if source.is_in_circle => (None, Some("stands in it at the source")),
            Some(parent) if !existing.iter().any(|node| node.id == parent) => (None, Some("is not here")),
            Some(parent) if is_below(parent) => (None, Some("stands in it here")),
            None if source_parent.is_some() => (None, Some("is missing")),
            parent => (parent, None),
        };
        if let Some(why) = missing {
            let message = format!("the {} above it {why}: it stands at the top", Id::NOUN);
            outcome.warn(Finding::new("parentMissing", Id::KIND, source.id, source.name, message));
        }
        let change = NodeChange { name: Some(source.name.to_owned()), parent_id: Field::Given(parent) };
        let (name, parent_id) = match change.apply(old.as_ref(), &existing) {
            Ok(applied) => applied,
            Err(fault) => {
                outcome.reject(Id::KIND, source.id, source.name, &fault);
                continue;
            }
        };
        let fingerprint = digest::of_parts([name.as_bytes(), parent_id.map_or(0, Id::number).to_string().as_bytes()]);
        let is_unchanged = |old: &Node<Id>| {
            mapping.is_some_and(|mapping| mapping.id == old.id.number() && mapping.fingerprint == Some(fingerprint))
        };
        let (done, id) = match old {
            Some(old) if is_unchanged(&old) => (Outcome::Unchanged, old.id),
            Some(old) => {
                let after = Node { name, parent_id, ..old };
                if let Some(ctx) = mode.ctx() {
                    Id::TABLE.update(ctx.tx, ctx.space, after.id, (&after.name, parent_id), ctx.now).await?;
                } else {
                    Id::dry_run_nodes_mut(&mut outcome.dry_run_created).push(after.clone());
                }
                let id = after.id;
                upsert(&mut existing, after);
                (Outcome::Updated, id)
            }
            None => {
                let uuid = source.uuid.unwrap_or_else(|| derived_uuid::<Id>(state.source_space, source.id));
                let new = NewNode { uuid, name, parent_id };
                let id = match mode.ctx() {
                    Some(ctx) => Id::TABLE.insert(ctx.tx, ctx.space, &new, ctx.now).await?,
                    None => Id::of(outcome.next_fake_id()),
                };
                let created = Node { id, uuid, name: new.name, parent_id, parent_uuid: None };
                if mode.ctx().is_none() {
                    Id::dry_run_nodes_mut(&mut outcome.dry_run_created).push(created.clone());
                }
                existing.push(created);
                (Outcome::Created, id)
            }
        };
        outcome.record_outcome(state, (Id::KIND, source.id), done, id.number(), fingerprint);
    }
    Ok(())
}

/// Whether a node is another one or stands in it, directly or through others.
fn is_or_is_below<Id: ImportedNode>(node: Id, other: Id, all: &[Node<Id>]) -> bool {
    let above = |at: &Id| all.iter().find(|node| node.id == *at)?.parent_id;
    std::iter::successors(Some(node), above).take(MAX_DEPTH).any(|at| at == other)
}

/// Replaces the node of the same id, or adds the node.
fn upsert<Id: ImportedNode>(nodes: &mut Vec<Node<Id>>, node: Node<Id>) {
    match nodes.iter_mut().find(|other| other.id == node.id) {
        Some(old) => *old = node,
        None => nodes.push(node),
    }
}

/// A UUID for a node whose source shows none: the same in each import.
fn derived_uuid<Id: ImportedNode>(space: i64, id: i64) -> Uuid {
    let digest = digest::of_parts([Id::UUID_NAMESPACE.as_bytes(), &space.to_be_bytes(), &id.to_be_bytes()]);
    uuid::Builder::from_random_bytes(digest).into_uuid()
}
