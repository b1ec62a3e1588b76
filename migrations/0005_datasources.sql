-- Datasources: lists of entries to choose from, and what the entries are called in other dimensions.

create table datasources (
    id         bigint generated always as identity,
    space_id   bigint not null references spaces (id) on delete cascade,
    name       text not null,
    slug       text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (space_id, id),
    constraint datasources_name unique (space_id, name),
    constraint datasources_slug unique (space_id, slug)
);

create table datasource_dimensions (
    id            bigint generated always as identity,
    space_id      bigint not null,
    datasource_id bigint not null,
    name          text not null,
    entry_value   text not null,                   -- the code that readers ask by
    created_at    timestamptz not null,
    updated_at    timestamptz not null,
    primary key (space_id, id),
    -- Deferrable, so that one statement can give two dimensions each other's code.
    constraint datasource_dimensions_code unique (space_id, datasource_id, entry_value) deferrable,
    foreign key (space_id, datasource_id) references datasources (space_id, id) on delete cascade
);

create table datasource_entries (
    id            bigint generated always as identity,
    space_id      bigint not null,
    datasource_id bigint not null,
    position      integer not null,
    name          text not null,
    value         text not null,
    primary key (space_id, id),
    constraint datasource_entries_name unique (space_id, datasource_id, name),
    constraint datasource_entries_datasource foreign key (space_id, datasource_id) references datasources (space_id, id)
        on delete cascade
);

create index datasource_entries_order on datasource_entries (space_id, datasource_id, position, id);

-- An entry without a row here has no value in that dimension.
create table datasource_entry_values (
    space_id     bigint not null,
    dimension_id bigint not null,
    entry_id     bigint not null,
    value        text not null,
    primary key (space_id, dimension_id, entry_id),
    foreign key (space_id, dimension_id) references datasource_dimensions (space_id, id) on delete cascade,
    foreign key (space_id, entry_id) references datasource_entries (space_id, id) on delete cascade
);

create index datasource_entry_values_entry on datasource_entry_values (space_id, entry_id);
