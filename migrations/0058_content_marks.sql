-- What a story says of its content in a few bits, for the indexes of the orders (0059): a list that is filtered by fields or tags and sorted by a property is found
-- by a walk through its order, which passes over the stories that cannot match without a look at anything else.

-- Each value of a field, of an element of a list in a field, and each tag sets one bit in each of two words. A story whose words lack a bit of a value does not have that
-- value; one that has both bits most likely has it, and is looked up. All bits, the default: it may have everything.
alter table editions
    add column marks bigint not null default -1,
    add column more_marks bigint not null default -1;

-- The number of which twice six bits choose the bits of a value. Kinds: 0 a field, 1 an element, 2 a tag, whose field is ''. It depends on the order of the bytes of
-- a number, as PostgreSQL's own hashes do: on a machine with the other order the marks of a restored dump are worked out again by `update editions set tags = tags`.
create function content_hash(kind integer, field text, value text) returns bigint language sql immutable parallel safe as
    $$ select hashtextextended(value, hashtextextended(field, kind)) $$;

-- Marks what `edition_fields` and `edition_tags` have of a story. To mark more than that does no harm.
create function editions_marked() returns trigger language plpgsql as $$
begin
    if jsonb_typeof(new.doc) <> 'object' then
        new.marks := -1;
        new.more_marks := -1;
        return new;
    end if;
    select coalesce(bit_or(1::bigint << (hash & 63)::integer), 0), coalesce(bit_or(1::bigint << ((hash >> 6) & 63)::integer), 0)
    into new.marks, new.more_marks
    from (
        select content_hash(0, field, value #>> '{}') from jsonb_each(new.doc) as each (field, value)
        where jsonb_typeof(value) in ('string', 'number', 'boolean')
        union all
        -- Only lists are taken apart: to ask for the elements of each value takes twice as long as all the rest.
        select content_hash(1, field, item #>> '{}')
        from (select field, value from jsonb_each(new.doc) as each (field, value) where jsonb_typeof(value) = 'array' offset 0) list,
             jsonb_array_elements(value) as element (item)
        where jsonb_typeof(item) in ('string', 'number', 'boolean')
        union all
        select content_hash(2, '', tag) from unnest(new.tags) as tagged (tag)
    ) it (hash);
    return new;
end $$;

create trigger editions_marked before update of doc, tags on editions
    for each row when (not new.is_folder and (new.marks, new.more_marks) = (old.marks, old.more_marks)) execute function editions_marked();
-- A copy of an edition brings its marks along.
create trigger editions_marked_new before insert on editions
    for each row when (not new.is_folder and (new.marks, new.more_marks) = (-1, -1)) execute function editions_marked();

-- Each row gets a new place, and its entries in indexes with it: those that can are made again in the next migration, when nothing is left of the old places.
drop index editions_order, editions_created, editions_updated, editions_published, editions_first_published, editions_name, editions_slug,
    editions_full_slug, editions_search;
-- It would keep every row twice until the end of the statement, and find that no count changes.
alter table editions disable trigger editions_counted_update;
update editions set tags = tags where not is_folder;
alter table editions enable trigger editions_counted_update;
