-- Further addresses of a file, beside that of its object and name: those that it had before it was replaced or renamed, and the one that an upload in three
-- steps promised before the file had come. Each leads to the file that the asset has now. An object or a ticket is one asset's for ever.
create table asset_addresses (
    space_id bigint not null,
    object   uuid   not null,
    name     text   not null,
    asset_id bigint not null,
    file     uuid   not null, -- the object that it was made for: as long as the asset has it, caches may keep it for ever
    primary key (space_id, object, name),
    constraint asset_addresses_asset foreign key (space_id, asset_id) references assets (space_id, id) on delete cascade
);

create index asset_addresses_asset on asset_addresses (space_id, asset_id);

insert into asset_addresses (space_id, object, name, asset_id, file)
select space_id, ticket, name, id, object from assets where ticket is not null;

alter table assets drop column ticket;
