-- Work that people do with conversations.

alter table threads
  -- Until then the list of conversations that await a reply leaves this one out. A new message of the lead clears it.
  add column snoozed_until timestamptz;
-- Conversations that are snoozed (listConversations).
create index threads_snoozed on threads (account_id, environment, last_message_at desc, id)
  where snoozed_until is not null and is_conversation;
