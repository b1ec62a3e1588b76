-- What imports write much of.

-- A number is reserved for each story before it is written, and its line is written again then: beside the old one, without a new entry in the index.
alter table import_ids set (fillfactor = 60);

-- As the contents of editions; a PostgreSQL that was built without lz4 keeps pglz.
do $$ begin
    alter table story_versions alter column content set compression lz4;
    alter table import_jobs alter column report set compression lz4;
exception when feature_not_supported then
    null;
end $$;
