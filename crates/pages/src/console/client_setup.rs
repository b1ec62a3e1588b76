//! What the developers of an application need: the issuer, the address at which libraries find the rest, and
//! the lines for libraries that are known to work. `docs/clients.md` lists these with their versions; tests
//! sign in with them, but for Apache's module.

use super::{Console, text::ConsoleText};
use crate::{Text, text::texts};
use domain::identity::oidc::{Client, ClientAuth, GrantType};
use maud::{Markup, html};

texts! {
    SetupText;

    SetupTitle: "For the developers of the application", "Für die Entwicklung der Anwendung";
    SetupLead: "Most libraries need the issuer, the client's id and its secret, and find everything else at the discovery address.", "Die meisten Bibliotheken brauchen den Aussteller, die Id des Clients und sein Geheimnis; alles Weitere finden sie unter der Discovery-Adresse.";
    Issuer: "Issuer", "Aussteller (Issuer)";
    Discovery: "Discovery address", "Discovery-Adresse";
    Snippets: "Lines for libraries", "Zeilen für Bibliotheken";
    MoreLibraries: "More about libraries, in English", "Mehr über Bibliotheken, auf Englisch";
}

/// The section. `issuer` is the address of this server as tokens name it.
pub(super) fn section(console: &Console<'_>, client: &Client, issuer: &str) -> Markup {
    let t = |text: SetupText| console.t(text);
    let discovery = format!("{issuer}/.well-known/openid-configuration");
    let snippets = snippets(client, issuer);
    let copied = |id: &str| {
        html! {
            button .button .quiet .small type="button" hidden data-copy=(id) data-done=(console.t(Text::Copied)) { (console.t(Text::Copy)) }
        }
    };
    html! {
        section .panel {
            h2 { (t(SetupText::SetupTitle)) }
            p .muted { (t(SetupText::SetupLead)) }
            dl .facts {
                dt { (t(SetupText::Issuer)) } dd { code { (issuer) } }
                dt { (t(SetupText::Discovery)) } dd { a href=(discovery) { code { (discovery) } } }
                dt { (console.t(ConsoleText::Id)) } dd { code { (client.id) } }
            }
            @if !snippets.is_empty() {
                h3 { (t(SetupText::Snippets)) }
                @for (number, (library, lines)) in snippets.iter().enumerate() {
                    @let id = format!("snippet-{number}");
                    details {
                        summary { (library) }
                        pre tabindex="0" id=(id) { (lines) }
                        div .actions { (copied(&id)) }
                    }
                }
            }
            p .small { a href="/docs/clients#libraries" { (t(SetupText::MoreLibraries)) } }
        }
    }
}

/// The lines of each library that this client can be used with: its name, and the text. A client without a
/// sign-in by a redirect has none.
fn snippets(client: &Client, issuer: &str) -> Vec<(&'static str, String)> {
    let Some(redirect_uri) = client.redirect_uris.first().filter(|_| client.allows_grant(GrantType::AuthorizationCode)) else {
        return Vec::new();
    };
    let wanted = ["openid", "profile", "email", "offline_access"];
    let scope: Vec<&str> = wanted.into_iter().filter(|scope| client.allows_scope(scope)).collect();
    let values = Values { id: &client.id, issuer, redirect_uri: redirect_uri.as_str(), scope: scope.join(" ") };
    let mut all = Vec::new();
    // One that signs assertions brings a key, which these lines would have to name.
    if !matches!(client.auth, ClientAuth::PrivateKeyJwt(_)) {
        let has_secret = matches!(client.auth, ClientAuth::Secret);
        all.push(("openid-client (JavaScript)", values.openid_client(has_secret)));
        all.push(("Authlib (Python)", values.authlib(has_secret)));
        if has_secret {
            all.push(("mod_auth_openidc (Apache)", values.mod_auth_openidc()));
        }
    }
    all
}

struct Values<'a> {
    id: &'a str,
    issuer: &'a str,
    redirect_uri: &'a str,
    scope: String,
}

impl Values<'_> {
    fn openid_client(&self, has_secret: bool) -> String {
        let authentication = if has_secret { "process.env.CLIENT_SECRET" } else { "undefined, oidc.None()" };
        // The library talks to plain http only if it is told to.
        let options = match (self.issuer.starts_with("http:"), has_secret) {
            (false, _) => "",
            (true, true) => ", undefined, { execute: [oidc.allowInsecureRequests] }",
            (true, false) => ", { execute: [oidc.allowInsecureRequests] }",
        };
        format!(
            "import * as oidc from 'openid-client'

const config = await oidc.discovery(new URL({issuer}), {id}, {authentication}{options})
const verifier = oidc.randomPKCECodeVerifier() // keep it, and the state, in the session of the browser
const state = oidc.randomState()
const address = oidc.buildAuthorizationUrl(config, {{
  redirect_uri: {redirect_uri},
  scope: {scope},
  state,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
}})
// at the redirect URI; `url` is the whole address that the browser came to
const tokens = await oidc.authorizationCodeGrant(config, url, {{ expectedState: state, pkceCodeVerifier: verifier }})
const person = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
",
            issuer = quoted(self.issuer),
            id = quoted(self.id),
            redirect_uri = quoted(self.redirect_uri),
            scope = quoted(&self.scope),
        )
    }

    fn authlib(&self, has_secret: bool) -> String {
        let authentication = if has_secret { "os.environ[\"CLIENT_SECRET\"]" } else { "None, token_endpoint_auth_method=\"none\"" };
        format!(
            "import os
import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

metadata = requests.get({discovery}, timeout=10).json()
session = OAuth2Session({id}, {authentication}, redirect_uri={redirect_uri}, scope={scope}, code_challenge_method=\"S256\")
verifier = generate_token(48)  # keep it, and the state, in the session of the browser
address, state = session.create_authorization_url(metadata[\"authorization_endpoint\"], code_verifier=verifier)
# at the redirect URI; `url` is the whole address that the browser came to
tokens = session.fetch_token(metadata[\"token_endpoint\"], authorization_response=url, state=state, code_verifier=verifier)
person = session.get(metadata[\"userinfo_endpoint\"]).json()
",
            discovery = quoted(&format!("{}/.well-known/openid-configuration", self.issuer)),
            id = quoted(self.id),
            redirect_uri = quoted(self.redirect_uri),
            scope = quoted(&self.scope),
        )
    }

    fn mod_auth_openidc(&self) -> String {
        format!(
            "OIDCProviderMetadataURL {}/.well-known/openid-configuration
OIDCClientID {}
OIDCClientSecret …
OIDCRedirectURI {}
OIDCScope \"{}\"
OIDCPKCEMethod S256
OIDCCryptoPassphrase …
",
            self.issuer, self.id, self.redirect_uri, self.scope
        )
    }
}

/// A text as JavaScript and Python write one. Ids, scopes and addresses hold visible ASCII alone.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}
