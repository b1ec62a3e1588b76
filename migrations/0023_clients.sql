-- What clients of the OpenID provider have shown once, and the roles that people have at them. Clients are configuration and have no rows.

-- Assertions that clients authenticated with (RFC 7523). Each is accepted once, by whichever process comes first.
create table client_assertions (
    client_id  text not null,
    jti_hash   bytea not null check (octet_length(jti_hash) = 32),  -- SHA-256 of the claim jti
    expires_at timestamptz not null,               -- when the assertion is refused for its age
    primary key (client_id, jti_hash)
);

create index client_assertions_expiry on client_assertions (expires_at);

-- The roles that are assigned to people. A group is shared by the clients that name it.
create table role_assignments (
    user_id    uuid not null references users (id) on delete cascade,
    role_group text not null,
    role       text not null,
    created_at timestamptz not null,
    primary key (user_id, role_group, role)
);
