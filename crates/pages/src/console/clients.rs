//! `/admin/clients`: the applications that people sign in to, as the configuration describes them.

use super::{
    Console, ConsoleText, Section, client_setup,
    confirmation::{self, Confirmation},
    duration, layout,
    list::Table,
    settings_text::SettingsText,
};
use crate::{
    Problems, Text,
    account::{proof::Proof, time},
};
use domain::identity::oidc::{Client, ClientAuth, ClientKind, Consent, GrantType, RedirectUri, RoleMode};
use maud::{Markup, html};
use std::{sync::Arc, time::Duration};

/// The list.
pub fn list_page(console: &Console<'_>, clients: &[Arc<Client>]) -> String {
    let t = |text: ConsoleText| console.t(text);
    let row = |client: &Arc<Client>| {
        vec![
            html! {
                a href=(format!("/admin/clients/{}", client.id)) { (client.name) }
                code .line .small { (client.id) }
            },
            html! { (t(kind(client))) },
            html! { (t(consent(client))) },
            html! { (client.role_group()) },
            html! { @for uri in &client.redirect_uris { span .line .small { (uri.as_str()) } } },
        ]
    };
    let table = Table {
        caption: t(ConsoleText::ClientsCaption),
        columns: &[
            t(ConsoleText::Name),
            t(ConsoleText::Kind),
            t(ConsoleText::Consent),
            t(ConsoleText::RoleGroup),
            t(ConsoleText::RedirectUris),
        ],
        rows: clients.iter().map(row).collect(),
        empty: t(ConsoleText::NoClients),
    };
    let content = html! {
        h1 { (console.t(Text::Apps)) }
        p .lead {
            (console.t(SettingsText::ClientsLead)) " "
            a href="/admin/configuration?search=APP_OIDC_CLIENTS_JSON" { code { "APP_OIDC_CLIENTS_JSON" } } ". "
            a href="/docs/clients" hreflang="en" { (console.t(SettingsText::AboutClients)) } "."
        }
        (table.render())
    };
    layout(console, Section::Clients, console.t(Text::Apps), &Problems::default(), content)
}

fn kind(client: &Client) -> ConsoleText {
    match client.kind {
        ClientKind::Confidential => ConsoleText::Confidential,
        ClientKind::Public => ConsoleText::Public,
    }
}

fn consent(client: &Client) -> ConsoleText {
    if client.redirect_uris.iter().any(|uri| client.asks_each_time(uri.as_str())) {
        return ConsoleText::ConsentAskedEachTime;
    }
    match client.consent {
        Consent::Explicit => ConsoleText::ConsentAsked,
        Consent::Implicit => ConsoleText::ConsentNotAsked,
    }
}

/// An application. `issuer` is the address of this server as tokens name it; `test` is the address that
/// begins a sign-in to it, if it can be begun from here.
pub fn client_page(console: &Console<'_>, client: &Client, issuer: &str, test: Option<&str>) -> String {
    let content = html! {
        p .crumbs { a href="/admin/clients" { (console.t(Text::Apps)) } }
        div .panel-head {
            h1 { (client.name) }
            span .badge { (console.t(kind(client))) }
        }
        div .grid {
            section .panel { h2 { (console.t(ConsoleText::Identity)) } (identity(console, client)) }
            section .panel { h2 { (console.t(ConsoleText::Addresses)) } (addresses(console, client)) }
            section .panel { h2 { (console.t(ConsoleText::Tokens)) } (tokens(console, client)) }
            section .panel { h2 { (console.t(ConsoleText::Roles)) } (roles(console, client)) }
        }
        p { a href=(format!("/admin/audit?client={}", client.id)) { (console.t(SettingsText::EntriesOfClient)) } }
        (client_setup::section(console, client, issuer))
        section .panel {
            h2 { (console.t(ConsoleText::TestSignIn)) }
            @match test {
                Some(test) => {
                    p .muted { (console.t(ConsoleText::TestSignInLead)) }
                    p .secret { (test) }
                    div .actions { a .button .quiet .small href=(test) { (console.t(ConsoleText::TestSignIn)) } }
                }
                None => { p .muted { (console.t(ConsoleText::NoTestSignIn)) } }
            }
        }
        @if matches!(client.auth, ClientAuth::Secret) {
            section .panel {
                div .panel-head {
                    div .row-text {
                        h2 { (console.t(ConsoleText::Secret)) }
                        p .muted { (console.t(ConsoleText::SecretLead)) }
                    }
                    a .button .quiet .small href=(format!("/admin/clients/{}/secret", client.id)) { (console.t(ConsoleText::ShowSecret)) }
                }
            }
        }
    };
    layout(console, Section::Clients, &client.name, &Problems::default(), content)
}

fn fact(label: &str, value: &Markup) -> Markup {
    html! { dt { (label) } dd { (value) } }
}

fn texts<'a>(all: impl IntoIterator<Item = &'a str>) -> Markup {
    let all: Vec<&str> = all.into_iter().collect();
    html! { @if all.is_empty() { "–" } @else { ul .plain { @for text in all { li { (text) } } } } }
}

fn identity(console: &Console<'_>, client: &Client) -> Markup {
    let t = |text: ConsoleText| console.t(text);
    let auth = match &client.auth {
        ClientAuth::Secret => html! { "client_secret_basic, client_secret_post" },
        ClientAuth::PrivateKeyJwt(keys) => {
            html! { "private_key_jwt: " (console.fill(ConsoleText::KeyCount, &[("count", &keys.len().to_string())])) }
        }
        ClientAuth::None => html! { "none" },
    };
    let yes = |is_so: bool| html! { (t(if is_so { ConsoleText::Yes } else { ConsoleText::No })) };
    html! {
        dl .facts {
            (fact(t(ConsoleText::Id), &html! { code { (client.id) } }))
            (fact(t(ConsoleText::Authentication), &auth))
            (fact(t(ConsoleText::Native), &yes(client.is_native)))
            (fact("PKCE", &yes(client.require_pkce)))
            (fact(t(ConsoleText::PushedRequests), &yes(client.requires_pushed_requests)))
            (fact("DPoP", &yes(client.requires_dpop)))
            (fact(t(ConsoleText::Consent), &html! { (t(consent(client))) }))
            (fact(t(ConsoleText::Grants), &texts(client.grant_types.iter().map(<&str>::from))))
            (fact(t(ConsoleText::Scopes), &html! { (client.scopes.join(" ")) }))
            @if client.secret_version > 1 { (fact(t(ConsoleText::SecretVersion), &html! { (client.secret_version) })) }
            @if let Some(until) = client.secret_grace_until { (fact(t(ConsoleText::SecretGrace), &time(console.language, until))) }
        }
    }
}

fn addresses(console: &Console<'_>, client: &Client) -> Markup {
    let t = |text: ConsoleText| console.t(text);
    let optional = |uri: &Option<String>| html! { (uri.as_deref().unwrap_or("–")) };
    // These are pages and an image for people; the others are for programs.
    let link =
        |uri: &Option<String>| html! { @match uri { Some(uri) => { a href=(uri) rel="noreferrer" { (uri) } } None => { "–" } } };
    html! {
        dl .facts {
            (fact(t(ConsoleText::RedirectUris), &texts(client.redirect_uris.iter().map(RedirectUri::as_str))))
            (fact(t(ConsoleText::AfterSignOut), &texts(client.post_logout_redirect_uris.iter().map(RedirectUri::as_str))))
            (fact(t(ConsoleText::BackchannelLogout), &optional(&client.backchannel_logout_uri)))
            (fact(t(ConsoleText::Webhook), &optional(&client.webhook_url)))
            (fact(t(ConsoleText::Logo), &link(&client.logo_uri)))
            (fact(t(ConsoleText::Privacy), &link(&client.policy_uri)))
            (fact(t(ConsoleText::Terms), &link(&client.tos_uri)))
        }
    }
}

fn tokens(console: &Console<'_>, client: &Client) -> Markup {
    let t = |text: ConsoleText| console.t(text);
    let in_words = |time: Duration| html! { (duration::in_words(console.language, time.as_secs())) };
    let has_refresh = client.allows_grant(GrantType::RefreshToken);
    let introspects = match client.introspection_audiences.as_deref() {
        None => html! { (t(ConsoleText::IntrospectsAll)) },
        Some(audiences) => texts(std::iter::once(t(ConsoleText::IntrospectsOwn)).chain(audiences.iter().map(String::as_str))),
    };
    html! {
        dl .facts {
            (fact(t(ConsoleText::SignedWith), &html! { (client.id_token_alg.into_str()) }))
            @if let Some(time) = client.access_token_ttl { (fact(t(ConsoleText::AccessToken), &in_words(time))) }
            @else {
                (fact(t(ConsoleText::AccessToken), &html! { a href="/admin/configuration?search=APP_OIDC_JWT_ACCESS_TTL" { (t(ConsoleText::AsUsual)) } }))
            }
            @if !client.is_public() { (fact(t(ConsoleText::Introspects), &introspects)) }
            @if has_refresh { (fact(t(ConsoleText::RefreshToken), &in_words(client.refresh_token_ttl))) }
        }
    }
}

fn roles(console: &Console<'_>, client: &Client) -> Markup {
    let t = |text: ConsoleText| console.t(text);
    let mode = match client.role_mode {
        RoleMode::Single => ConsoleText::OneRole,
        RoleMode::Multiple => ConsoleText::AnyRoles,
    };
    let listed = |roles: &[String]| html! { @if roles.is_empty() { "–" } @else { (roles.join(", ")) } };
    html! {
        dl .facts {
            (fact(t(ConsoleText::RoleGroup), &html! {
                @if client.roles.is_empty() { (client.role_group()) } @else { a href="/admin/roles" { (client.role_group()) } }
            }))
            (fact(t(ConsoleText::Roles), &listed(&client.roles)))
            (fact(t(ConsoleText::RolesAtOnce), &html! { (t(mode)) }))
            (fact(t(ConsoleText::WithoutDecision), &listed(&client.default_roles)))
            (fact(t(ConsoleText::ToSignIn), &html! {
                @if client.login_roles.is_empty() { (t(ConsoleText::NoneNeeded)) } @else { (client.login_roles.join(", ")) }
            }))
        }
    }
}

/// The page that asks before the secret is shown.
pub fn secret_question_page(console: &Console<'_>, problems: &Problems, proof: Proof, client: &Client) -> String {
    let title = format!("{}: {}", console.t(ConsoleText::ShowSecret), client.name);
    let fill = |text: ConsoleText| console.fill(text, &[("client", &client.name)]);
    let confirmation = Confirmation {
        section: Section::Clients,
        title: &title,
        consequences: vec![fill(ConsoleText::SecretMeans), fill(ConsoleText::SecretKeep), fill(ConsoleText::SecretRecorded)],
        is_harmful: false,
        action: &format!("/admin/clients/{}/secret", client.id),
        fields: html! {},
        button: console.t(ConsoleText::ShowSecret),
        back: &format!("/admin/clients/{}", client.id),
    };
    confirmation::confirmation_page(console, problems, proof, &confirmation)
}

/// The page that shows the secret, and the key of the webhook's signatures if there is a webhook.
pub fn secret_page(console: &Console<'_>, client: &Client, secret: &str, webhook: Option<&str>) -> String {
    let title = format!("{}: {}", console.t(ConsoleText::Secret), client.name);
    let shown = |id: &str, label: ConsoleText, value: &str| {
        html! {
            h2 { (console.t(label)) }
            p .secret id=(id) { (value) }
            div .actions {
                button .button .quiet .small type="button" hidden data-copy=(id) data-done=(console.t(Text::Copied)) { (console.t(Text::Copy)) }
            }
        }
    };
    let content = html! {
        h1 { (title) }
        section .panel .narrow {
            (shown("secret", ConsoleText::Secret, secret))
            @if let Some(webhook) = webhook { (shown("webhook", ConsoleText::WebhookKey, webhook)) }
        }
        p { a href=(format!("/admin/clients/{}", client.id)) { (console.t(ConsoleText::ToClient)) } }
    };
    layout(console, Section::Clients, &title, &Problems::default(), content)
}
