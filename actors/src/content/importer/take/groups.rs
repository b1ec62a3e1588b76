//! Component groups: known by their UUIDs, which they keep.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::memory::Memory;
use crypto::digest;
use domain::{
    content::import::{Finding, Kind, Outcome, Record},
    shared::GroupId,
};
use std::collections::HashMap;
use storage::{
    Result,
    content::{component_groups, imports::lookups},
};

const KIND: Kind = Kind::ComponentGroup;

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let mut here: HashMap<_, _> = lookups::groups(&hand.query(), hand.space()).await?.into_iter().collect();
    here.extend(memory.made.groups.iter().copied());
    for item in items {
        let group = match &item.subject {
            Subject::Record(Record::ComponentGroup(group)) => group,
            subject => {
                super::unreadable(KIND, subject, taken);
                continue;
            }
        };
        if group.name.trim().is_empty() || group.name.chars().count() > 255 {
            taken.fail(Finding::new("invalid", KIND, group.id, &group.name, "name is blank or too long"));
            continue;
        }
        let above = group.parent_id.filter(|id| *id != 0);
        let parent = above.and_then(|id| taken.known(memory, KIND, id)).map(|it| it.id);
        if above.is_some() && parent.is_none() {
            let message = "the group above it is missing: it stands at the top";
            taken.warn(Finding::new("parentMissing", KIND, group.id, &group.name, message));
        }
        let print = digest::of_parts([group.name.as_bytes(), parent.unwrap_or(0).to_string().as_bytes()]);
        let known = memory.known(KIND, group.id);
        let place = parent.map(GroupId);
        let (outcome, id) = match here.get(&group.uuid) {
            Some(id) if known.is_some_and(|it| it.id == *id && it.fingerprint == Some(print)) => (Outcome::Unchanged, *id),
            Some(id) => {
                if let Some(desk) = hand.desk() {
                    component_groups::update(desk.tx, desk.space, GroupId(*id), &group.name, place, desk.now).await?;
                }
                (Outcome::Updated, *id)
            }
            None => {
                let id = if let Some(desk) = hand.desk() {
                    component_groups::insert(desk.tx, desk.space, group.uuid, &group.name, place, desk.now).await?.0
                } else {
                    let id = taken.make_up();
                    taken.made.groups.push((group.uuid, id));
                    id
                };
                here.insert(group.uuid, id);
                (Outcome::Created, id)
            }
        };
        taken.took(memory, KIND, group.id, outcome, id, print);
    }
    Ok(())
}
