//! Names of parameters with brackets, in the notation of Rack and qs: `filter_query[__or][][color][in]`.

/// The parts of a name: `a[b][][c]` is `["a", "b", "", "c"]`. `None` when brackets do not match up.
pub fn split(name: &str) -> Option<Vec<&str>> {
    let Some((base, rest)) = name.split_once('[') else { return Some(vec![name]) };
    let rest = rest.strip_suffix(']')?;
    let mut parts = vec![base];
    for part in rest.split("][") {
        if part.contains(['[', ']']) {
            return None;
        }
        parts.push(part);
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_are_split() {
        assert_eq!(split("a").unwrap(), ["a"]);
        assert_eq!(split("a[b.c][in]").unwrap(), ["a", "b.c", "in"]);
        assert_eq!(split("a[__or][][b][in]").unwrap(), ["a", "__or", "", "b", "in"]);
        for broken in ["a[b", "a[b]c", "a[[b]]", "a[b]]"] {
            assert_eq!(split(broken), None, "{broken}");
        }
    }
}
