// Spaces with much in them, made in the database of the server: by the API it would take minutes.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

function run(server, sql) {
  const socket = readFileSync(join(server.data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4];
  execFileSync('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', '-h', socket, '-U', 'lectern', '-d', 'postgres', '-c', sql]);
}

/** Copies an asset until there are so many more; the files of the copies are not there. */
export function multiplyAsset(server, asset, count) {
  run(server, `insert into assets (space_id, object, name, content_type, content_length, sha256, is_private, locked, created_at, updated_at)
    select space_id, gen_random_uuid(), 'copy-' || to_char(number, 'FM00000') || '.txt', content_type, content_length, sha256, false, false, created_at - number * interval '1 second', updated_at
    from assets, generate_series(1, ${Number(count)}) number where id = ${Number(asset)}`);
}

/** Copies a draft behind itself until there are so many more, with numbered names and slugs. */
export function multiplyStory(server, story, count) {
  const copied = 'parent_id, false, slug || \'-\' || number, full_slug || \'-\' || number, position + number, created_at, updated_at';
  run(server, `begin;
    create temporary table made on commit drop as
      with made as (
        insert into stories (space_id, uuid, group_id, parent_id, is_folder, slug, full_slug, position, created_at, updated_at)
        select space_id, gen_random_uuid(), gen_random_uuid(), ${copied} from stories, generate_series(1, ${Number(count)}) number where id = ${Number(story)}
        returning space_id, id, uuid, group_id, parent_id, is_folder, slug, full_slug, position, created_at, updated_at
      )
      select * from made;
    insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder, component, content, doc, group_id, created_at, updated_at)
      select made.space_id, 'draft', id, made.uuid, original.name || ' ' || id, made.slug, made.full_slug, made.parent_id, made.position, false, false, component, content, doc,
             made.group_id, made.created_at, made.updated_at
      from made join editions original on original.space_id = made.space_id and original.story_id = ${Number(story)};
    commit;
    analyze stories, editions`);
}
