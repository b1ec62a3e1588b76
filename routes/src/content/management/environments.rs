//! What stands in the way of a preview: browsers tell the page that frames another one nothing but that
//! something was loaded, so the server looks.

use super::access::Manager;
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use actors::content::Look;
use domain::{
    content::Right,
    shared::{Fault, FieldCode},
};
use http::{HeaderMap, HeaderName, header};
use serde::{Deserialize, Serialize};

/// The longest URL.
const MAX_URL: usize = 2048;

/// The endpoints below `/api/v1/spaces/{space}/environments`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management).post("/api/v1/spaces/{space}/environments/check", Right::Read, check)
}

#[derive(Deserialize)]
struct CheckBody {
    url: Option<String>,
}

/// What a page answers to a request without cookies.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct PageView {
    /// Null where the guard lets no request of this server go, such as to a private address.
    reachable: Option<bool>,
    status: Option<u16>,
    /// All headers of this name, with commas between them.
    x_frame_options: Option<String>,
    /// The values of `frame-ancestors` of each policy that has the directive; each of them has to allow it.
    frame_ancestors: Vec<String>,
    /// Why there is no status.
    reason: Option<String>,
}

/// Of `{"url": "https://…"}`: 200 with a [`PageView`]. 429 for more than 20 in a minute.
async fn check(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let body: CheckBody = request.json(DEFAULT_LIMIT).await?;
    let url = body.url.filter(|url| !url.trim().is_empty());
    let url = url.ok_or_else(|| Fault::invalid("url", FieldCode::Blank, "can't be blank"))?;
    if url.len() > MAX_URL {
        return Err(Fault::invalid("url", FieldCode::TooLong, format!("is too long (maximum is {MAX_URL} bytes)")));
    }
    content.limits.count_look(&content.store, &caller.authorized).await?;
    ApiResponse::ok(&PageView::of(content.remote_files.look(caller.space(), &url).await?))
}

impl PageView {
    fn of(look: Look) -> Self {
        match look {
            Look::Answered(status, headers) => Self {
                reachable: Some(true),
                status: Some(status.as_u16()),
                x_frame_options: Some(values(&headers, header::X_FRAME_OPTIONS)).filter(|value| !value.is_empty()),
                frame_ancestors: frame_ancestors(&values(&headers, header::CONTENT_SECURITY_POLICY)),
                reason: None,
            },
            Look::Failed(reason) => Self { reachable: Some(false), reason: Some(reason), ..Self::default() },
            Look::Blocked => Self { reason: Some("this server may not call it".to_owned()), ..Self::default() },
        }
    }
}

fn values(headers: &HeaderMap, name: HeaderName) -> String {
    let texts: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    texts.join(", ")
}

/// What each policy of a header says about frames (CSP 3, sections 2.2.2 and 6.4.2): of a directive that
/// stands twice in one policy, the first counts.
fn frame_ancestors(policies: &str) -> Vec<String> {
    let of_policy = |policy: &str| {
        policy.split(';').find_map(|directive| {
            let directive = directive.trim();
            let (name, value) = directive.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((directive, ""));
            name.eq_ignore_ascii_case("frame-ancestors").then(|| value.trim().to_owned())
        })
    };
    policies.split(',').filter_map(of_policy).collect()
}

#[cfg(test)]
mod tests {
    use super::{PageView, frame_ancestors};
    use actors::content::Look;
    use http::{HeaderMap, HeaderValue, StatusCode, header};

    #[test]
    fn each_policy_says_who_may_frame() {
        for (policies, expected) in [
            ("default-src 'self'", vec![]),
            ("default-src 'self'; Frame-Ancestors  'none' ;", vec!["'none'"]),
            ("frame-ancestors 'self' https://a.test; frame-ancestors *", vec!["'self' https://a.test"]),
            ("frame-ancestors a.test, img-src *, frame-ancestors\tb.test", vec!["a.test", "b.test"]),
            ("frame-ancestors", vec![""]),
        ] {
            assert_eq!(frame_ancestors(policies), expected, "{policies}");
        }
    }

    #[test]
    fn repeated_headers_are_one() {
        let mut headers = HeaderMap::new();
        for value in ["DENY", "SAMEORIGIN"] {
            headers.append(header::X_FRAME_OPTIONS, HeaderValue::from_static(value));
        }
        let view = PageView::of(Look::Answered(StatusCode::OK, headers));
        assert_eq!(view.x_frame_options.as_deref(), Some("DENY, SAMEORIGIN"));
        assert_eq!(PageView::of(Look::Answered(StatusCode::OK, HeaderMap::new())).x_frame_options, None);
    }
}
