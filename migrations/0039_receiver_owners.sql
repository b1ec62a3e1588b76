-- Places for attempts are shared out by owner, so that the receivers of one space or client cannot take all. A receiver that has answered at its URL before is
-- told from one that never has: it keeps its turn when it fails once.
alter table receivers
    add column owner text not null default '',
    add column has_answered boolean not null default false;

update receivers receiver set owner = webhook.space_id::text from webhooks webhook where webhook.receiver_id = receiver.id;
update receivers receiver set owner = client.client_id from client_receivers client where client.receiver_id = receiver.id;
update receivers set has_answered = true where health = 'well';
