//! What `new RegExp(pattern).test(text)` is in JavaScript, taken from Node.js.

use super::{BadPattern, Budget, Exhausted, Pattern};
use proptest::prelude::*;

/// Patterns, with texts that they match and texts that they do not.
#[rustfmt::skip]
const TABLE: &[(&str, &[&str], &[&str])] = &[
    ("", &["", "a"], &[]),
    ("a", &["a", "ba"], &["b", "A"]),
    ("^a$", &["a"], &["ba", "a\n"]),
    ("a|bc|", &["zz"], &[]),
    ("^(a|b)*c$", &["ababc", "c"], &["abd"]),
    (".", &["x"], &["\n", "\u{2028}", "\r"]),
    ("^.{2}$", &["😀"], &["a😀"]),
    ("^[a-z0-9-]+$", &["my-slug-1"], &["My", ""]),
    ("[^]", &["\n"], &[""]),
    ("[]", &[], &["a"]),
    ("[^a]", &["b"], &["a"]),
    (r"^\d{4}-\d{2}$", &["2026-11"], &["26-11", "٢٠٢٦-11"]),
    (r"\w", &["_"], &["é"]),
    (r"^\W$", &["é"], &[]),
    (r"\s", &["\u{a0}", "\u{feff}"], &["\u{200b}", "a"]),
    (r"^\S+$", &["ab"], &["a b"]),
    (r"\D", &["x"], &["1"]),
    (r"\bfoo\b", &["a foo b", "éfooé"], &["foobar"]),
    (r"\Boo", &["foo"], &["oo"]),
    ("a{2,3}b", &["aab", "aaaab"], &["ab"]),
    ("^a{0}$", &[""], &["a"]),
    ("^a{2}$", &["aa"], &["aaa"]),
    ("^a{2,}$", &["aaaa"], &["a"]),
    ("a{,2}", &["a{,2}"], &["aa"]),
    ("a{x", &["a{x"], &[]),
    ("x{1}{", &["x{"], &[]),
    ("}", &["}"], &[]),
    ("]", &["]"], &[]),
    ("{", &["{"], &[]),
    ("a{1", &["a{1"], &[]),
    (r"(?=.*\d)(?=.*[a-z]).{6,}", &["abc123"], &["abcdef", "123456"]),
    ("^(?!.*foo).*$", &["bar"], &["a foo"]),
    (r"(?<=\$)\d+", &["$5"], &["5"]),
    (r"(?<!\$)\b\d+", &["a 5"], &["$5"]),
    ("(?<=a.)c", &["abc"], &["bc"]),
    ("(?<=^ab)c", &["abc"], &["xabc"]),
    ("(?:a)b", &["ab"], &[]),
    (r"(?<y>\d+)-\k<y>", &["12-12"], &["12-13"]),
    (r"\k<y>", &["k<y>"], &["x"]),
    (r"(a)\1", &["aa"], &["ab"]),
    (r"\1(a)", &["a", "aa"], &[]),
    (r"(a)|\1b", &["b"], &["c"]),
    (r"^(?:(a)|b)*\1$", &["ab", "abb"], &["aba"]),
    (r"(?<=\1(a))b", &["aab"], &["ab"]),
    (r"\2(a)", &["\u{0002}a"], &["a"]),
    (r"\8", &["8"], &[]),
    (r"\07", &["\u{0007}"], &[]),
    (r"\0", &["\u{0000}"], &["0"]),
    (r"[\0-\x1f]", &["\u{001f}"], &[" "]),
    (r"\101", &["A"], &[]),
    (r"\400", &[" 0"], &["@"]),
    (r"\x41", &["A"], &[]),
    (r"\x4", &["x4"], &[]),
    (r"\u0041", &["A"], &[]),
    (r"\u{41}", &["uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu"], &["A"]),
    (r"\cJ", &["\n"], &[]),
    (r"\c", &["\\c"], &[]),
    (r"\c1", &["\\c1"], &[]),
    (r"[\c1]", &["\u{0011}"], &["c"]),
    (r"[\c]", &["\\", "c"], &[]),
    (r"[\b]", &["\u{8}"], &["b"]),
    (r"[\d-x]", &["-", "5", "x"], &["w"]),
    (r"[a-\d]", &["-", "a"], &["b"]),
    ("[--0]", &["."], &["1"]),
    ("[a-]", &["-"], &[]),
    ("[-a]", &["-"], &[]),
    (r"[\]]", &["]"], &[]),
    ("[[]", &["["], &[]),
    ("[^^]", &["a"], &["^"]),
    (r"\/", &["/"], &[]),
    (r"\-", &["-"], &[]),
    (r"\é", &["é"], &[]),
    (r"\p{L}", &["p{L}"], &["a"]),
    (r"[\w.]+@[\w.]+\.\w{2,}$", &["a.b@c.de"], &["a@b"]),
    (r"^https?:\/\/", &["https://x"], &["ftp://x"]),
    (r"^\+?[0-9 ()\/-]*$", &["+49 (30) 12/3-4"], &["x"]),
    (r"^#(?:[0-9a-fA-F]{3}){1,2}$", &["#fff", "#A0b1C2"], &["#ffff"]),
    ("(?:a?)*?b", &["aab"], &["c"]),
    ("(?:a*)*$", &["aaab"], &[]),
    ("(a*)*b", &[], &["aaa"]),
    ("(?:)*x", &["x"], &[]),
    ("(?:a|ab)(?:c|bcd)(?:d*)$", &["abcd"], &[]),
    (r"(?=(a+))a*b\1", &["baaabac"], &["b"]),
    (r"(?!(a))\1b", &["b"], &[]),
    ("(?=a)*b", &["b"], &[]),
    ("(?=a){2}a", &["a"], &["b"]),
    (r"(?:(?=(a))b?|c)+\1", &["caa"], &[]),
    ("^(?:a|b|c|d|e){3}$", &["ace"], &["acef"]),
    ("😀", &["😀"], &["😁"]),
    ("^[😀]$", &[], &["😀"]),
    ("[😀]", &["😁"], &[]),
    ("$^", &[""], &["a"]),
    ("a$b", &[], &["ab"]),
    (r"(z)((a+)?(b+)?(c))*\4", &["zaacbbbcac"], &[]),
    (r"(?:(a)|(b))+\1\2", &[], &["ab"]),
    (r"(?<a>.)(?<b>.)\k<b>\k<a>", &["abba"], &["abab"]),
    (r"^(?<a1>a)\k<a1>*$", &["a", "aaa"], &["ab"]),
    (r"^[^\0-a]$", &["b"], &["a", "\0"]),
];

/// Patterns that are syntax errors.
#[rustfmt::skip]
const BAD: &[&str] = &["(", ")", "[", "a**", "*", "+a", "?", "^*", "$+", r"\b+", "(?<=a)*", "(?<!a)?", "{1}", "{1,2}", "a{2}{3}", "a{2,1}", "[z-a]", "(?<a>", "(?<a>.)(?<a>.)", "(?<1>.)", "(?<1a>.)", r"(?<a>.)\k", r"(?<a>.)\k<b>", r"(?<a>.)[\k]", r"\", r"[\", "(?", "(?x)", "(?#a)", "x(?", "(?<>a)", "[a", "(?:a", "a|*"];

const STEPS: u64 = 5_000_000;

fn is_in(pattern: &str, text: &str) -> Result<bool, Exhausted> {
    let mut budget = Budget::new(STEPS);
    Pattern::parse(pattern, &mut budget).unwrap_or_else(|error| panic!("{pattern} {error}")).is_in(text, &mut budget)
}

#[test]
fn patterns_match_as_in_javascript() {
    for (pattern, matched, others) in TABLE {
        for (texts, expected) in [(matched, true), (others, false)] {
            for text in *texts {
                assert_eq!(is_in(pattern, text), Ok(expected), "/{pattern}/ in {text:?}");
            }
        }
    }
}

#[test]
fn what_javascript_refuses_is_refused() {
    for pattern in BAD {
        let found = Pattern::parse(pattern, &mut Budget::new(STEPS));
        assert_eq!(found.err(), Some(BadPattern::Syntax), "/{pattern}/");
    }
}

#[test]
fn patterns_are_bounded() {
    let nested = format!("{}a{}", "(".repeat(101), ")".repeat(101));
    let long = "a".repeat(2_001);
    for pattern in [&nested, &long, "a{10001}", "(?:(?:a{200}){200}){200}", "(?:(?:(?:){9000}){9000}){9000}"] {
        assert_eq!(Pattern::parse(pattern, &mut Budget::new(STEPS)).err(), Some(BadPattern::TooLarge), "{pattern:.40}");
    }
    let mut empty = Budget::new(0);
    assert_eq!(Pattern::parse("a", &mut empty).err(), Some(BadPattern::TooLarge));
}

/// What takes exponential time elsewhere.
#[test]
fn choices_are_not_made_twice() {
    let text = "a".repeat(20_000);
    for pattern in ["^(a+)+$", "(a|a)*b", "(a*)*b", "^(?:a?){50}a{50}$", "(?=(?:a|aa)*b)c", "^(([a-z])+.)+[A-Z]([a-z])+$"] {
        let text = if pattern.contains("(?=") { text.get(..500).unwrap() } else { &text };
        let text = format!("{text}!");
        assert_eq!(is_in(pattern, &text), Ok(false), "{pattern}");
    }
}

#[test]
fn what_cannot_be_decided_in_time_says_so() {
    let text = format!("{}!", "a".repeat(40));
    assert_eq!(is_in(r"^(a+)+\1$", &text), Err(Exhausted), "backreferences make it depend on what was found");
    assert_eq!(is_in("(a|b)*c", &"a".repeat(20 << 20)), Err(Exhausted), "what is remembered is bounded");
    let mut budget = Budget::new(STEPS);
    let slow = Pattern::parse(r"^(a+)+\1$", &mut budget).unwrap();
    for _ in 0..4 {
        assert_eq!(slow.is_in(&text, &mut budget), Err(Exhausted));
    }
    let quick = Pattern::parse("^a+!$", &mut budget).unwrap();
    assert_eq!(quick.is_in(&text, &mut budget), Ok(true), "one pattern does not take it all");
}

proptest! {
    #[test]
    fn no_pattern_and_no_text_panics(pattern in r"[a-c0-9(){}\[\]|*+?^$.\\<>=!:,\-kuxcbBdDwWsS😀é]{0,24}", text in "[a-c0-9 😀é\n-]{0,24}") {
        let mut budget = Budget::new(100_000);
        if let Ok(pattern) = Pattern::parse(&pattern, &mut budget) {
            let _ = pattern.is_in(&text, &mut budget);
        }
    }
}
