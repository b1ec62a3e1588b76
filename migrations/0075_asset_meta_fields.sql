-- The fields of a space's assets, in the shape of the wire: [{key, display_name, regex, …}].
alter table spaces add column asset_meta_fields jsonb not null default '[]';
