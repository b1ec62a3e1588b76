-- Spaces and everything in them. Every content table leads with space_id, so that it can be distributed by space.

create table spaces (
    id                bigint generated always as identity primary key,
    name              text not null,
    domain            text,
    languages         jsonb not null default '[]', -- [{code, name}], the default language not among them
    default_lang_name text,
    owner_id          uuid references users (id) on delete set null,
    created_at        timestamptz not null,
    updated_at        timestamptz not null,
    deleted_at        timestamptz                  -- soft; the janitor removes the space after the grace of 30 days
);

create index spaces_owner on spaces (owner_id) where deleted_at is null;

-- The numbers that each write of a space moves. Apart from spaces, so that the hot row stays narrow.
create table space_counters (
    space_id  bigint primary key references spaces (id) on delete cascade,
    cv        bigint not null,                     -- cache version, Unix seconds, strictly increasing (decisions 9)
    audit_seq bigint not null default 0,
    event_seq bigint not null default 0
) with (fillfactor = 50);

create table delivery_tokens (
    id         bigint generated always as identity,
    space_id   bigint not null references spaces (id) on delete cascade,
    kind       text not null check (kind in ('public', 'preview', 'private')),
    name       text not null,
    token_hash bytea not null,
    created_at timestamptz not null,
    revoked_at timestamptz,
    primary key (space_id, id)
);

create unique index delivery_tokens_hash on delivery_tokens (token_hash);

create table management_tokens (
    id           bigint generated always as identity,
    space_id     bigint not null references spaces (id) on delete cascade,
    kind         text not null check (kind in ('legacy', 'role')),
    role         text not null check (role in ('admin', 'editor', 'viewer')),
    name         text not null,
    token_hash   bytea not null,
    created_at   timestamptz not null,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    primary key (space_id, id),
    check (kind = 'role' or role = 'admin')
);

create unique index management_tokens_hash on management_tokens (token_hash);

create table audit_log (
    space_id     bigint not null references spaces (id) on delete cascade,
    seq          bigint not null,                  -- 1, 2, 3 … without a gap: taken from space_counters in the same transaction
    actor_type   text not null,
    actor_id     text not null,
    actor_label  text not null,
    action       text not null,
    target_type  text not null,
    target_id    text not null,
    target_label text not null,
    meta         jsonb not null default '{}',
    ip           inet,
    request_id   uuid,
    created_at   timestamptz not null,
    primary key (space_id, seq)
);

-- Append-only, whoever asks: rows leave only together with a space whose grace has passed.
create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and not exists (
        select from spaces where id = old.space_id and (deleted_at is null or deleted_at > now() - interval '30 days')
    ) then
        return old;
    end if;
    raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_append_only before update or delete on audit_log
    for each row execute function audit_log_is_append_only();
create trigger audit_log_never_truncated before truncate on audit_log
    for each statement execute function audit_log_is_append_only();

-- The same from the other side: a space is not removed before its grace has passed, and its log with it.
create function spaces_keep_their_grace() returns trigger language plpgsql as $$
begin
    if old.deleted_at is null or old.deleted_at > now() - interval '30 days' then
        raise exception 'a space is removed 30 days after its deletion' using errcode = 'insufficient_privilege';
    end if;
    return old;
end $$;

create trigger spaces_keep_their_grace before delete on spaces
    for each row execute function spaces_keep_their_grace();

create table component_groups (
    id         bigint generated always as identity,
    space_id   bigint not null references spaces (id) on delete cascade,
    uuid       uuid not null,
    name       text not null,
    parent_id  bigint,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (space_id, id),
    unique (space_id, uuid),
    foreign key (space_id, parent_id) references component_groups (space_id, id) on delete cascade
);

create table components (
    id                         bigint generated always as identity,
    space_id                   bigint not null references spaces (id) on delete cascade,
    name                       text not null,
    display_name               text,
    description                text,
    schema                     json not null,      -- verbatim: the order of fields is the author's
    image                      text,
    preview_field              text,
    preview_tmpl               text,
    is_root                    boolean not null,
    is_nestable                boolean not null,
    component_group_uuid       uuid,
    preset_id                  bigint,
    color                      text,
    icon                       text,
    internal_tag_ids           bigint[] not null default '{}',
    content_type_asset_preview text,
    metadata                   jsonb,
    created_at                 timestamptz not null,
    updated_at                 timestamptz not null,
    primary key (space_id, id),
    constraint components_name unique (space_id, name),
    foreign key (space_id, component_group_uuid) references component_groups (space_id, uuid)
        on delete set null (component_group_uuid)
);

create table presets (
    id           bigint generated always as identity,
    space_id     bigint not null references spaces (id) on delete cascade,
    component_id bigint not null,
    name         text not null,
    preset       json not null,
    image        text,
    color        text,
    icon         text,
    description  text,
    created_at   timestamptz not null,
    updated_at   timestamptz not null,
    primary key (space_id, id),
    foreign key (space_id, component_id) references components (space_id, id) on delete cascade
);

create index presets_component on presets (space_id, component_id);

alter table components add foreign key (space_id, preset_id) references presets (space_id, id)
    on delete set null (preset_id) deferrable initially deferred;

-- A story or a folder: what it is and where it stands. What can be read of it stands in editions.
create table stories (
    id                  bigint generated always as identity,
    space_id            bigint not null references spaces (id) on delete cascade,
    uuid                uuid not null,
    group_id            uuid not null,             -- stories that share it are alternates of each other
    parent_id           bigint not null default 0, -- 0 at the root, as on the wire
    is_folder           boolean not null,
    is_startpage        boolean not null default false,
    slug                text not null,
    full_slug           text not null,             -- a start page's ends with a slash: its folder keeps the bare one
    position            integer not null default 0,
    default_root        text,                      -- a folder's default content type
    disable_fe_editor   boolean not null default false,
    pinned              boolean not null default false,
    last_version        integer not null default 0,
    published_version   integer,                   -- null: not published
    unpublished_changes boolean not null default false,
    created_at          timestamptz not null,
    updated_at          timestamptz not null,
    published_at        timestamptz,
    first_published_at  timestamptz,
    deleted_at          timestamptz,
    primary key (space_id, id),
    unique (space_id, uuid),
    check (not (is_folder and published_version is not null)),
    check (not (is_folder and is_startpage))
);

create unique index stories_full_slug on stories (space_id, full_slug) where deleted_at is null;
create index stories_children on stories (space_id, parent_id, position, id) where deleted_at is null;
create index stories_group on stories (space_id, group_id);
create index stories_trash on stories (deleted_at) where deleted_at is not null;
create index stories_subtree on stories (space_id, full_slug text_pattern_ops) where deleted_at is null;

-- What one reader sees of a story: its draft, or its published copy. Placement is repeated here, because delivery asks by it.
-- The draft of a deleted story is kept as 'trashed', where no reader looks, until it is undeleted or swept away.
create type edition_kind as enum ('draft', 'published', 'trashed');

create table editions (
    space_id           bigint not null,
    edition            edition_kind not null,
    story_id           bigint not null,
    uuid               uuid not null,
    name               text not null,
    slug               text not null,
    full_slug          text not null,
    parent_id          bigint not null,
    position           integer not null,
    is_startpage       boolean not null,
    is_folder          boolean not null,           -- folders have a draft edition only; delivery never lists them
    component          text,                       -- the root component's name
    content            json not null,              -- verbatim, with the __i18n__ keys
    tags               text[] not null default '{}',
    sort_by_date       date,
    path               text,                       -- the 'real path' of the entry
    meta_data          json,
    group_id           uuid not null,
    created_at         timestamptz not null,
    updated_at         timestamptz not null,
    published_at       timestamptz,
    first_published_at timestamptz,
    -- No other index begins like the key: a plan that was made while the tables were empty cannot take another one for it, and walk a space.
    primary key (space_id, story_id, edition),
    foreign key (space_id, story_id) references stories (space_id, id) on delete cascade
);

create index editions_full_slug on editions (space_id, edition, full_slug text_pattern_ops);
create index editions_uuid on editions (uuid, space_id, edition);
create index editions_order on editions (space_id, edition, position, story_id) where not is_folder;

create table translated_slugs (
    id       bigint generated always as identity,
    space_id bigint not null,
    story_id bigint not null,
    lang     text not null,
    slug     text,
    name     text,
    path     text not null,                        -- the whole path in that language, ancestors translated where they are
    primary key (space_id, id),
    unique (space_id, story_id, lang),
    foreign key (space_id, story_id) references stories (space_id, id) on delete cascade
);

create table story_versions (
    space_id   bigint not null,
    story_id   bigint not null,
    number     integer not null,                   -- 1, 2, 3 … without a gap
    id         bigint generated always as identity,
    status     text not null check (status in ('draft', 'published', 'unpublished')),
    name       text not null,
    content    json not null,
    author_id  text not null,
    author     text not null,
    created_at timestamptz not null,
    primary key (space_id, story_id, number),
    unique (space_id, id),
    foreign key (space_id, story_id) references stories (space_id, id) on delete cascade
);

-- The outbox: an event is written by the transaction that causes it (reliability, W1).
create table story_events (
    space_id      bigint not null references spaces (id) on delete cascade,
    seq           bigint not null,                 -- per space, from space_counters
    action        text not null check (action in ('story.published', 'story.unpublished', 'story.deleted', 'story.moved')),
    story_id      bigint not null,
    uuid          uuid not null,
    full_slug     text not null,
    old_full_slug text,
    occurred_at   timestamptz not null,
    primary key (space_id, seq)
);
