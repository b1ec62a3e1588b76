//! Lengths of time in words: exact, in the largest units that they have.

use super::{number, settings_text::SettingsText};
use crate::Words;
use domain::shared::Language;

/// The units, the largest first: their seconds, and the words for one and for more.
const UNITS: [(u64, SettingsText, SettingsText); 4] = [
    (86_400, SettingsText::Day, SettingsText::Days),
    (3_600, SettingsText::Hour, SettingsText::Hours),
    (60, SettingsText::Minute, SettingsText::Minutes),
    (1, SettingsText::Second, SettingsText::Seconds),
];

/// Seconds in words: `14 days`, `1 hour, 30 minutes`, `0 seconds`.
pub(super) fn in_words(language: Language, seconds: u64) -> String {
    let (mut rest, mut parts) = (seconds, Vec::new());
    for (length, one, more) in UNITS {
        let count = rest / length;
        rest %= length;
        if count == 1 {
            parts.push(one.in_language(language).to_owned());
        } else if count > 1 || (length == 1 && parts.is_empty()) {
            let count = number(language, i64::try_from(count).unwrap_or(i64::MAX));
            parts.push(more.fill(language, &[("count", &count)]));
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{UNITS, in_words};
    use crate::Words;
    use domain::shared::Language;
    use proptest::prelude::*;

    #[test]
    fn a_time_is_told_in_the_largest_units_that_it_has() {
        let english = |seconds| in_words(Language::English, seconds);
        for (seconds, words) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (90, "1 minute, 30 seconds"),
            (900, "15 minutes"),
            (3_600, "1 hour"),
            (43_200, "12 hours"),
            (86_401, "1 day, 1 second"),
            (1_209_600, "14 days"),
            (93_784, "1 day, 2 hours, 3 minutes, 4 seconds"),
        ] {
            assert_eq!(english(seconds), words);
        }
        assert_eq!(english(86_400 * 36_500), "36,500 days");
        assert_eq!(in_words(Language::German, 1_209_600), "14 Tage");
        assert_eq!(in_words(Language::German, 86_400 * 1_000 + 3_661), "1.000 Tage, 1 Stunde, 1 Minute, 1 Sekunde");
    }

    proptest! {
        /// What is told adds up to the time.
        #[test]
        fn no_second_is_lost(seconds in 0..100_000_000_000u64, german in any::<bool>()) {
            let language = if german { Language::German } else { Language::English };
            let words = in_words(language, seconds);
            let in_seconds: u64 = words.split(", ").map(|part| {
                let (count, unit) = part.split_once(' ').unwrap();
                let count: u64 = count.replace([',', '.'], "").parse().unwrap();
                let (length, ..) = UNITS.into_iter().find(|(_, one, more)| {
                    one.in_language(language).ends_with(&format!(" {unit}")) || more.in_language(language).ends_with(&format!(" {unit}"))
                }).unwrap();
                count * length
            }).sum();
            prop_assert_eq!(in_seconds, seconds, "{}", words);
        }
    }
}
