-- Attachments of a manual message until its bytes are composed: [{filename, contentType, content (base64)}].
alter table messages add column attachments jsonb;
-- Recent bounces of an address: three soft ones in 14 days suppress it.
create index messages_bounced on messages (account_id, environment, sending_account_id, sent_at) where status in ('sent', 'bounced');
-- What waits for no plan: a person's replies, send-now.
create index messages_direct on messages (account_id, environment, attempt_at) where attempt_at is not null;
create index events_message on events (account_id, environment, message_id) where message_id is not null;
