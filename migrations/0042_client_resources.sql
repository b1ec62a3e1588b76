-- What clients of the Management API ask for beside content: who made a token, internal tags, the history of components.

-- The person on whose behalf a token acts (`users/me`): the one who made it, or who made the token that made it.
alter table management_tokens add column created_by uuid references users (id) on delete set null;

create index management_tokens_created_by on management_tokens (created_by) where created_by is not null;

update management_tokens token set created_by = made.user_id
from (
    select entry.space_id, entry.target_id, users.id as user_id
    from audit_log entry join users on users.id::text = entry.actor_id
    where entry.action = 'token.create' and entry.actor_type = 'user'
) made
where made.space_id = token.space_id and made.target_id = token.id::text;

-- Tags that editors put on assets and components. Their numbers begin beyond those of Storyblok's older tags and below those of its newer ones, so that no
-- number that an import brought along in internal_tag_ids is ever taken for one of these.
create table internal_tags (
    id          bigint generated always as identity (start with 1099511627776),
    space_id    bigint not null references spaces (id) on delete cascade,
    name        text not null,
    object_type text not null check (object_type in ('asset', 'component', 'idea')),
    created_at  timestamptz not null,
    updated_at  timestamptz not null,
    primary key (space_id, id),
    constraint internal_tags_name unique (space_id, object_type, name)
);

-- What a component was after each change, as a whole row. Without a foreign key to components: a component that was deleted and restored has its history.
create table component_versions (
    id           bigint generated always as identity,
    space_id     bigint not null references spaces (id) on delete cascade,
    component_id bigint not null,
    event        text not null check (event in ('create', 'update')),
    component    json not null,
    author_id    text not null,
    author       text not null,
    created_at   timestamptz not null,
    primary key (space_id, component_id, id)
);

-- What components are today is their first version.
insert into component_versions (space_id, component_id, event, component, author_id, author, created_at)
select space_id, id, 'create', row_to_json(component), '', 'system', updated_at from components component;

-- Components that were deleted, with their presets, for 90 days. They are not in components, so that nothing else has to leave them out.
create table deleted_components (
    space_id   bigint not null references spaces (id) on delete cascade,
    id         bigint not null,
    name       text not null,
    component  json not null,
    presets    json not null,
    deleted_at timestamptz not null,
    primary key (space_id, id)
);

create index deleted_components_age on deleted_components (deleted_at);

-- Storyblok's webhooks have a description beside their name.
alter table webhooks add column description text;
