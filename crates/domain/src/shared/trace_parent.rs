//! The trace that a request belongs to, as its caller says in the header `traceparent` (W3C Trace Context).

use std::fmt;

/// A trace, and the step in it that sent the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceParent {
    /// The number of the trace, the same in all systems that a request passes.
    pub trace: u128,
    /// The number of the step.
    pub parent: u64,
    /// Whether the caller records the trace.
    pub is_sampled: bool,
}

impl TraceParent {
    /// Reads a header: version, trace, step and flags, in lower-case hexadecimal digits. A later version may
    /// have more behind them. A value that says anything else says nothing: it starts no trace and is no
    /// error (section 3.2 of the recommendation).
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let hex = |from: usize, to: usize| {
            let digits = bytes.get(from..to)?;
            digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')).then(|| std::str::from_utf8(digits).ok())?
        };
        let separated = [2, 35, 52].iter().all(|at| bytes.get(*at) == Some(&b'-'));
        let is_whole = match hex(0, 2)? {
            "ff" => false,
            "00" => bytes.len() == 55,
            _ => matches!(bytes.get(55), None | Some(b'-')),
        };
        if !separated || !is_whole {
            return None;
        }
        let trace = u128::from_str_radix(hex(3, 35)?, 16).ok().filter(|trace| *trace != 0)?;
        let parent = u64::from_str_radix(hex(36, 52)?, 16).ok().filter(|parent| *parent != 0)?;
        let flags = u8::from_str_radix(hex(53, 55)?, 16).ok()?;
        Some(Self { trace, parent, is_sampled: flags & 1 == 1 })
    }
}

/// The number of the trace, as logs and traces show it.
impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.trace)
    }
}

#[cfg(test)]
mod tests {
    use super::TraceParent;
    use proptest::prelude::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    #[test]
    fn a_header_names_trace_step_and_whether_it_is_recorded() {
        for (flags, is_sampled) in [("00", false), ("01", true), ("02", false), ("03", true), ("ff", true)] {
            let read = TraceParent::parse(&format!("00-{TRACE}-{PARENT}-{flags}")).unwrap();
            let expected =
                TraceParent { trace: 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736, parent: 0x00f0_67aa_0ba9_02b7, is_sampled };
            assert_eq!(read, expected);
            assert_eq!(read.to_string(), TRACE);
        }
    }

    #[test]
    fn a_later_version_may_have_more_at_the_end() {
        assert!(TraceParent::parse(&format!("cc-{TRACE}-{PARENT}-01")).is_some());
        assert!(TraceParent::parse(&format!("cc-{TRACE}-{PARENT}-01-what-is-to-come")).is_some());
        assert!(TraceParent::parse(&format!("cc-{TRACE}-{PARENT}-01.what")).is_none());
        assert!(TraceParent::parse(&format!("00-{TRACE}-{PARENT}-01-more")).is_none());
    }

    #[test]
    fn anything_else_says_nothing() {
        let zeros = |count| "0".repeat(count);
        for text in [
            String::new(),
            "00".to_owned(),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("0-{TRACE}-{PARENT}-01"),
            format!("00-{TRACE}-{PARENT}"),
            format!("00-{TRACE}-{PARENT}-1"),
            format!("00-{TRACE}-{PARENT}-01 "),
            format!(" 00-{TRACE}-{PARENT}-01"),
            format!("00_{TRACE}-{PARENT}-01"),
            format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
            format!("00-{TRACE}-{}-01", PARENT.to_uppercase()),
            format!("00-{}-{PARENT}-01", zeros(32)),
            format!("00-{TRACE}-{}-01", zeros(16)),
            format!("00-{}-{PARENT}-01", TRACE.replacen('4', "+", 1)),
            format!("00-{}-{PARENT}-01", TRACE.replacen("4b", "é", 1)),
            format!("0X-{TRACE}-{PARENT}-01"),
        ] {
            assert_eq!(TraceParent::parse(&text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "\\PC{0,80}") {
            let _ = TraceParent::parse(&text);
        }

        #[test]
        fn what_is_written_is_read(trace in 1_u128.., parent in 1_u64.., flags in 0_u8..) {
            let read = TraceParent::parse(&format!("00-{trace:032x}-{parent:016x}-{flags:02x}")).unwrap();
            prop_assert_eq!(read, TraceParent { trace, parent, is_sampled: flags & 1 == 1 });
        }
    }
}
