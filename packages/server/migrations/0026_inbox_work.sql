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

alter table message_heads
  -- When a reply that a person scheduled is to be sent. `attempt_at` is also the time of the next try.
  add column send_at timestamptz,
  -- When a message of the lead arrived before a scheduled reply was sent. The reply then has no `attempt_at` until a person decides.
  add column held_at timestamptz;
-- Scheduled replies of a conversation (lockScheduled, listConversations).
create index message_heads_scheduled on message_heads (account_id, environment, thread_id) where send_at is not null and status = 'queued';

create or replace view messages with (security_invoker = true) as
select m.account_id, m.environment, m.id, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.thread_id, m.sending_account_id,
  m.direction, m.kind, case when m.status = 'queued' and c.gated_at is not null then 'sending' else m.status end as status,
  c.lease_token is not null as claimed, m.attempts, m.first_attempt_at, m.attempt_at, m.rfc_message_id, m.in_reply_to,
  coalesce(m.refs, '{}') as refs, m.from_address, coalesce(m.to_addresses, '[]') as to_addresses,
  coalesce(m.cc_addresses, '[]') as cc_addresses, coalesce(m.bcc_addresses, '[]') as bcc_addresses,
  coalesce(m.to_stranger, false) as to_stranger, m.subject, k.raw, k.text, k.quoted_text, k.signature, k.html, m.queued_at,
  coalesce(m.gated_at, c.gated_at) as gated_at, m.sent_at, m.received_at, m.opened_at, m.classification, m.smtp_answer,
  m.failure, m.attachments, m.delivered_message_id, m.send_at, m.held_at
from message_heads m
left join claims c on c.account_id = m.account_id and c.environment = m.environment and c.message_id = m.id
left join message_contents k on k.account_id = m.account_id and k.environment = m.environment and k.message_id = m.id;

-- The row of a forward in `message_heads` names no campaign, no lead and no thread, so nothing about them follows from it: not its
-- result, and not what its recipients answer. This row names the thread, so that the forward is shown in it and deleted with it.
create table forwards (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  thread_id text collate "C" not null,
  -- The message that was forwarded.
  message_id text collate "C" not null,
  author_type text not null check (author_type in ('user', 'key')),
  author_id text collate "C",
  author_name text,
  text text,
  created_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table forwards is 'delivery: A message of a conversation that a user forwarded to other people.';
-- The forwards of a conversation (listForwards).
create index forwards_thread on forwards (account_id, environment, thread_id, id);
