//! Where the response to an authorization request goes (OAuth 2.0 Multiple Response Type Encoding Practices,
//! and Form Post Response Mode).

use crate::shared::{Code, Fault};
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};

/// How the parameters of a response travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ResponseMode {
    /// In the query of the redirect URI.
    #[default]
    Query,
    Fragment,
    /// In a form that a page of this server posts to the redirect URI.
    FormPost,
}

/// Where the response goes: a redirect URI that the client has registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponseTarget {
    /// The redirect URI as it was sent.
    pub redirect_uri: String,
    /// How the parameters travel.
    pub mode: ResponseMode,
    /// The client's `state`, answered as it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

impl ResponseTarget {
    /// The parameters of a response with a code. `iss` names the server, so that a client of several servers
    /// is not tricked into giving the code to another one (RFC 9207).
    pub fn success(&self, code: &str, issuer: &str) -> Vec<(&'static str, String)> {
        self.with_common(vec![("code", code.to_owned())], issuer)
    }

    /// The parameters of a response with an error.
    pub fn failure(&self, fault: &Fault, issuer: &str) -> Vec<(&'static str, String)> {
        // A fault that is not of OAuth, such as a parameter that cannot be read, is a malformed request.
        let code = if fault.code.is_of_oauth() { fault.code } else { Code::InvalidRequest };
        let error = vec![("error", code.name().to_owned()), ("error_description", fault.message.clone().into_owned())];
        self.with_common(error, issuer)
    }

    fn with_common(&self, mut parameters: Vec<(&'static str, String)>, issuer: &str) -> Vec<(&'static str, String)> {
        parameters.extend(self.state.clone().map(|state| ("state", state)));
        parameters.push(("iss", issuer.to_owned()));
        parameters
    }
}

#[cfg(test)]
mod tests {
    use super::{ResponseMode, ResponseTarget};
    use crate::shared::{Code, Fault};

    fn target(state: Option<&str>) -> ResponseTarget {
        ResponseTarget { redirect_uri: "https://a.example/cb".into(), mode: ResponseMode::Query, state: state.map(str::to_owned) }
    }

    fn pair(name: &'static str, value: &str) -> (&'static str, String) {
        (name, value.to_owned())
    }

    #[test]
    fn a_code_comes_with_the_state_as_it_was_sent_and_the_issuer() {
        let issuer = "https://id.example";
        assert_eq!(target(Some("a b")).success("c", issuer), [pair("code", "c"), pair("state", "a b"), pair("iss", issuer)]);
        assert_eq!(target(None).success("c", issuer), [pair("code", "c"), pair("iss", issuer)]);
    }

    #[test]
    fn an_error_is_one_of_oauth_with_the_state_and_the_issuer() {
        let failure = |fault: &Fault| target(Some("s")).failure(fault, "i");
        let rest = |code: &str, message: &str| {
            [pair("error", code), pair("error_description", message), pair("state", "s"), pair("iss", "i")]
        };
        assert_eq!(failure(&Fault::new(Code::AccessDenied, "No")), rest("access_denied", "No"));
        assert_eq!(failure(&Fault::new(Code::RepeatedParameter, "Twice")), rest("invalid_request", "Twice"));
    }

    #[test]
    fn modes_are_known_by_name() {
        for (name, mode) in
            [("query", ResponseMode::Query), ("fragment", ResponseMode::Fragment), ("form_post", ResponseMode::FormPost)]
        {
            assert_eq!(name.parse(), Ok(mode));
        }
        assert!("web_message".parse::<ResponseMode>().is_err());
    }
}
