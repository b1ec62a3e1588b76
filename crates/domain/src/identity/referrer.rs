//! The link back to the site that a person came from. An account page shows it only for the site of a client.

use super::{oidc::Clients, origin::Origin};

/// The name of the client with this id, if the URI has the origin of one of its redirect URIs. `None` for an
/// unknown client, for another scheme, host or port, and for a URI that two parsers could read differently.
pub fn client_name<'a>(clients: &'a Clients, id: &str, uri: &str) -> Option<&'a str> {
    let origin = Origin::parse(uri)?;
    let client = clients.find(id)?;
    let is_same_origin = client.redirect_uris.iter().any(|redirect_uri| redirect_uri.origin().as_ref() == Some(&origin));
    is_same_origin.then_some(client.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::client_name;
    use crate::identity::oidc::Clients;

    fn clients() -> Clients {
        Clients::parse(
            r#"[
                {"clientId":"web","name":"The Web","redirectUris":["https://app.example.com/callback"]},
                {"clientId":"dev","name":"Dev","redirectUris":["http://localhost:3000/cb","http://[::1]:3000/cb"]}
            ]"#,
        )
        .unwrap()
    }

    #[test]
    fn a_uri_of_a_registered_origin_is_accepted_whatever_its_path() {
        for (id, uri, name) in [
            ("web", "https://app.example.com", "The Web"),
            ("web", "https://app.example.com/", "The Web"),
            ("web", "HTTPS://APP.example.com:443/a/b?c=d#e", "The Web"),
            ("web", "https://app.example.com?next=https://evil.example", "The Web"),
            ("dev", "http://localhost:3000/home", "Dev"),
            ("dev", "http://[::1]:3000/", "Dev"),
        ] {
            assert_eq!(client_name(&clients(), id, uri), Some(name), "{uri}");
        }
    }

    #[test]
    fn uris_that_only_look_like_the_origin_are_refused() {
        for uri in [
            "https://app.example.com.evil.com/",
            "https://app.example.com@evil.com/",
            "https://app.example.com:443@evil.com/",
            "https://evil.com/https://app.example.com",
            "https://evil.com#@app.example.com",
            "https://evil.com?app.example.com",
            "javascript:alert(1)",
            "javascript://app.example.com/%0aalert(1)",
            "data:text/html,x",
            "https://app.example.com:444/",
            "https://app.example.com:/",
            "https://app.example.com:+443/",
            "https://app.example.com:65979/",
            "http://app.example.com/",
            "http://app.example.com:443/",
            "https://app.example.com\\@evil.com",
            "https:\\\\app.example.com",
            "https:/app.example.com",
            "https:app.example.com",
            "//app.example.com",
            "/callback",
            " https://app.example.com",
            "https://app.exam\tple.com",
            "https://app.example.com\n.evil.com",
            "https://app%2eexample.com",
            "https://app.example.com.",
            "https://ap\u{440}.example.com",
            "https://[::1",
            "https://",
            "",
        ] {
            assert_eq!(client_name(&clients(), "web", uri), None, "{uri:?}");
        }
        assert_eq!(client_name(&clients(), "dev", "https://app.example.com/"), None, "the origin of another client");
        assert_eq!(client_name(&clients(), "nobody", "https://app.example.com/"), None);
        assert_eq!(client_name(&Clients::default(), "web", "https://app.example.com/"), None);
    }
}
