-- What a person lets an app on a device have again without a page, on one browser and for a time: people are asked each time before such an app learns who they are (RFC 8252, section 8.6),
-- and only a request that may show no page (prompt=none) is answered by this. It goes with the browser.
create table oidc_remembered_consents (
    id         bigint generated always as identity primary key,
    device_id  bigint not null references known_devices (id) on delete cascade,
    client_id  text not null,
    scope      text[] not null,
    expires_at timestamptz not null,
    unique (device_id, client_id)
);

create index oidc_remembered_consents_expiry on oidc_remembered_consents (expires_at);
