use super::{
    ACTIVE_FOR, JWKS_MAX_AGE, KEPT_FOR, KNOWN_AFTER, LONGEST_TOKEN, PUBLISHED_AFTER, PUBLISHED_BEFORE, RotationStep,
    SigningAlgorithm, SigningKey, Stage, after, next_rotation_step, rotatable_from, successor,
};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use strum::VariantArray;

const START: Timestamp = Timestamp::UNIX_EPOCH;
const ALGORITHM: SigningAlgorithm = SigningAlgorithm::Es256;

fn days(number: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * number)
}

fn is_active(stage: Stage) -> bool {
    matches!(stage, Stage::Active { .. })
}

fn key(kid: &str, stage: Stage) -> SigningKey {
    SigningKey { kid: kid.to_owned(), algorithm: ALGORITHM, stage }
}

/// The keys of a server as its database holds them, and what happened to each of them when.
#[derive(Default)]
struct Model {
    keys: Vec<SigningKey>,
    published: Vec<Timestamp>,
    activated: Vec<(usize, Timestamp)>,
}

impl Model {
    /// Takes steps until there is nothing to do. Returns until when.
    fn rotate(&mut self, now: Timestamp) -> Timestamp {
        for _ in 0..10 {
            let (remove, activate) = match next_rotation_step(ALGORITHM, &self.keys, now) {
                RotationStep::Wait(until) => return until,
                RotationStep::CreateActive => {
                    self.create(now, Stage::Active { since: now });
                    self.activated.push((self.published.len() - 1, now));
                    continue;
                }
                RotationStep::CreateNext => {
                    self.create(now, Stage::Next { since: now });
                    continue;
                }
                RotationStep::Activate(key) => (None, Some(key.kid.clone())),
                RotationStep::Remove(key) => (Some(key.kid.clone()), None),
            };
            self.keys.retain(|key| remove.as_ref() != Some(&key.kid));
            if let Some(kid) = activate {
                for key in &mut self.keys {
                    if is_active(key.stage) {
                        key.stage = Stage::Retired { since: now };
                    }
                    if key.kid == kid {
                        key.stage = Stage::Active { since: now };
                        self.activated.push((kid.parse().unwrap(), now));
                    }
                }
            }
        }
        panic!("the steps come to no end: {:?}", self.keys);
    }

    fn create(&mut self, now: Timestamp, stage: Stage) {
        self.keys.push(key(&self.published.len().to_string(), stage));
        self.published.push(now);
    }

    fn find(&self, kid: usize) -> Option<&SigningKey> {
        self.keys.iter().find(|key| key.kid == kid.to_string())
    }

    fn count(&self, is_counted: fn(Stage) -> bool) -> usize {
        self.keys.iter().filter(|key| is_counted(key.stage)).count()
    }
}

#[test]
fn a_key_signs_for_ninety_days_with_its_successor_published_and_verifies_for_a_hundred_more() {
    let mut model = Model::default();
    let switch = after(START, ACTIVE_FOR);
    assert_eq!(model.rotate(START), switch);
    assert_eq!(model.keys, [key("0", Stage::Active { since: START }), key("1", Stage::Next { since: START })]);

    assert_eq!(model.rotate(switch - SignedDuration::from_secs(1)), switch);
    assert_eq!(model.keys[0], key("0", Stage::Active { since: START }));

    model.rotate(switch);
    let (old, new) = (key("0", Stage::Retired { since: switch }), key("1", Stage::Active { since: switch }));
    assert_eq!(model.keys, [old, new, key("2", Stage::Next { since: switch })]);
    let published_until = after(switch, LONGEST_TOKEN + PUBLISHED_AFTER);
    let old = model.keys[0].stage;
    assert!(old.is_published(published_until - SignedDuration::from_secs(1)) && !old.is_published(published_until));

    let removed = after(switch, KEPT_FOR);
    model.rotate(removed - SignedDuration::from_secs(1));
    assert!(model.find(0).is_some());
    model.rotate(removed);
    assert!(model.find(0).is_none());
}

#[test]
fn a_key_of_another_algorithm_is_none_of_this_one() {
    let other = SigningKey { algorithm: SigningAlgorithm::Rs256, ..key("x", Stage::Active { since: START }) };
    assert_eq!(next_rotation_step(ALGORITHM, &[other], START), RotationStep::CreateActive);
}

#[test]
fn a_next_key_takes_over_at_once_when_the_active_one_is_gone() {
    let keys = [key("n", Stage::Next { since: START })];
    assert_eq!(next_rotation_step(ALGORITHM, &keys, START), RotationStep::Activate(&keys[0]));
}

/// The next key was deleted by hand, or no version of the server had made it yet: its successor is published
/// for a whole day all the same.
#[test]
fn a_rotation_without_a_next_key_waits_for_one() {
    let mut model = Model::default();
    model.rotate(START);
    model.keys.retain(|key| is_active(key.stage));
    let late = after(START, days(400));
    assert_eq!(model.rotate(late), after(late, PUBLISHED_BEFORE));
    assert!(matches!(model.keys[0].stage, Stage::Active { .. }));
    model.rotate(after(late, PUBLISHED_BEFORE));
    assert!(matches!(model.keys[0].stage, Stage::Retired { .. }));
}

/// The keys of every algorithm, with a next one that is published since a time.
fn with_next(since: Timestamp) -> Vec<SigningKey> {
    let key = |algorithm, stage| SigningKey { kid: format!("{algorithm} {stage:?}"), algorithm, stage };
    let of = |algorithm| [key(algorithm, Stage::Active { since: START }), key(algorithm, Stage::Next { since })];
    SigningAlgorithm::VARIANTS.iter().copied().flat_map(of).collect()
}

#[test]
fn an_administrator_rotates_when_clients_know_the_next_key() {
    assert!(KNOWN_AFTER >= SignedDuration::try_from(JWKS_MAX_AGE).unwrap() + SignedDuration::from_mins(2));
    let published = after(START, days(3));
    let known = after(published, KNOWN_AFTER);
    let mut keys = with_next(published);
    for too_early in [published, known - SignedDuration::from_secs(1)] {
        assert_eq!(successor(ALGORITHM, &keys, too_early), Err(known));
        assert_eq!(rotatable_from(&keys, too_early), known);
    }
    assert_eq!(successor(ALGORITHM, &keys, known).map(|key| key.stage), Ok(Stage::Next { since: published }));
    assert_eq!(rotatable_from(&keys, known), known);

    keys.retain(|key| key.algorithm != ALGORITHM || is_active(key.stage));
    assert_eq!(successor(ALGORITHM, &keys, known), Err(after(known, KNOWN_AFTER)), "one has to be made first");
    assert_eq!(rotatable_from(&keys, known), after(known, KNOWN_AFTER), "the last one decides");
}

proptest! {
    /// Whenever processes look, for more than two years.
    #[test]
    fn every_token_verifies_at_a_client_that_keeps_the_keys_as_long_as_it_may(gaps in prop::collection::vec(1_i64..20_000, 1..400)) {
        let mut model = Model::default();
        let mut now = START;
        for minutes in gaps {
            model.rotate(now);
            let (active, next) = (model.count(is_active), model.count(|stage| matches!(stage, Stage::Next { .. })));
            prop_assert!(active == 1 && next <= 1, "{} keys sign and {} follow", active, next);
            now = after(now, SignedDuration::from_mins(minutes));
            let (signer, _) = *model.activated.last().unwrap();
            prop_assert!(is_active(model.find(signer).unwrap().stage), "{} signs", signer);
        }
        let max_age = SignedDuration::try_from(JWKS_MAX_AGE).unwrap();
        for (kid, at) in model.activated.iter().skip(1) {
            prop_assert!(*at >= after(model.published[*kid], PUBLISHED_BEFORE.max(max_age)));
        }
        for pair in model.activated.windows(2) {
            let ((old, since), (_, until)) = (pair[0], pair[1]);
            prop_assert!(until >= after(since, ACTIVE_FOR), "a key signs for ninety days at least");
            match model.find(old) {
                Some(key) => {
                    prop_assert_eq!(key.stage, Stage::Retired { since: until });
                    let last_expires = after(until, LONGEST_TOKEN);
                    prop_assert!(key.stage.is_published(last_expires - SignedDuration::from_secs(1)));
                }
                None => prop_assert!(now >= after(until, KEPT_FOR)),
            }
        }
    }
}
