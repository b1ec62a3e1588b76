//! The table. A line is a row of cells, one for each column, and the endpoints that it is for.
//!
//! Reading a cell: what a caller gets who sends a request that is wrong in every other respect, with a body
//! that cannot be parsed, or a parameter that does not exist, so that nothing but the access rule lets it
//! pass.
//!
//! | cell | |
//! |---|---|
//! | `.` | let in: 2xx, or refused for another reason (400, 404 outside of the Management API, 415, 422 …) |
//! | `1` | 401 |
//! | `3` | 403 |
//! | `4` | 404 of the Management API: a space that is not the caller's is not shown to exist |
//! | `L` | 303 to the page to sign in with |
//! | `P` | 303 to the page that asks for a proof |
//! | `!` | 429 or 5xx, which is never right |
//!
//! | column | caller |
//! |---|---|
//! | `n` | no caller |
//! | `u`, `v` | a signed-in person; one whose address is not verified |
//! | `s`, `r`, `x` | a suspended person; a session that was revoked; one that has expired |
//! | `f` | an administrator whose browser is made to send the request: the cookies without the CSRF token |
//! | `a` | an administrator of the server, who is a member of no space |
//! | `z` | the same, who has neither signed in nor proved it again for an hour |
//! | `o` | the owner of the space |
//! | `m`, `e`, `w` | members of the space by session: an admin, an editor, a viewer |
//! | `h`, `i` | a person who was a member; one who is invited |
//! | `T`, `L`, `E`, `V` | management tokens of the space: admin, legacy, editor, viewer |
//! | `R`, `W` | a revoked admin token; an admin token of another space |
//! | `D`, `P`, `Q`, `K` | delivery tokens: public, preview, private, and a revoked private one |
//! | `C` | a confidential client of the OpenID provider, by HTTP Basic |
//! | `B` | a provisioning token |

/// The columns, grouped as the cells are.
pub const COLUMNS: &str = "n uv srx f az o mewhi TLEV R W DPQK C B";

/// The lines.
#[rustfmt::skip]
pub const TABLE: &[(&str, &str)] = &[
    // Everybody: operations, discovery, files with addresses of their own, an upload whose form is signed.
    (". .. ... . .. . ..... .... . . .... . .", "
        GET /.well-known/jwks.json
        GET /.well-known/oauth-authorization-server
        GET /.well-known/openid-configuration
        GET /api/auth/invite
        GET /api/auth/verify-email
        GET /api/csrf-token
        GET /api/docs
        GET /api/docs/{operation}
        GET /api/health
        GET /api/oidc/interaction/{uid}
        GET /api/openapi.json
        GET /api/ready
        GET /assets/pages/{file}
        GET /assets/studio/{file}
        GET /f/bridge.js
        GET /f/storyblok-v2-latest.js
        GET /docs
        GET /docs/{document}
        GET /f/{space}/{file..}
        GET /licenses
        GET /licenses.txt
        GET /oidc/authorize
        GET /oidc/authorize/{uid}
        GET /oidc/jwks
        GET /oidc/session/end
        POST /api/v1/spaces/{space}/assets/{id}/upload
    "),
    // Everybody, and the answer is an error of OAuth that depends on the client in the request.
    (". .. ... . .. . ..... .... . . .... . .", "
        POST /oidc/authorize
        POST /oidc/device_authorization
        POST /oidc/introspect
        POST /oidc/par
        POST /oidc/revoke
        POST /oidc/session/end
        POST /oidc/token
    "),
    // A browser with a CSRF token, signed in or not.
    ("3 .. 333 3 .. . ..... 3333 3 3 3333 3 3", "
        POST /api/auth/accept-invite
        POST /api/auth/confirm-email
        POST /api/auth/login
        POST /api/auth/password/forgot
        POST /api/auth/password/reset
        POST /api/auth/register
        POST /api/auth/resend-login-code
        POST /api/auth/resend-verification
        POST /api/auth/verify-login-code
        POST /api/auth/verify-totp
        POST /api/oidc/interaction/{uid}/finish
        POST /api/webauthn/login/finish
        POST /api/webauthn/login/start
    "),
    // A caller who is not signed in has nothing to end; one who is needs the token.
    (". .. ... 3 .. . ..... .... . . .... . .", "
        POST /api/auth/logout
    "),
    // A signed-in person.
    ("1 .. 111 . .. . ..... 1111 1 1 1111 1 1", "
        GET /api/me
        GET /api/me/activity
        GET /api/me/export
        GET /api/me/passkeys
        GET /api/me/referrer
        GET /api/me/sessions
        GET /api/me/sessions/last-revoked-others
        GET /api/me/totp
    "),
    // A signed-in person, with the CSRF token.
    ("1 .. 111 3 .. . ..... 1111 1 1 1111 1 1", "
        DELETE /api/me
        PATCH /api/me
        POST /api/me/email
        PATCH /api/me/passkeys/{id}
        DELETE /api/me/password
        POST /api/me/password
        POST /api/me/password-reauth
        POST /api/me/reauthenticate
        POST /api/me/sessions/revoke-others
        DELETE /api/me/sessions/{id}
        DELETE /api/me/totp
    "),
    // An administrator.
    ("1 33 111 . .. 3 33333 1111 1 1 1111 1 1", "
        GET /api/admin/actors
        GET /api/admin/audit-logs
        GET /api/admin/blocks
        GET /api/admin/clients
        GET /api/admin/config
        GET /api/admin/email/preview
        GET /api/admin/email/queue
        GET /api/admin/email/status
        GET /api/admin/keys
        GET /api/admin/queues
        GET /api/admin/queues/{name}/dead
        GET /api/admin/spaces
        GET /api/admin/stats
        GET /api/admin/tokens
        GET /api/admin/users
        GET /api/admin/users/{id}
        GET /api/admin/users/{id}/roles
    "),
    // An administrator, with the CSRF token.
    ("1 33 111 3 .. 3 33333 1111 1 1 1111 1 1", "
        DELETE /api/admin/blocks/{id}
        POST /api/admin/email/queue/retry
        POST /api/admin/queues/{name}/retry
        PUT /api/admin/spaces/{space}/owner
        POST /api/admin/spaces/{space}/undelete
        PUT /api/admin/users/{id}/roles
        POST /api/admin/email/queue/{id}/retry
        POST /api/admin/email/test
        POST /api/admin/queues/{name}/{id}/retry
        POST /api/admin/users
        PATCH /api/admin/users/{id}
    "),
    // A signed-in person, with the CSRF token and a recent proof.
    ("1 .. 111 3 .3 . ..... 1111 1 1 1111 1 1", "
        DELETE /api/me/passkeys/{id}
        POST /api/me/totp/backup-codes
        POST /api/me/totp/confirm
        POST /api/me/totp/start
        POST /api/webauthn/register/finish
        POST /api/webauthn/register/start
    "),
    // An administrator, with a recent proof.
    ("1 33 111 . .3 3 33333 1111 1 1 1111 1 1", "
        GET /api/admin/clients/{clientId}/secret
        GET /api/admin/users/{id}/export
    "),
    // The same, with the CSRF token.
    ("1 33 111 3 .3 3 33333 1111 1 1 1111 1 1", "
        POST /api/admin/audit-logs/anonymize-orphans
        POST /api/admin/force-logout-all
        POST /api/admin/keys/rotate
        POST /api/admin/roles/rekey
        DELETE /api/admin/tokens/{kind}/{id}
        DELETE /api/admin/users/{id}
        POST /api/admin/users/{id}/force-logout
        POST /api/admin/users/{id}/invite-link
        POST /api/admin/users/{id}/reset-link
        POST /api/admin/users/{id}/reset-two-factor
        POST /api/admin/users/{id}/suspend
        POST /api/admin/users/{id}/unsuspend
    "),
    // The client itself.
    ("1 11 111 1 11 1 11111 1111 1 1 1111 . 1", "
        GET /api/apps/roles
        PUT /api/apps/roles
    "),
    // A provisioning token.
    ("1 11 111 1 11 1 11111 1111 1 1 1111 1 .", "
        GET /api/provisioning/users/lookup
        POST /api/provisioning/users
        POST /api/provisioning/users/import
    "),
    // A token that none of these has: of metrics, of the OpenID provider.
    ("1 11 111 1 11 1 11111 1111 1 1 1111 1 1", "
        GET /metrics
        GET /oidc/userinfo
    "),
    // The same; without a token in the header it may be a field of a form, and a body that is no form is 400
    // (RFC 6750, section 3.1).
    (". .. ... . .. . ..... 1111 1 1 1111 . 1", "
        POST /oidc/userinfo
    "),
    // One's own spaces; any management token.
    ("1 .. 111 . .. . ..... .... 1 . 1111 1 1", "
        GET /api/v1/spaces
        GET /api/v1/users/me
    "),
    // A new space: a person whose address is verified.
    ("1 .3 111 3 .. . ..... 1111 1 1 1111 1 1", "
        POST /api/v1/spaces
    "),
    // What is in a space, read: every role.
    ("1 44 111 4 44 . ...44 .... 1 4 1111 1 1", "
        GET /api/v1/spaces/{space}
        GET /api/v1/spaces/{space}/approvals
        GET /api/v1/spaces/{space}/asset_folders
        GET /api/v1/spaces/{space}/asset_folders/{id}
        GET /api/v1/spaces/{space}/assets
        GET /api/v1/spaces/{space}/assets/{id}
        GET /api/v1/spaces/{space}/background_tasks
        GET /api/v1/spaces/{space}/backups
        GET /api/v1/spaces/{space}/branches
        GET /api/v1/spaces/{space}/cdn/stories
        GET /api/v1/spaces/{space}/cdn/stories/{id}
        GET /api/v1/spaces/{space}/cdn/stories/{id}/published
        GET /api/v1/spaces/{space}/collaborators
        GET /api/v1/spaces/{space}/component_groups
        GET /api/v1/spaces/{space}/component_groups/{id}
        GET /api/v1/spaces/{space}/components
        GET /api/v1/spaces/{space}/components/{id}
        GET /api/v1/spaces/{space}/components/{id}/component_versions/{version}
        GET /api/v1/spaces/{space}/components/{id}/options
        GET /api/v1/spaces/{space}/datasource_entries
        GET /api/v1/spaces/{space}/datasource_entries/{id}
        GET /api/v1/spaces/{space}/datasources
        GET /api/v1/spaces/{space}/datasources/{id}
        GET /api/v1/spaces/{space}/experiments
        GET /api/v1/spaces/{space}/field_types
        GET /api/v1/spaces/{space}/imports
        GET /api/v1/spaces/{space}/imports/{id}
        GET /api/v1/spaces/{space}/imports/{id}/events
        GET /api/v1/spaces/{space}/internal_tags
        GET /api/v1/spaces/{space}/presets
        GET /api/v1/spaces/{space}/presets/{id}
        GET /api/v1/spaces/{space}/releases
        GET /api/v1/spaces/{space}/shared_asset_folders
        GET /api/v1/spaces/{space}/shared_assets
        GET /api/v1/spaces/{space}/shared_internal_tags
        GET /api/v1/spaces/{space}/space_roles
        GET /api/v1/spaces/{space}/stories
        GET /api/v1/spaces/{space}/stories/{id}
        GET /api/v1/spaces/{space}/stories/{id}/compare
        GET /api/v1/spaces/{space}/stories/{id}/translations
        GET /api/v1/spaces/{space}/stories/{id}/versions
        GET /api/v1/spaces/{space}/story_schedulings
        GET /api/v1/spaces/{space}/story_schedulings/{id}
        GET /api/v1/spaces/{space}/story_versions
        GET /api/v1/spaces/{space}/story_versions/{id}
        GET /api/v1/spaces/{space}/tags
        GET /api/v1/spaces/{space}/tasks
        GET /api/v1/spaces/{space}/versions
        GET /api/v1/spaces/{space}/webhooks
        GET /api/v1/spaces/{space}/webhooks/{id}
        GET /api/v1/spaces/{space}/webhooks/{id}/deliveries
        GET /api/v1/spaces/{space}/workflow_stage_changes
        GET /api/v1/spaces/{space}/workflow_stages
        GET /api/v1/spaces/{space}/workflows
    "),
    // Tokens, the log and webhooks with their secrets, read: administrators of the space.
    ("1 44 111 4 44 . .3344 ..33 1 4 1111 1 1", "
        GET /api/v1/spaces/{space}/activities
        GET /api/v1/spaces/{space}/activities/{id}
        GET /api/v1/spaces/{space}/api_keys
        GET /api/v1/spaces/{space}/audit_log
        GET /api/v1/spaces/{space}/tokens
        GET /api/v1/spaces/{space}/webhook_endpoints
        GET /api/v1/spaces/{space}/webhook_endpoints/allowed_actions
        GET /api/v1/spaces/{space}/webhook_endpoints/{id}
    "),
    // Content, written: editors too. Some GETs of Storyblok write.
    ("1 44 111 3 44 . ..344 ...3 1 4 1111 1 1", "
        POST /api/v1/spaces/{space}/asset_folders
        DELETE /api/v1/spaces/{space}/asset_folders/{id}
        PATCH /api/v1/spaces/{space}/asset_folders/{id}
        PUT /api/v1/spaces/{space}/asset_folders/{id}
        POST /api/v1/spaces/{space}/assets
        POST /api/v1/spaces/{space}/assets/bulk_destroy
        POST /api/v1/spaces/{space}/assets/bulk_restore
        POST /api/v1/spaces/{space}/assets/bulk_tags_association
        POST /api/v1/spaces/{space}/assets/bulk_update
        POST /api/v1/spaces/{space}/assets/copy_from_url
        DELETE /api/v1/spaces/{space}/assets/{id}
        PATCH /api/v1/spaces/{space}/assets/{id}
        PUT /api/v1/spaces/{space}/assets/{id}
        GET /api/v1/spaces/{space}/assets/{id}/finish_upload
        POST /api/v1/spaces/{space}/datasource_entries
        DELETE /api/v1/spaces/{space}/datasource_entries/{id}
        PATCH /api/v1/spaces/{space}/datasource_entries/{id}
        PUT /api/v1/spaces/{space}/datasource_entries/{id}
        POST /api/v1/spaces/{space}/datasources
        DELETE /api/v1/spaces/{space}/datasources/{id}
        PATCH /api/v1/spaces/{space}/datasources/{id}
        PUT /api/v1/spaces/{space}/datasources/{id}
        POST /api/v1/spaces/{space}/internal_tags
        DELETE /api/v1/spaces/{space}/internal_tags/{id}
        PATCH /api/v1/spaces/{space}/internal_tags/{id}
        PUT /api/v1/spaces/{space}/internal_tags/{id}
        POST /api/v1/spaces/{space}/stories
        POST /api/v1/spaces/{space}/stories/bulk_move
        DELETE /api/v1/spaces/{space}/stories/{id}
        PATCH /api/v1/spaces/{space}/stories/{id}
        PUT /api/v1/spaces/{space}/stories/{id}
        GET /api/v1/spaces/{space}/stories/{id}/discard_changes
        POST /api/v1/spaces/{space}/stories/{id}/discard_changes
        PUT /api/v1/spaces/{space}/stories/{id}/discard_changes
        POST /api/v1/spaces/{space}/stories/{id}/duplicate
        PUT /api/v1/spaces/{space}/stories/{id}/duplicate
        PUT /api/v1/spaces/{space}/stories/{id}/move
        GET /api/v1/spaces/{space}/stories/{id}/publish
        POST /api/v1/spaces/{space}/stories/{id}/publish
        PUT /api/v1/spaces/{space}/stories/{id}/publish
        GET /api/v1/spaces/{space}/stories/{id}/restore_with
        POST /api/v1/spaces/{space}/stories/{id}/restore_with
        PUT /api/v1/spaces/{space}/stories/{id}/restore_with
        GET /api/v1/spaces/{space}/stories/{id}/undelete
        POST /api/v1/spaces/{space}/stories/{id}/undelete
        PUT /api/v1/spaces/{space}/stories/{id}/translations
        PUT /api/v1/spaces/{space}/stories/{id}/undelete
        GET /api/v1/spaces/{space}/stories/{id}/unpublish
        POST /api/v1/spaces/{space}/stories/{id}/unpublish
        PUT /api/v1/spaces/{space}/stories/{id}/unpublish
        POST /api/v1/spaces/{space}/story_schedulings
        DELETE /api/v1/spaces/{space}/story_schedulings/{id}
        PUT /api/v1/spaces/{space}/story_schedulings/{id}
        POST /api/v1/spaces/{space}/tags
        POST /api/v1/spaces/{space}/tags/bulk_association
        DELETE /api/v1/spaces/{space}/tags/{name}
        PUT /api/v1/spaces/{space}/tags/{name}
        PUT /api/v1/spaces/{space}/versions/{id}
    "),
    // Settings, structure, people, tokens, webhooks and imports, written: administrators of the space.
    ("1 44 111 3 44 . .3344 ..33 1 4 1111 1 1", "
        DELETE /api/v1/spaces/{space}
        PUT /api/v1/spaces/{space}
        POST /api/v1/spaces/{space}/api_keys
        DELETE /api/v1/spaces/{space}/api_keys/{id}
        POST /api/v1/spaces/{space}/collaborators
        PUT /api/v1/spaces/{space}/collaborators/{id}
        POST /api/v1/spaces/{space}/component_groups
        DELETE /api/v1/spaces/{space}/component_groups/{id}
        PATCH /api/v1/spaces/{space}/component_groups/{id}
        PUT /api/v1/spaces/{space}/component_groups/{id}
        POST /api/v1/spaces/{space}/components
        DELETE /api/v1/spaces/{space}/components/{id}
        PUT /api/v1/spaces/{space}/components/{id}
        POST /api/v1/spaces/{space}/components/{id}/restore
        POST /api/v1/spaces/{space}/import/vendor
        DELETE /api/v1/spaces/{space}/imports/{id}
        POST /api/v1/spaces/{space}/imports/{id}/resume
        POST /api/v1/spaces/{space}/presets
        DELETE /api/v1/spaces/{space}/presets/{id}
        PUT /api/v1/spaces/{space}/presets/{id}
        POST /api/v1/spaces/{space}/tokens
        DELETE /api/v1/spaces/{space}/tokens/{id}
        POST /api/v1/spaces/{space}/webhook_endpoints
        PUT /api/v1/spaces/{space}/webhook_endpoints/{id}
        PATCH /api/v1/spaces/{space}/webhook_endpoints/{id}
        DELETE /api/v1/spaces/{space}/webhook_endpoints/{id}
        POST /api/v1/spaces/{space}/webhooks
        DELETE /api/v1/spaces/{space}/webhooks/{id}
        PATCH /api/v1/spaces/{space}/webhooks/{id}
        PUT /api/v1/spaces/{space}/webhooks/{id}
        POST /api/v1/spaces/{space}/webhooks/{id}/deliveries/{delivery}/redeliver
        POST /api/v1/spaces/{space}/webhooks/{id}/ping
        POST /api/v1/spaces/{space}/webhooks/{id}/redeliver
    "),
    // Members may leave, whatever their role is, and every role may ask what is wrong with a story or a
    // preview.
    ("1 44 111 3 44 . ...44 .... 1 4 1111 1 1", "
        DELETE /api/v1/spaces/{space}/collaborators/{id}
        POST /api/v1/spaces/{space}/environments/check
        POST /api/v1/spaces/{space}/stories/{id}/validate
    "),
    // The Delivery API: a delivery token, and nothing else.
    ("1 11 111 1 11 1 11111 1111 1 1 ...1 1 1", "
        GET /api/v2/cdn/datasource_entries
        GET /api/v2/cdn/datasources
        GET /api/v2/cdn/datasources/{id}
        GET /api/v2/cdn/links
        GET /api/v2/cdn/links/{uuid}
        GET /api/v2/cdn/spaces/me
        GET /api/v2/cdn/stories
        GET /api/v2/cdn/stories/{identifier..}
        GET /api/v2/cdn/tags
    "),
    // Private assets: not by a public token.
    ("1 11 111 1 11 1 11111 1111 1 1 1..1 1 1", "
        GET /api/v2/cdn/assets/me
    "),
    // The second step of signing in, which leads to the first one where none is waiting.
    ("L LL LLL L LL L LLLLL LLLL L L LLLL L L", "
        GET /login/2fa
    "),
    // Pages for everybody. A form needs its CSRF token.
    (". .. ... . .. . ..... .... . . .... . .", "
        GET /accept-invite
        GET /confirm-email
        GET /forgot-password
        GET /interaction/{uid}
        GET /join
        GET /login
        GET /login/passkey
        GET /logout
        GET /register
        GET /reset-password
        GET /verify-email
        GET /verify-email/confirm
    "),
    // The start leads on: to the studio, the account, or to the page to sign in with.
    ("L .. LLL . .. . ..... LLLL L L LLLL L L", "
        GET /
        GET /device
    "),
    // Forms of pages for everybody.
    ("3 .. 333 3 .. . ..... 3333 3 3 3333 3 3", "
        POST /accept-invite
        POST /confirm-email
        POST /forgot-password
        POST /interaction/{uid}
        POST /join
        POST /login
        POST /logout
        POST /register
        POST /reset-password
        POST /verify-email
        POST /verify-email/confirm
    "),
    // The same; where no second step is waiting it leads to the first one.
    ("3 LL 333 3 LL L LLLLL 3333 3 3 3333 3 3", "
        POST /login/2fa
    "),
    // The same; a form without the answer of a passkey is a sign-in that failed.
    ("3 11 333 3 11 1 11111 3333 3 3 3333 3 3", "
        POST /login/passkey
    "),
    // Pages of the account and of the studio. A space of others is one that does not exist.
    ("L .. LLL . .. . ..... LLLL L L LLLL L L", "
        GET /account
        GET /account/activity
        GET /account/apps
        GET /account/data
        GET /account/delete
        GET /account/email
        GET /account/prove
        GET /account/security
        GET /account/security/app/remove
        GET /account/security/backup-codes
        GET /account/security/passkeys
        GET /account/security/passkeys/{id}
        GET /account/security/password
        GET /account/security/password/remove
        GET /account/sessions
        GET /studio
        GET /studio/new
        GET /studio/new/tokens
        GET /studio/signed-in
        GET /studio/{space}/{rest..}
    "),
    // Forms of the account and of the studio.
    ("L .. LLL 3 .. . ..... LLLL L L LLLL L L", "
        POST /account
        POST /account/apps
        POST /account/data
        POST /account/delete
        POST /account/email
        POST /account/prove
        POST /account/security/app/remove
        POST /account/security/backup-codes
        POST /account/security/passkeys/{id}
        POST /account/security/password
        POST /account/security/password/remove
        POST /account/sessions
        POST /device
        POST /studio/new
    "),
    // Those that change what signs in, with a recent proof.
    ("L .. LLL . .P . ..... LLLL L L LLLL L L", "
        GET /account/security/app
        GET /account/security/passkeys/{id}/remove
    "),
    // The same forms.
    ("L .. LLL 3 .P . ..... LLLL L L LLLL L L", "
        POST /account/security/app
        POST /account/security/passkeys
        POST /account/security/passkeys/{id}/remove
    "),
    // The console of administrators.
    ("L 33 LLL . .. 3 33333 LLLL L L LLLL L L", "
        GET /admin
        GET /admin/audit
        GET /admin/audit/anonymize
        GET /admin/blocks
        GET /admin/clients
        GET /admin/clients/{id}
        GET /admin/clients/{id}/secret
        GET /admin/configuration
        GET /admin/keys
        GET /admin/keys/replace
        GET /admin/keys/rotate
        GET /admin/mail
        GET /admin/mail/preview
        GET /admin/mail/preview/frame
        GET /admin/mail/retry
        GET /admin/mail/test
        GET /admin/roles
        GET /admin/roles/rekey
        GET /admin/sign-out-everybody
        GET /admin/spaces
        GET /admin/tokens
        GET /admin/tokens/revoke
        GET /admin/spaces/{space}/owner
        GET /admin/spaces/{space}/undelete
        GET /admin/users
        GET /admin/users/new
        GET /admin/users/{id}
        GET /admin/users/{id}/apps
        GET /admin/users/{id}/edit
        GET /admin/users/{id}/roles
        GET /admin/users/{id}/roles/change
        GET /admin/users/{id}/sessions
        GET /admin/users/{id}/delete
        GET /admin/users/{id}/export
        GET /admin/users/{id}/grant-admin
        GET /admin/users/{id}/invite
        GET /admin/users/{id}/reset-factors
        GET /admin/users/{id}/reset-link
        GET /admin/users/{id}/revoke-admin
        GET /admin/users/{id}/sign-out
        GET /admin/users/{id}/suspend
        GET /admin/users/{id}/unsuspend
        GET /admin/users/{id}/unverify-address
        GET /admin/users/{id}/verify-address
        GET /admin/workers
        GET /admin/workers/events
        GET /admin/workers/{name}
        GET /admin/workers/{name}/retry
    "),
    // A file of the console, with a recent proof.
    ("L 33 LLL . .P 3 33333 LLLL L L LLLL L L", "
        GET /admin/audit/csv
    "),
    // Forms of the console.
    ("L 33 LLL 3 .. 3 33333 LLLL L L LLLL L L", "
        POST /admin/audit/anonymize
        POST /admin/blocks
        POST /admin/clients/{id}/secret
        POST /admin/keys/replace
        POST /admin/keys/rotate
        POST /admin/mail
        POST /admin/mail/retry
        POST /admin/mail/test
        POST /admin/roles/rekey
        POST /admin/sign-out-everybody
        POST /admin/spaces/{space}/owner
        POST /admin/tokens/revoke
        POST /admin/spaces/{space}/undelete
        POST /admin/users/new
        POST /admin/users/{id}/edit
        POST /admin/users/{id}/roles/change
        POST /admin/users/{id}/delete
        POST /admin/users/{id}/export
        POST /admin/users/{id}/grant-admin
        POST /admin/users/{id}/invite
        POST /admin/users/{id}/reset-factors
        POST /admin/users/{id}/reset-link
        POST /admin/users/{id}/revoke-admin
        POST /admin/users/{id}/sign-out
        POST /admin/users/{id}/suspend
        POST /admin/users/{id}/unsuspend
        POST /admin/users/{id}/unverify-address
        POST /admin/users/{id}/verify-address
        POST /admin/workers/{name}
        POST /admin/workers/{name}/retry
    "),
];
