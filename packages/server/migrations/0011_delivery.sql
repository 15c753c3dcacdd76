-- Claims per day of the sender's or the campaign's zone. The daily limits are checked against these counts. A claim that is given up is
-- subtracted again.

create table sender_days (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  sending_account_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  complaints integer not null default 0,
  primary key (account_id, environment, sending_account_id, day)
);
comment on table sender_days is 'delivery: The number of messages that a sending account claimed on a day of its zone.';

create table campaign_days (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  -- Claims of a lead's first message.
  claimed_first integer not null,
  primary key (account_id, environment, campaign_id, day)
);
comment on table campaign_days is 'delivery: The number of messages that a campaign claimed on a day of its zone.';

create table campaign_domain_days (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  day date not null,
  domain text not null,
  claimed integer not null,
  primary key (account_id, environment, campaign_id, day, domain)
);
comment on table campaign_domain_days is 'delivery: The number of messages to a recipient domain that a campaign claimed on a day.';

-- The lease allows one planner per tenant. The process that moves a test clock holds the lease too.
create table planning (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- By the tenant's clock. Null: not before something changes.
  next_plan_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  -- The trace of the request that woke the planner, if traces are written (docs/monitoring.md, "Traces").
  trace text,
  primary key (account_id, environment)
);
comment on table planning is 'delivery: A tenant with something to plan: the time of the next plan, and the planner''s lease.';
-- Tenants that are due (listDueTenantsAcrossAccounts).
create index planning_due on planning (next_plan_at) where next_plan_at is not null;

-- A message has three rows, so that each of them is written as seldom as possible
-- (docs/decisions/0017-store-a-message-in-three-rows.md):
-- `message_heads` has its properties and its outcome. It is inserted before the gate and updated once with the outcome.
-- `message_contents` has its bytes and texts. It is inserted once.
-- `claims` has messages under way. A claim inserts a row, the gate marks it, and the record deletes it. A message whose outcome is in
-- doubt keeps its row until it is settled.

-- The outcome of a campaign message changes no indexed column, except for a Message-ID that a mail server replaced. So the second version
-- of a row can stay on its page.
create table message_heads (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  variant_id text collate "C",
  thread_id text collate "C",
  sending_account_id text collate "C" not null,
  direction text not null check (direction in ('outbound', 'inbound')),
  kind text not null check (kind in
    ('campaign', 'reply', 'manual', 'auto_reply', 'bounce', 'unsubscribe', 'other', 'notification', 'test')),
  rfc_message_id text collate "C",
  in_reply_to text,
  refs text[],
  from_address jsonb,
  to_addresses jsonb,
  cc_addresses jsonb,
  bcc_addresses jsonb,
  -- A notice to an address that its owner did not give to us. Suppressions hold it back.
  to_stranger boolean,
  subject text not null default '',
  raw_sha256 bytea,
  queued_at timestamptz not null,
  received_at timestamptz,
  classification jsonb,
  -- [{filename, contentType, size}], with a size of null for a file that was too large to store. The bytes are in `message_contents`:
  -- in `raw`, or in `attachments` until the message is composed.
  attachments jsonb,
  -- The columns that an outcome changes are together, because the log of a second version contains only the changed part of the row.
  -- A message between its gate and the server's response is `queued` here; its claim knows better.
  -- returned: the message came back because of its sender, and its lead waits for a decision.
  status text not null check (status in ('queued', 'sent', 'bounced', 'failed', 'uncertain', 'received', 'returned')),
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  -- When a message without a plan is sent.
  attempt_at timestamptz,
  gated_at timestamptz,
  sent_at timestamptz,
  opened_at timestamptz,
  smtp_answer text,
  failure jsonb,
  -- The Message-ID with which a mail server replaced our own. Replies and bounces name this one.
  delivered_message_id text collate "C",
  -- When a message of a person or a notice was claimed. The daily limits of these count by it, because a message can wait for days.
  -- Null for campaign messages: with an index on `sent_at`, sending one would add an entry to every index.
  claimed_at timestamptz,
  -- When a reply that a person scheduled is to be sent. `attempt_at` is also the time of the next try.
  send_at timestamptz,
  -- When a message of the lead arrived before a scheduled reply was sent. The reply then has no `attempt_at` until a person decides.
  held_at timestamptz,
  -- A server refused the message by policy for now (4.7.x), at any of its attempts. Null: none did.
  refused_by_policy boolean,
  primary key (account_id, environment, id)
  -- Room for most second versions (docs/decisions/0018-keep-ids-and-pages-small.md).
) with (fillfactor = 70);
comment on table message_heads is 'delivery: A sent or received message, with its outcome.';
-- The Message-ID of a mail server, named by replies and bounces.
create index message_heads_delivered on message_heads (account_id, environment, delivered_message_id)
  where delivered_message_id is not null;
-- Messages without a plan: a person's replies, and messages that are sent now (lockDirectMessages).
create index message_heads_direct on message_heads (account_id, environment, attempt_at) where attempt_at is not null;
-- The daily limits of people's messages and notices (countDirectToday).
create index message_heads_direct_day on message_heads (account_id, environment, sending_account_id, claimed_at)
  where claimed_at is not null;
-- A mail is received once per mailbox. It is recognized by its bytes or its Message-ID (findReceived). Replies find it by its Message-ID
-- (listMessagesByRfcIds). Sent messages are found by their key, which their Message-ID contains.
create index message_heads_inbound_hash on message_heads (account_id, environment, sending_account_id, raw_sha256)
  where direction = 'inbound';
create unique index message_heads_inbound_rfc on message_heads (account_id, environment, rfc_message_id, sending_account_id)
  where direction = 'inbound';
-- Scheduled replies of a conversation (lockScheduled, listConversations). A condition on the status would cost each message a change of
-- all indexes.
create index message_heads_scheduled on message_heads (account_id, environment, thread_id)
  where send_at is not null and (attempt_at is not null or held_at is not null);
-- The last messages of a mailbox (countMailboxBounces).
create index message_heads_sender on message_heads (account_id, environment, sending_account_id, queued_at)
  where direction = 'outbound';
-- One message per lead and step, whatever else fails (storeWritten). Also all messages of a lead or a campaign (listLeadMessages).
create unique index message_heads_step on message_heads (account_id, environment, campaign_id, lead_id, step_id);
-- The messages of a conversation (listThreadMessages). A thread's id belongs to one account, so the index needs no account.
create index message_heads_thread on message_heads (thread_id);

create table message_contents (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  message_id text collate "C" not null,
  -- The bytes as they are sent, or were received.
  raw bytea,
  -- For an outbound message only until its bytes are composed, because the bytes contain the same.
  text text,
  html text,
  quoted_text text,
  -- The part of `quoted_text` that the writer of received mail signed with.
  signature text,
  -- For a person's message until its bytes are composed: [{filename, contentType, content (base64)}].
  attachments jsonb,
  -- Only for the search for words, which covers subject and text: the subject of received mail, or subject and text of a person's message.
  subject text,
  -- Contents are deleted by age. Real time, because a test clock may be years ahead.
  recorded_at timestamptz not null default now(),
  -- Ids arrive in order, so the pages of the key are filled.
  primary key (account_id, environment, message_id) with (fillfactor = 98)
);
comment on table message_contents is 'delivery: The bytes and texts of a message.';
-- Rows arrive in the order of time, so the range of times of each block is enough.
create index message_contents_age on message_contents using brin (recorded_at) with (autosummarize = on);
-- Conversations by words (listConversations).
create index message_contents_search on message_contents
  using gin (to_tsvector('simple', left(subject || ' ' || coalesce(text, ''), 100000))) where subject is not null;
-- A server that was built without lz4 keeps its own method.
do $$ begin
  alter table message_contents alter column raw set compression lz4, alter column text set compression lz4,
    alter column html set compression lz4;
exception when feature_not_supported then null; end $$;

create table claims (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  message_id text collate "C" not null,
  kind text not null check (kind in ('campaign', 'manual', 'notification', 'test')),
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  sending_account_id text collate "C" not null,
  lead_email text,
  -- The counts that include this claim. They are subtracted if it is given up.
  sender_day date,
  campaign_day date,
  first boolean,
  domain text,
  claimed_at timestamptz not null,
  lease_token uuid not null,
  -- Null: the outcome is in doubt. The token stays, so that a late response can still be recorded.
  lease_until timestamptz,
  gated_at timestamptz,
  -- The person, so that a claim that is given back is no contact. Null for mail that the contact policy does not count.
  address_hash bytea,
  -- The budgets that count the claim, once per recipient. Null: its sender shares none.
  budgets text[],
  primary key (account_id, environment, message_id)
  -- The table is small and its rows are short-lived. Half of each page is for the versions that the gate makes.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000);
comment on table claims is 'delivery: A message under way, with the lease of the worker that sends it.';
-- One claim per lead and step (claimMessages). Also the claim of a lead (deleteClaimOfLead).
create unique index claims_step on claims (account_id, environment, lead_id, step_id) where step_id is not null;

-- Both joins are by unique keys, so PostgreSQL drops them from queries that read no column of theirs.
create view messages with (security_invoker = true) as
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
comment on view messages is 'delivery: A message for readers: its three rows.';

-- Before a person writes, a conversation is its messages and has no row.
create table threads (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  sending_account_id text collate "C" not null,
  subject text not null,
  snippet text not null default '',
  unread boolean not null default false,
  archived boolean not null default false,
  -- The lead or a user wrote in it, so it is listed.
  is_conversation boolean not null default false,
  last_message_at timestamptz not null,
  created_at timestamptz not null,
  -- The last message is a reply without a response. Lists and counts read it instead of the messages.
  awaiting boolean not null default false,
  -- The user whose conversation it is. Null if there is none or the user was deleted.
  owner_id text collate "C",
  -- Until then the list of conversations that await a reply leaves this one out. A new message of the lead clears it.
  snoozed_until timestamptz,
  primary key (account_id, environment, id)
);
comment on table threads is 'delivery: A conversation: messages that their headers connect, from the first message of a person on.';
-- The conversations of a lead.
create index threads_lead on threads (account_id, environment, campaign_id, lead_id);
-- The conversations of a user.
create index threads_owner on threads (account_id, owner_id) where owner_id is not null;
-- Lists of conversations (listConversations): the newest first, by words, and those that wait for a response.
create index threads_recent on threads (account_id, environment, last_message_at desc, id) where is_conversation;
create index threads_search on threads using gin (to_tsvector('simple', subject)) where is_conversation;
create index threads_awaiting on threads (account_id, environment, last_message_at desc, id) where awaiting and is_conversation;
-- Conversations that are snoozed (listConversations).
create index threads_snoozed on threads (account_id, environment, last_message_at desc, id)
  where snoozed_until is not null and is_conversation;
-- The conversations that prevent the deletion of a sender (listSenderUsers).
create index threads_sender on threads (account_id, environment, sending_account_id) where is_conversation and not archived;

-- A user can send a message of a campaign to their own address. Its row in `message_heads` names no campaign and no lead, so nothing about
-- them follows from it, and the step is still sent to its lead. This row names them, so that the message is deleted with them.
create table test_messages (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  created_at timestamptz not null,
  -- By the clock of the limits.
  asked_at timestamptz not null,
  -- The placement test that the message belongs to. The list of messages that users sent to themselves leaves it out.
  placement_test_id text collate "C",
  primary key (account_id, environment, id)
);
comment on table test_messages is 'delivery: A message of a campaign that a user sent to their own address.';
create index test_messages_asked on test_messages (account_id, environment, asked_at);
create index test_messages_campaign on test_messages (account_id, environment, campaign_id, id);
create index test_messages_lead on test_messages (account_id, environment, lead_id);

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
