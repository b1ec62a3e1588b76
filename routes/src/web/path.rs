//! Path segments, percent-decoded exactly once, here (warp does not decode).

use domain::shared::Fault;
use percent_encoding::percent_decode_str;
use std::str::FromStr;
use warp::Filter;

/// One segment parsed into `T`. A segment that does not parse is no match, so the answer is 404.
pub(crate) fn segment<T: FromStr + Send + 'static>() -> impl Filter<Extract = (T,), Error = warp::Rejection> + Clone {
    warp::path::param::<Decoded<T>>().map(|decoded: Decoded<T>| decoded.0)
}

/// The rest of the path, each segment decoded, without a leading or trailing slash.
pub(crate) fn rest() -> impl Filter<Extract = (Result<String, Fault>,), Error = std::convert::Infallible> + Clone {
    warp::path::tail().map(|tail: warp::path::Tail| decode(tail.as_str().trim_matches('/')))
}

struct Decoded<T>(T);

impl<T: FromStr> FromStr for Decoded<T> {
    type Err = ();

    fn from_str(raw: &str) -> Result<Self, ()> {
        decode(raw).map_err(|_| ())?.parse().map(Self).map_err(|_| ())
    }
}

/// 400 for bytes that are no UTF-8 and for U+0000.
fn decode(raw: &str) -> Result<String, Fault> {
    match percent_decode_str(raw).decode_utf8() {
        Ok(text) if !text.contains('\0') => Ok(text.into_owned()),
        _ => Err(Fault::bad_request("badEncoding", "The path is not valid percent-encoded UTF-8")),
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
