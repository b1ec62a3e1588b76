//! Query parameters, decoded.

use percent_encoding::percent_decode_str;

/// The parameters of a request.
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn read(text: Option<&str>) -> Self {
        let decoded = |value: &str| percent_decode_str(&value.replace('+', " ")).decode_utf8_lossy().into_owned();
        let pairs = text.unwrap_or_default().split('&').filter(|part| !part.is_empty());
        Self(
            pairs
                .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
                .map(|(name, value)| (decoded(name), decoded(value)))
                .collect(),
        )
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(value, _)| value == name).map(|(_, value)| value.as_str())
    }

    /// An integer of at least 1.
    pub(crate) fn number(&self, name: &str, default: usize, most: usize) -> usize {
        self.get(name).and_then(|value| value.parse().ok()).unwrap_or(default).clamp(1, most)
    }

    /// The names of parameters that are not among these.
    pub(crate) fn unknown(&self, known: &[&str]) -> Option<String> {
        let unknown: Vec<_> = self.0.iter().map(|(name, _)| name.as_str()).filter(|value| !known.contains(value)).collect();
        (!unknown.is_empty()).then(|| unknown.join(", "))
    }
}
