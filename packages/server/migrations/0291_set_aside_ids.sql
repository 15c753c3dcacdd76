-- An id is looked for with its account, and a key that holds it can be kept where accounts are spread over servers.
alter table set_aside_messages drop constraint set_aside_messages_id_key;
alter table set_aside_messages add unique (account_id, id);
