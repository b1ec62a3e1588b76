//! Asset folders and component groups, identified by their UUIDs, which they keep.

use super::{
    Applied, ApplyContext, ChunkOutcome,
    record::{PreparedContent, PreparedRecord, report_unusable},
};
use crate::content::{hierarchy::Nested, import::state::DryRunCreated};
use crypto::digest;
use domain::{
    content::{
        field::Field,
        hierarchy::{MAX_DEPTH, Node, NodeChange},
        import::{
            Imported, Outcome, Record, SourceId,
            record::{AssetFolder, ComponentGroup, Space},
        },
    },
    shared::NumericId,
};
use storage::{
    Result,
    content::hierarchy::{HierarchyFilter, NewNode},
};
use uuid::Uuid;

/// The attributes of a folder or group at the source.
pub(super) struct SourceNode<'a, R> {
    record: &'a R,
    id: SourceId<R>,
    uuid: Option<Uuid>,
    name: &'a str,
    parent_id: Option<SourceId<R>>,
    is_in_circle: bool,
}

/// A kind of nested record that is imported.
pub(super) trait ImportedNode: Imported<Id: Nested> {
    /// The noun in messages.
    const NOUN: &'static str;
    /// The namespace of derived UUIDs, for sources without UUIDs.
    const UUID_NAMESPACE: &'static str;

    /// The node in a record; `None` if the record is of another kind.
    fn source_node(record: &Record) -> Option<SourceNode<'_, Self>>;

    /// The nodes that a dry run would have created or changed.
    fn dry_run_nodes(created: &DryRunCreated) -> &Vec<Node<Self::Id>>;

    /// The same, mutable.
    fn dry_run_nodes_mut(created: &mut DryRunCreated) -> &mut Vec<Node<Self::Id>>;
}

impl ImportedNode for AssetFolder {
    const NOUN: &'static str = "folder";
    const UUID_NAMESPACE: &'static str = "asset folder";

    fn source_node(record: &Record) -> Option<SourceNode<'_, Self>> {
        let Record::AssetFolder(record) = record else { return None };
        let Self { id, uuid, name, parent_id, is_in_circle, .. } = record;
        Some(SourceNode { record, id: *id, uuid: *uuid, name, parent_id: *parent_id, is_in_circle: *is_in_circle })
    }

    fn dry_run_nodes(created: &DryRunCreated) -> &Vec<Node<Self::Id>> {
        &created.asset_folders
    }

    fn dry_run_nodes_mut(created: &mut DryRunCreated) -> &mut Vec<Node<Self::Id>> {
        &mut created.asset_folders
    }
}

impl ImportedNode for ComponentGroup {
    const NOUN: &'static str = "group";
    const UUID_NAMESPACE: &'static str = "component group";

    fn source_node(record: &Record) -> Option<SourceNode<'_, Self>> {
        let Record::ComponentGroup(record) = record else { return None };
        let Self { id, uuid, name, parent_id, is_in_circle, .. } = record;
        Some(SourceNode { record, id: *id, uuid: Some(*uuid), name, parent_id: *parent_id, is_in_circle: *is_in_circle })
    }

    fn dry_run_nodes(created: &DryRunCreated) -> &Vec<Node<Self::Id>> {
        &created.groups
    }

    fn dry_run_nodes_mut(created: &mut DryRunCreated) -> &mut Vec<Node<Self::Id>> {
        &mut created.groups
    }
}

/// The existing nodes; in a dry run as they would be by now.
pub(super) async fn list_existing<R: ImportedNode>(context: &ApplyContext<'_>) -> Result<Vec<Node<R::Id>>> {
    let mut existing = R::Id::TABLE.list(context.executor(), context.space(), &HierarchyFilter::default()).await?;
    for node in R::dry_run_nodes(&context.state.dry_run_created) {
        upsert(&mut existing, node.clone());
    }
    Ok(existing)
}

pub(super) async fn apply<R: ImportedNode>(
    context: &ApplyContext<'_>,
    records: &[PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let state = context.state;
    let mut existing = list_existing::<R>(context).await?;
    for record in records {
        let node = if let PreparedContent::Plain(record) = &record.content { R::source_node(record) } else { None };
        let Some(source) = node else {
            report_unusable(R::KIND, &record.content, outcome);
            continue;
        };
        let source_parent = source.parent_id.filter(|id| *id != SourceId::NONE);
        let mapping = state.mapping(source.id);
        let is_same = |node: &&Node<R::Id>| match source.uuid {
            Some(uuid) => node.uuid == uuid,
            None => mapping.is_some_and(|mapping| mapping.id == node.id),
        };
        let old = existing.iter().find(is_same).cloned();
        let parent = source_parent.and_then(|id| outcome.mapping(state, id)).map(|mapping| mapping.id);
        let is_below = |parent: R::Id| old.as_ref().is_some_and(|old| is_or_is_below(parent, old.id, &existing));
        let (parent, missing) = match parent {
            _ if source.is_in_circle => (None, Some("stands in it at the source")),
            Some(parent) if !existing.iter().any(|node| node.id == parent) => (None, Some("is not here")),
            Some(parent) if is_below(parent) => (None, Some("stands in it here")),
            None if source_parent.is_some() => (None, Some("is missing")),
            parent => (parent, None),
        };
        if let Some(why) = missing {
            let message = format!("the {} above it {why}: it stands at the top", R::NOUN);
            outcome.warn(source.record.subject().finding("parentMissing", message));
        }
        let change = NodeChange { name: Some(source.name.to_owned()), parent_id: Field::Given(parent) };
        let (name, parent_id) = match change.apply(old.as_ref(), &existing) {
            Ok(applied) => applied,
            Err(fault) => {
                outcome.reject(source.record.subject(), &fault);
                continue;
            }
        };
        let fingerprint = digest::of_parts([name.as_bytes(), parent_id.map_or(0, R::Id::number).to_string().as_bytes()]);
        let is_unchanged =
            |old: &Node<R::Id>| mapping.is_some_and(|mapping| mapping.id == old.id && mapping.fingerprint == Some(fingerprint));
        let (done, id) = match old {
            Some(old) if is_unchanged(&old) => (Outcome::Unchanged, old.id),
            Some(old) => {
                let after = Node { name, parent_id, ..old };
                if let Some(ctx) = context.ctx() {
                    R::Id::TABLE.update(ctx.tx, ctx.space, after.id, (&after.name, parent_id), ctx.now).await?;
                } else {
                    R::dry_run_nodes_mut(&mut outcome.dry_run_created).push(after.clone());
                }
                let id = after.id;
                upsert(&mut existing, after);
                (Outcome::Updated, id)
            }
            None => {
                let uuid = source.uuid.unwrap_or_else(|| derived_uuid::<R>(state.source_space, source.id));
                let new = NewNode { uuid, name, parent_id };
                let id = match context.ctx() {
                    Some(ctx) => R::Id::TABLE.insert(ctx.tx, ctx.space, &new, ctx.now).await?,
                    None => outcome.next_fake_id(),
                };
                let created = Node { id, uuid, name: new.name, parent_id, parent_uuid: None };
                if context.ctx().is_none() {
                    R::dry_run_nodes_mut(&mut outcome.dry_run_created).push(created.clone());
                }
                existing.push(created);
                (Outcome::Created, id)
            }
        };
        outcome.record_outcome(state, (R::KIND, source.id), Applied { outcome: done, id, fingerprint });
    }
    Ok(())
}

/// Whether a node is another one or stands in it, directly or through others.
fn is_or_is_below<Id: Nested>(node: Id, other: Id, all: &[Node<Id>]) -> bool {
    let above = |at: &Id| all.iter().find(|node| node.id == *at)?.parent_id;
    std::iter::successors(Some(node), above).take(MAX_DEPTH).any(|at| at == other)
}

/// Replaces the node of the same id, or adds the node.
fn upsert<Id: Nested>(nodes: &mut Vec<Node<Id>>, node: Node<Id>) {
    match nodes.iter_mut().find(|other| other.id == node.id) {
        Some(old) => *old = node,
        None => nodes.push(node),
    }
}

/// A UUID for a node whose source shows none: the same in each import.
fn derived_uuid<R: ImportedNode>(space: SourceId<Space>, id: SourceId<R>) -> Uuid {
    let digest = digest::of_parts([R::UUID_NAMESPACE.as_bytes(), &space.number().to_be_bytes(), &id.number().to_be_bytes()]);
    uuid::Builder::from_random_bytes(digest).into_uuid()
}
