//! Parameters of a path, percent-decoded exactly once, here.

use domain::shared::{Code, Fault};
use percent_encoding::percent_decode_str;
use std::str::FromStr;

/// What a handler takes of a path: a tuple with a value for each parameter, in the order of the template.
pub trait PathValues: Sized + Send + 'static {
    /// How many parameters that are.
    const COUNT: usize;

    /// Parses them; `None` when a value cannot be parsed: then the path does not match the template (404).
    fn parse(raw: &[&str]) -> Option<Self>;
}

/// The value of one parameter.
pub trait PathValue: Sized + Send + 'static {
    /// Parses the value as it was sent, percent-encoded.
    fn parse(raw: &str) -> Option<Self>;
}

impl<T: FromStr + Send + 'static> PathValue for T {
    fn parse(raw: &str) -> Option<Self> {
        decode(raw).ok()?.parse().ok()
    }
}

/// The rest of a path (`{name..}`), decoded and then without slashes at either end, which clients send
/// encoded too (`%2Fblog`). A broken percent-encoding does not make the path unmatched: the handler answers
/// 400.
pub struct Rest(pub Result<String, Fault>);

impl PathValue for Rest {
    fn parse(raw: &str) -> Option<Self> {
        Some(Self(decode(raw).map(|text| text.trim_matches('/').to_owned())))
    }
}

macro_rules! path_values {
    ($count:literal: $($value:ident),*) => {
        impl<$($value: PathValue),*> PathValues for ($($value,)*) {
            const COUNT: usize = $count;

            #[allow(non_snake_case, reason = "a value is named as its type")]
            fn parse(raw: &[&str]) -> Option<Self> {
                let [$($value),*] = raw else { return None };
                Some(($($value::parse($value)?,)*))
            }
        }
    };
}

path_values!(0:);
path_values!(1: A);
path_values!(2: A, B);
path_values!(3: A, B, C);

/// 400 for bytes that are no UTF-8 and for U+0000.
fn decode(raw: &str) -> Result<String, Fault> {
    match percent_decode_str(raw).decode_utf8() {
        Ok(text) if !text.contains('\0') => Ok(text.into_owned()),
        _ => Err(Fault::new(Code::BadEncoding, "The path is not valid percent-encoded UTF-8")),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn a_path_is_decoded_once() {
        assert_eq!(decode("%C3%BCber%252F").unwrap(), "über%2F");
        assert!(decode("%ff").is_err() && decode("a%00").is_err());
    }
}
