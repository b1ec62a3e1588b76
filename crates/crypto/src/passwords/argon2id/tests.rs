use super::{HASH, Memory, block, hash, hash_with};
use crate::passwords::cost::Cost;
use argon2::{Algorithm, Argon2, Params, Version};
use proptest::prelude::*;

fn by_the_crate(cost: Cost, password: &[u8], salt: &[u8]) -> [u8; HASH] {
    let params = Params::new(cost.memory_kib, cost.iterations, cost.parallelism, Some(HASH)).unwrap();
    let mut out = [0; HASH];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params).hash_password_into(password, salt, &mut out).unwrap();
    out
}

/// From the reference implementation: `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32`.
#[test]
fn every_processor_gets_the_hash_of_the_reference_implementation() {
    let mut memory = Memory::new(65_536).unwrap();
    let cost = Cost::new(65_536, 2, 1).unwrap();
    for (name, compress) in block::all() {
        let found = hash_with(compress, cost, b"password", b"somesalt", &mut memory).unwrap();
        assert_eq!(hex::encode(found), "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7", "{name}");
    }
}

#[test]
fn memory_that_is_too_small_is_refused_and_larger_memory_changes_nothing() {
    let cost = Cost::new(64, 2, 1).unwrap();
    assert_eq!(hash(cost, b"password", b"somesalt", &mut Memory::new(63).unwrap()), None);
    assert_eq!(hash(cost, b"password", b"somesalt", &mut Memory::new(0).unwrap()), None);
    for count in [64, 65, 4096] {
        let mut memory = Memory::new(count).unwrap();
        assert_eq!(memory.count(), count);
        assert_eq!(hash(cost, b"password", b"somesalt", &mut memory), Some(by_the_crate(cost, b"password", b"somesalt")));
    }
}

#[test]
fn a_single_pass_leaves_nothing_behind() {
    let mut memory = Memory::new(64).unwrap();
    hash(Cost::new(64, 2, 1).unwrap(), b"password", b"somesalt", &mut memory).unwrap();
    assert!(memory.blocks(64).unwrap().iter().flatten().any(|word| *word != 0));
    hash(Cost::new(64, 1, 1).unwrap(), b"password", b"somesalt", &mut memory).unwrap();
    assert!(memory.blocks(64).unwrap().iter().flatten().all(|word| *word == 0));
}

proptest! {
    #[test]
    fn every_processor_gets_what_the_crate_gets(
        (lanes, more) in (1..5_u32, 0..400_u32),
        iterations in 1..4_u32,
        password in prop::collection::vec(any::<u8>(), 0..100),
        salt in prop::collection::vec(any::<u8>(), 8..40),
    ) {
        let cost = Cost::new(8 * lanes + more, iterations, lanes).unwrap();
        let expected = by_the_crate(cost, &password, &salt);
        // Kept from one hash to the next, whatever it holds.
        let mut memory = Memory::new(512).unwrap();
        for (name, compress) in block::all() {
            prop_assert_eq!(hash_with(compress, cost, &password, &salt, &mut memory), Some(expected), "{}", name);
        }
    }
}

#[test]
fn every_processor_has_an_implementation_and_the_plain_one_is_the_last() {
    assert_eq!(block::all().last().map(|(name, _)| *name), Some("plain"));
}
