-- Nothing is sent to receivers whose owner is deleted for now, whatever is in their queue: not even what an administrator of the server sends again.
alter table receivers add column silenced boolean not null default false;

update receivers receiver set silenced = true
from webhooks webhook join spaces space on space.id = webhook.space_id
where webhook.receiver_id = receiver.id and space.deleted_at is not null;
