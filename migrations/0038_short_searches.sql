-- An index for searches that the one of trigrams cannot help: one or two characters (many a Chinese name is no longer), or a letter beside a sign.

-- Every character of a text and every two that stand side by side, each once.
create function search_grams(searched text) returns text[] immutable strict parallel safe language sql as $$
    with characters as materialized (
        select character, place from unnest(string_to_array(searched, null)) with ordinality as split (character, place)
    )
    select coalesce(array_agg(distinct gram), '{}')
    from (
        select character as gram from characters
        union all
        select character || lead(character, 1, '') over (order by place) from characters
    ) as grams
$$;

create index users_search_grams on users using gin (search_grams(search_text));
