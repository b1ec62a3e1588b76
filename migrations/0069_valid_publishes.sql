-- Whether a space publishes only stories that its schemas find valid.
alter table spaces add column publish_requires_valid boolean not null default false;
