-- Invitations to a space. A row goes when it is taken or withdrawn, and the janitor removes those that have expired.
create table space_invitations (
    id         bigint not null default nextval('space_people_ids'), -- becomes the id of the membership
    space_id   bigint not null references spaces (id) on delete cascade,
    email      text not null,                      -- the account that takes it must have this address
    role       text not null check (role in ('admin', 'editor', 'viewer')),
    token_hash bytea not null,
    invited_by uuid references users (id) on delete set null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (space_id, email)                  -- another invitation to the same address ends the one before
);

create unique index space_invitations_id on space_invitations (space_id, id);
create unique index space_invitations_token on space_invitations (token_hash);
create index space_invitations_expiry on space_invitations (expires_at);
create index space_invitations_inviter on space_invitations (invited_by) where invited_by is not null;

-- The address of an invitation may have no account.
alter table mails alter column user_id drop not null;
