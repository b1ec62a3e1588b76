-- Whether an import tells webhooks of the stories that it publishes, takes offline and moves.
alter table import_jobs add column webhooks boolean not null default false;
