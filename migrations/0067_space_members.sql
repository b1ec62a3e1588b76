-- The people of a space, each with a role. Invitations take their ids from the same sequence, because both stand in one list (decisions 67).
create sequence space_people_ids;

create table space_members (
    id         bigint not null default nextval('space_people_ids'),
    space_id   bigint not null references spaces (id) on delete cascade,
    user_id    uuid not null references users (id) on delete cascade,
    role       text not null check (role in ('admin', 'editor', 'viewer')),
    role_since timestamptz not null,               -- the admin who has been one longest becomes the owner when the owner goes
    created_at timestamptz not null,
    primary key (space_id, user_id)
);

create unique index space_members_id on space_members (space_id, id);
create index space_members_user on space_members (user_id);

insert into space_members (space_id, user_id, role, role_since, created_at)
select id, owner_id, 'admin', created_at, created_at from spaces where owner_id is not null order by id;

-- The owner is an admin, whoever writes the owner: a process of the version before writes it alone.
create function space_owner_is_admin() returns trigger language plpgsql as $$
begin
    insert into space_members (space_id, user_id, role, role_since, created_at)
    values (new.id, new.owner_id, 'admin', new.updated_at, new.updated_at)
    on conflict (space_id, user_id) do update set role = 'admin', role_since = excluded.role_since
    where space_members.role <> 'admin';
    return null;
end $$;

create trigger spaces_owner_is_admin after insert or update of owner_id on spaces
    for each row when (new.owner_id is not null) execute function space_owner_is_admin();
