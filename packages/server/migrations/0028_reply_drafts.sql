-- Replies that a model drafts for a person.

alter table accounts
  -- The facts that the model may state about the account and its offer, in the words of its users.
  add column reply_knowledge text check (length(reply_knowledge) <= 20000);

create table reply_drafts (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- A conversation has one draft. A draft of a newer message, or a new one of the same message, replaces it and has its own id, so a
  -- person can't send a text that was replaced while it was read.
  thread_id text collate "C" not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  -- The message that the draft answers.
  message_id text collate "C" not null,
  model_id text not null,
  status text not null check (status in ('requested', 'ready', 'failed', 'dismissed', 'sent')),
  text text,
  error text,
  -- The reply that was sent from the draft, so that withdrawing it gives the draft back.
  reply_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, thread_id),
  -- A draft is erased with the person that the conversation is with.
  foreign key (account_id, environment, thread_id) references threads on delete cascade
);
comment on table reply_drafts is 'ai: The reply to a conversation that a model drafted. It is never sent without a person.';
-- The job that writes a draft knows its id.
create unique index reply_drafts_id on reply_drafts (account_id, environment, id);

alter table generations drop constraint generations_kind_check;
alter table generations add constraint generations_kind_check
  check (kind in ('email', 'subject', 'opening', 'step', 'triage', 'reply'));
