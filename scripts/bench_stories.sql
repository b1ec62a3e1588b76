-- Fills a space with published stories of about 4 KB, a hundred in a folder and a tenth of the folders in a section, as fast as PostgreSQL can: for measuring only.
-- No two stories were published in the same minute, and their order by date has nothing to do with the order of their paths.
-- The rows are those that the Management API writes (scripts/bench.sh compares one); audit entries and events are left out.
-- psql -v space=1 -v stories=10000
\set ON_ERROR_STOP on
set synchronous_commit = off;
set work_mem = '64MB';
begin;

-- Sentences of words that come as often as in a language: few of them often, many of them rarely.
create temporary table sentences on commit drop as
with words as (select word, left(translate(md5('word ' || word), '0123456789abcdef', 'etaonirshdlucmpy'), 2 + word % 8) as text
               from generate_series(0, 999) word)
select sentence, string_agg(text, ' ') as text
from (select setseed(0.5)) seed, generate_series(0, 999) sentence, generate_series(1, 45) place
cross join lateral (select (1000 * power(random(), 4))::int % 1000 as word, sentence + place * 0 as unused) chosen join words using (word)
group by sentence;
create unique index on sentences (sentence);

insert into stories (space_id, uuid, group_id, parent_id, is_folder, slug, full_slug, position, created_at, updated_at)
select :space, gen_random_uuid(), gen_random_uuid(), 0, true, 'section-' || n, 'section-' || n, n + 1, now(), now()
from generate_series(0, 9) n;

insert into stories (space_id, uuid, group_id, parent_id, is_folder, slug, full_slug, position, created_at, updated_at)
select :space, gen_random_uuid(), gen_random_uuid(), section.id, true, 'folder-' || n, section.slug || '/folder-' || n, -n, now(), now()
from generate_series(0, (:stories - 1) / 100) n join stories section on section.space_id = :space and section.slug = 'section-' || n % 10;

create temporary table made on commit drop as
with folders as (select id, full_slug, -position as folder from stories where space_id = :space and is_folder)
select n, folders.id as parent, 'story-' || n as slug, folders.full_slug || '/story-' || n as full_slug,
       (jsonb_build_object('_uid', gen_random_uuid(), 'component', 'page', 'title', 'Written by a script')
        || jsonb_build_object('category', 'category-' || n % ((:stories + 99) / 100), 'kind', 'kind-' || n % 20, 'price', n::bigint * 7919 % 100003)
        || jsonb_build_object('text', (select string_agg(text, '. ') from generate_series(0, 13) part
                                       join sentences on sentence = abs(hashint8(n::bigint * 16 + part) % 1000)))) as doc
from generate_series(0, :stories - 1) n join folders on folder = n / 100;

insert into stories (space_id, uuid, group_id, parent_id, is_folder, slug, full_slug, position, last_version, published_version, created_at,
                     updated_at, published_at, first_published_at)
select :space, gen_random_uuid(), gen_random_uuid(), parent, false, slug, full_slug, -(n % 100), 1, 1, at, at, at, at
from made cross join lateral (select now() - n::bigint * 7919 % :stories * interval '1 minute' as at) dated;

insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder, content, doc,
                      group_id, created_at, updated_at)
select :space, 'draft', id, uuid, slug, slug, full_slug, parent_id, position, false, true, '{}', '{}', group_id, created_at, updated_at
from stories where space_id = :space and is_folder;

insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder, component, content,
                      doc, search_text, tags, group_id, created_at, updated_at, published_at, first_published_at)
select :space, edition, id, uuid, slug, slug, full_slug, parent_id, position, false, false, 'page', doc::text::json, doc,
       concat_ws(' ', doc ->> 'kind', doc ->> 'text', doc ->> 'title', doc ->> 'category', ''), array['tag-' || n % ((:stories + 199) / 200)], group_id,
       created_at, updated_at, published_at, first_published_at
from made join stories story using (full_slug, slug), unnest('{draft,published}'::edition_kind[]) edition where space_id = :space;

insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
select :space, edition, story_id, position, field, left(value, 200), length(value) <= 200, false
from editions, jsonb_each_text(doc) as each (field, value) where space_id = :space and not is_folder;

insert into edition_tags (space_id, edition, story_id, position, tag)
select :space, edition, story_id, position, unnest(tags) from editions where space_id = :space and not is_folder;

insert into story_versions (space_id, story_id, number, status, name, content, author_id, author, created_at)
select space_id, story_id, 1, 'published', name, content, '', '', created_at
from editions where space_id = :space and edition = 'published';

commit;
-- As autovacuum leaves them a minute later.
vacuum analyze;
