//! Requests of applications that cannot be answered to them: the client is unknown, or the address that the
//! browser should go back to is not one of the client's. A redirect would send people wherever the caller
//! wants, so the person sees a page (RFC 6749, section 4.1.2.1; OpenID Connect RP-Initiated Logout 1.0,
//! section 3).
//!
//! On the way to the page the refusal is a [`Fault`], whose details say what was sent, and by which client.

use super::Client;
use crate::shared::{Code, Detail, Fault, FieldCode, Kind};

/// What such a request is refused for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misdirected<'a> {
    /// The code of the error.
    pub code: Code,
    /// The parameter at fault, as it is called in the request.
    pub parameter: &'a str,
    pub sent: &'a str,
    /// The client, if it is known.
    pub client: Option<NamedClient<'a>>,
}

/// A client as people are told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedClient<'a> {
    pub id: &'a str,
    pub name: &'a str,
}

/// No client has this id.
pub fn unknown_client(sent: &str) -> Fault {
    Fault::new(Code::UnknownClient, "No client has this client_id")
        .about(vec![Detail::new("client_id", FieldCode::UnknownClient, "names no client").bounded(sent)])
}

/// The client has not registered this address, which came in this parameter.
pub fn not_registered(client: &Client, parameter: &'static str, sent: &str) -> Fault {
    Fault::new(Code::InvalidRedirectUri, format!("The client has not registered this {parameter}")).about(vec![
        Detail::new(parameter, FieldCode::NotRegistered, "is not registered").bounded(sent),
        Detail::new("client_id", FieldCode::Client, client.name.clone()).bounded(&client.id),
    ])
}

/// What is refused, if this fault is such a refusal.
pub fn misdirected(fault: &Fault) -> Option<Misdirected<'_>> {
    let [at_fault, client @ ..] = fault.details.as_slice() else { return None };
    if fault.kind() != Kind::BadRequest || !matches!(at_fault.code, FieldCode::UnknownClient | FieldCode::NotRegistered) {
        return None;
    }
    let client = client.iter().find(|detail| detail.code == FieldCode::Client);
    Some(Misdirected {
        code: fault.code,
        parameter: &at_fault.field,
        sent: at_fault.bound.as_deref().unwrap_or_default(),
        client: client.map(|detail| NamedClient { id: detail.bound.as_deref().unwrap_or_default(), name: &detail.message }),
    })
}

#[cfg(test)]
mod tests {
    use super::{Misdirected, NamedClient, misdirected, not_registered, unknown_client};
    use crate::{
        identity::oidc::Clients,
        shared::{Code, Fault},
    };

    #[test]
    fn a_refusal_says_what_was_sent_and_by_whom() {
        let json = r#"[{"clientId": "web", "name": "Web {App}", "redirectUris": ["https://app.example/cb"]}]"#;
        let clients = Clients::parse(json).unwrap();
        let fault = not_registered(clients.find("web").unwrap(), "redirect_uri", "https://a.example/<b>");
        let client = Some(NamedClient { id: "web", name: "Web {App}" });
        let refused =
            Misdirected { code: Code::InvalidRedirectUri, parameter: "redirect_uri", sent: "https://a.example/<b>", client };
        assert_eq!(misdirected(&fault), Some(refused));

        let fault = unknown_client("nope");
        let refused = Misdirected { code: Code::UnknownClient, parameter: "client_id", sent: "nope", client: None };
        assert_eq!(misdirected(&fault), Some(refused));
        assert_eq!(misdirected(&Fault::required("client_id", "is missing")), None);
        assert_eq!(misdirected(&Fault::not_found()), None);
    }
}
