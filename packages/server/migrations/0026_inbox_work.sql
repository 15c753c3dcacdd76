-- Work that people do with conversations.

alter table threads
  -- Until then the list of conversations that await a reply leaves this one out. A new message of the lead clears it.
  add column snoozed_until timestamptz;
-- Conversations that are snoozed (listConversations).
create index threads_snoozed on threads (account_id, environment, last_message_at desc, id)
  where snoozed_until is not null and is_conversation;

create table conversation_notes (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  thread_id text collate "C" not null,
  author_type text not null check (author_type in ('user', 'key')),
  author_id text collate "C",
  -- The name at the time of writing, because users and keys are deleted.
  author_name text,
  text text not null,
  mentions text[] not null default '{}',
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  -- Notes are erased with the person that the conversation is with.
  foreign key (account_id, environment, thread_id) references threads on delete cascade
);
comment on table conversation_notes is 'inbox: What a user wrote for colleagues in a conversation. It is never sent.';
-- The notes of a conversation (listNotes).
create index conversation_notes_thread on conversation_notes (account_id, environment, thread_id, created_at, id);
