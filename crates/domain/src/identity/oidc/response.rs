//! Where the response to an authorization request goes (OAuth 2.0 Multiple Response Type Encoding Practices, and Form Post Response Mode).

use crate::shared::Fault;
use serde::{Deserialize, Serialize};

/// How the parameters of a response travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResponseMode {
    /// In the query of the redirect URI.
    #[default]
    Query,
    /// In its fragment.
    Fragment,
    /// In a form that a page of this server posts to the redirect URI.
    FormPost,
}

impl ResponseMode {
    /// The mode of a name.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "query" => Some(Self::Query),
            "fragment" => Some(Self::Fragment),
            "form_post" => Some(Self::FormPost),
            _ => None,
        }
    }
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
    /// The parameters of a response with a code. `iss` names the server, so that a client of several servers is not tricked into giving the code to
    /// another one (RFC 9207).
    pub fn success(&self, code: &str, issuer: &str) -> Vec<(&'static str, String)> {
        self.with_common(vec![("code", code.to_owned())], issuer)
    }

    /// The parameters of a response with an error.
    pub fn failure(&self, fault: &Fault, issuer: &str) -> Vec<(&'static str, String)> {
        // A fault that is not of OAuth, such as a parameter that cannot be read, is a malformed request.
        let code = if fault.code.contains('_') { fault.code } else { "invalid_request" };
        let error = vec![("error", code.to_owned()), ("error_description", fault.message.clone().into_owned())];
        self.with_common(error, issuer)
    }

    fn with_common(&self, mut parameters: Vec<(&'static str, String)>, issuer: &str) -> Vec<(&'static str, String)> {
        parameters.extend(self.state.clone().map(|state| ("state", state)));
        parameters.push(("iss", issuer.to_owned()));
        parameters
    }
}
