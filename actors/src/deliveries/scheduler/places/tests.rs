//! Whatever begins and ends in whatever order, no owner takes all places.

use super::{Candidate, Owner, Places, RESERVE};
use domain::shared::ReceiverId;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const ACTIVE: usize = 16;
const RUNNING: usize = 64;

fn owner(number: usize) -> Owner {
    format!("webhook {number}").into()
}

fn candidate(receiver: usize, of: usize, wants: usize) -> Candidate {
    let receiver = ReceiverId(i64::try_from(receiver).unwrap());
    Candidate { receiver, owner: owner(of), wants, failures: 0, last_turn: 0, owners_last_turn: 0 }
}

/// What happens to places of an owner.
#[derive(Debug, Clone)]
enum Step {
    HandOut { of: usize, wants: usize },
    Wait(usize),
    End(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let owners = 0..RUNNING / RESERVE - 1;
    let step = prop_oneof![
        3 => (owners, 1_usize..40).prop_map(|(of, wants)| Step::HandOut { of, wants }),
        3 => any::<usize>().prop_map(Step::Wait),
        1 => any::<usize>().prop_map(Step::End),
    ];
    prop::collection::vec(step, 1..200)
}

proptest! {
    /// With fewer owners than the reserve has places: one who has none finds one, whatever the others did
    /// before.
    #[test]
    fn an_owner_who_has_none_always_finds_a_place(steps in steps()) {
        let mut places = Places::new(usize::MAX / 2, RUNNING);
        let mut attempts: Vec<(usize, bool)> = Vec::new();
        for step in steps {
            match step {
                Step::HandOut { of, wants } => {
                    let got = places.hand_out(vec![candidate(1, of, wants)]).len();
                    prop_assert!(got <= wants);
                    attempts.extend(std::iter::repeat_n((of, true), got));
                }
                Step::Wait(number) if !attempts.is_empty() => {
                    let number = number % attempts.len();
                    let (of, is_active) = &mut attempts[number];
                    if std::mem::take(is_active) {
                        places.wait(&owner(*of));
                    }
                }
                Step::End(number) if !attempts.is_empty() => {
                    let (of, is_active) = attempts.swap_remove(number % attempts.len());
                    places.release(&owner(of), is_active);
                }
                Step::Wait(_) | Step::End(_) => {}
            }
            let count = |of: usize| attempts.iter().filter(|(other, _)| *other == of).count();
            let active = attempts.iter().filter(|(_, is_active)| *is_active).count();
            prop_assert_eq!((places.running.taken, places.active.taken), (attempts.len(), active));
            prop_assert!(attempts.len() <= RUNNING);
            for of in 0..RUNNING / RESERVE {
                prop_assert_eq!(places.running.of(&owner(of)), count(of));
                prop_assert!(count(of) <= (RUNNING - RUNNING / RESERVE) / 2);
            }
            prop_assert!(places.may_take(&owner(1000)));
        }
        for (of, is_active) in attempts {
            places.release(&owner(of), is_active);
        }
        prop_assert!(places.running.by_owner.is_empty() && places.active.by_owner.is_empty());
    }

    /// Owners who want more than there is have the same number, give or take one.
    #[test]
    fn owners_who_want_more_than_there_is_share_equally(wants in prop::collection::vec(20_usize..60, 2..RUNNING)) {
        let mut places = Places::new(usize::MAX / 2, RUNNING);
        let candidates = wants.iter().enumerate().flat_map(|(of, wants)| (0..*wants).map(move |number| candidate(of * 100 + number, of, 1)));
        let served = places.hand_out(candidates.collect());
        prop_assert_eq!(served.iter().collect::<BTreeSet<_>>().len(), served.len(), "each once");
        let shares: Vec<_> = (0..wants.len()).map(|of| places.running.of(&owner(of))).collect();
        prop_assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1, "{:?}", shares);
    }

    /// Attempts last for some rounds, and an owner who has had a turn wants another one: each owner gets one
    /// all the same.
    #[test]
    fn nobody_waits_for_ever(owners in prop::collection::vec(1_usize..10, 1..8), lasts in 1_usize..6) {
        let mut places = Places::new(4, 12);
        let all: Vec<_> = owners.iter().enumerate().flat_map(|(of, count)| (0..*count).map(move |number| (of * 100 + number, of))).collect();
        let (mut turn, mut turns, mut owners_turns) = (0, BTreeMap::new(), BTreeMap::new());
        let mut running: Vec<(usize, usize)> = Vec::new();
        for round in 0..all.len() * lasts * 2 {
            let (ended, others) = running.into_iter().partition(|(_, until)| *until == round);
            running = others;
            let ended: Vec<(usize, usize)> = ended;
            for (receiver, _) in ended {
                places.release(&owner(receiver / 100), false);
            }
            let idle = all.iter().filter(|(receiver, _)| running.iter().all(|(other, _)| other != receiver));
            let candidates = idle.map(|(receiver, of)| Candidate {
                last_turn: turns.get(receiver).copied().unwrap_or_default(),
                owners_last_turn: owners_turns.get(of).copied().unwrap_or_default(),
                ..candidate(*receiver, *of, 1)
            });
            for receiver in places.hand_out(candidates.collect()) {
                let receiver = usize::try_from(receiver.0).unwrap();
                turn += 1;
                turns.insert(receiver, turn);
                owners_turns.insert(receiver / 100, turn);
                places.wait(&owner(receiver / 100));
                running.push((receiver, round + lasts));
            }
        }
        prop_assert_eq!(turns.len(), all.len());
    }
}

#[test]
fn the_fewest_failures_go_first_and_then_the_longest_wait() {
    let mut places = Places::new(2, RUNNING);
    let of = |receiver, failures, last_turn| Candidate { failures, last_turn, ..candidate(receiver, receiver, 1) };
    let mine = |receiver, failures, last_turn| Candidate { owner: owner(0), ..of(receiver, failures, last_turn) };
    let served = places.hand_out(vec![mine(1, 2, 1), mine(2, 1, 9), mine(3, 1, 8)]);
    assert_eq!(served, [ReceiverId(3)], "one owner does not have all");
    places.wait(&owner(0));
    assert_eq!(places.hand_out(vec![mine(1, 2, 1), mine(2, 1, 9)]), [ReceiverId(2)]);
    places.wait(&owner(0));
    // Owners with fewer places go before, whatever the failures of their receivers.
    assert_eq!(places.hand_out(vec![mine(1, 2, 1), of(7, 9, 1)])[0], ReceiverId(7));
}

#[test]
fn who_is_active_leaves_room_for_others_who_are() {
    let mut places = Places::new(ACTIVE, RUNNING);
    let many = |of: usize| (0..50).map(move |number| candidate(of * 100 + number, of, 1)).collect::<Vec<_>>();
    assert_eq!(places.hand_out(many(1)).len(), (ACTIVE - ACTIVE / RESERVE) / 2);
    assert!(places.hand_out(many(1)).is_empty() && !places.hand_out(many(2)).is_empty());
    for _ in 0..7 {
        places.wait(&owner(1));
    }
    assert!(!places.hand_out(many(1)).is_empty(), "those that wait for their receiver are not counted");
}
