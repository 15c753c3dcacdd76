-- Every version of a message is written into each of its indexes: one unique index now serves both looks by Message-ID,
-- and none of them names the status any more, which changes with every step of a sending.
drop index messages_rfc, messages_by_rfc, messages_bounced;
create unique index messages_rfc on messages (account_id, environment, rfc_message_id, sending_account_id, direction);
-- The last messages of a mailbox.
create index messages_sent on messages (account_id, environment, sending_account_id, sent_at) where sent_at is not null;
