//! Query strings and forms, decoded once and strictly. Names keep their brackets (`filter_query[a][in]`).

use domain::shared::{Code, Fault, Parameters};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// Decodes `a=1&b%5Bc%5D=2`. `+` is a space (WHATWG URL, application/x-www-form-urlencoded).
///
/// 400 for bytes that are no UTF-8 and for U+0000, which PostgreSQL cannot hold.
pub(crate) fn parse(raw: &str) -> Result<Parameters, Fault> {
    raw.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decode(name)?.into_owned(), decode(value)?.into_owned()))
        })
        .collect::<Result<_, Fault>>()
        .map(Parameters::new)
}

/// Decodes one name or value; text that needs no decoding is not copied.
pub(crate) fn decode(text: &str) -> Result<Cow<'_, str>, Fault> {
    let broken = || Fault::new(Code::BadEncoding, "The parameters are not valid percent-encoded UTF-8");
    let decoded = if text.contains('+') {
        let spaced = text.replace('+', " ");
        Cow::Owned(percent_decode_str(&spaced).decode_utf8().map_err(|_| broken())?.into_owned())
    } else {
        percent_decode_str(text).decode_utf8().map_err(|_| broken())?
    };
    if decoded.contains('\0') {
        return Err(Fault::new(Code::BadEncoding, "The parameters hold the character U+0000"));
    }
    Ok(decoded)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn broken_encodings_and_nul_are_refused() {
        assert!(parse("a=%ff").is_err());
        assert!(parse("a=x%00").is_err());
        assert_eq!(parse("a=%C3%BC+x").unwrap().get("a"), Some("ü x"));
        assert_eq!(parse("a%5B%5D=1&a[]=2").unwrap().list("a"), ["1", "2"]);
    }
}
