-- What was claimed, by the day of sender or campaign: the limits are counted here. A claim that is given up is taken off again.

create table sender_days (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  sending_account_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  primary key (account_id, environment, sending_account_id, day)
);
comment on table sender_days is 'delivery: What a sending account has claimed per day of its zone.';

create table campaign_days (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  day date not null,
  claimed integer not null,
  claimed_first integer not null,
  primary key (account_id, environment, campaign_id, day)
);
comment on table campaign_days is 'delivery: What a campaign has claimed per day of its zone.';

create table campaign_domain_days (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  day date not null,
  domain text not null,
  claimed integer not null,
  primary key (account_id, environment, campaign_id, day, domain)
);
comment on table campaign_domain_days is 'delivery: What a campaign has claimed per recipient domain and day.';

-- A row per tenant that has anything to plan. The lease makes one planner at a time; whoever moves a test clock holds it.
create table planning (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- In the tenant's time; null: nothing to do until something changes.
  next_plan_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  primary key (account_id, environment)
);
comment on table planning is 'delivery: When each tenant is planned next, and by whom it is being planned.';
-- Who is to be planned now (listDueTenantsAcrossAccounts).
create index planning_due on planning (next_plan_at) where next_plan_at is not null;

-- A message in three rows, each written as seldom as it can be.
--
-- message_heads: what a message is and what became of it. Written before its gate, and once more when its outcome is known;
-- no index names a column that the outcome changes, so that this second version stays on its page.
-- message_contents: its bytes and texts. Written once.
-- claims: what is under way, and whose it is. A claim inserts a row, the gate marks it where it lies, the record deletes it;
-- one whose outcome is in doubt stays, without a lease, until it is settled.

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
    ('campaign', 'reply', 'manual', 'auto_reply', 'bounce', 'unsubscribe', 'other', 'notification')),
  rfc_message_id text collate "C",
  in_reply_to text,
  refs text[],
  from_address jsonb,
  to_addresses jsonb,
  cc_addresses jsonb,
  bcc_addresses jsonb,
  -- A notice to an address that its owner has not given us: suppressions hold it back.
  to_stranger boolean,
  subject text not null default '',
  raw_sha256 bytea,
  queued_at timestamptz not null,
  received_at timestamptz,
  classification jsonb,
  -- Its files: [{filename, contentType, size}], a size of null where one was too large to be kept. Their bytes are in
  -- message_contents: in raw, or in attachments until that is composed.
  attachments jsonb,
  -- What an outcome changes lies together, and is all that the log of a second version tells.
  -- A message between its gate and its answer is 'queued' here: its claim knows better.
  status text not null check (status in ('queued', 'sent', 'bounced', 'failed', 'uncertain', 'received')),
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  -- When a message goes out that waits for no plan.
  attempt_at timestamptz,
  gated_at timestamptz,
  sent_at timestamptz,
  opened_at timestamptz,
  smtp_answer text,
  failure jsonb,
  primary key (account_id, environment, id)
) with (fillfactor = 60);
comment on table message_heads is 'delivery: What a message is and what became of it, sent or received.';
-- What waits for no plan: a person's replies, send-now (lockDirectMessages).
create index message_heads_direct on message_heads (account_id, environment, attempt_at) where attempt_at is not null;
create index message_heads_inbound_hash on message_heads (account_id, environment, sending_account_id, raw_sha256)
  where direction = 'inbound';
-- A mail is taken once per mailbox, whatever it is called (findReceived), and is found by what answers it
-- (listMessagesByRfcIds). Ours are found by their key, which their Message-ID says.
create unique index message_heads_inbound_rfc on message_heads (account_id, environment, rfc_message_id, sending_account_id)
  where direction = 'inbound';
-- The last messages of a mailbox (countMailboxBounces).
create index message_heads_sender on message_heads (account_id, environment, sending_account_id, queued_at)
  where direction = 'outbound';
-- One message per lead and step, whatever else fails (storeWritten); and all of a lead, or of a campaign (listLeadMessages).
create unique index message_heads_step on message_heads (account_id, environment, campaign_id, lead_id, step_id);
-- A conversation (listThreadMessages).
create index message_heads_thread on message_heads (account_id, environment, thread_id);

create table message_contents (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  message_id text collate "C" not null,
  -- As it goes out or came in.
  raw bytea,
  -- Of a message of ours only until its bytes are composed: those say the same.
  text text,
  html text,
  quoted_text text,
  -- Of a person's message until its bytes are composed: [{filename, contentType, content (base64)}].
  attachments jsonb,
  -- Of mail that came in: its words are looked for together with those of the text.
  subject text,
  primary key (account_id, environment, message_id)
);
comment on table message_contents is 'delivery: What a message says: written once, joined where it is read.';
-- Conversations by their words (listConversations).
create index message_contents_search on message_contents
  using gin (to_tsvector('simple', left(subject || ' ' || coalesce(text, ''), 100000))) where subject is not null;
-- A server that was built without it keeps its own way.
do $$ begin
  alter table message_contents alter column raw set compression lz4, alter column text set compression lz4,
    alter column html set compression lz4;
exception when feature_not_supported then null; end $$;

create table claims (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  message_id text collate "C" not null,
  kind text not null check (kind in ('campaign', 'manual', 'notification')),
  campaign_id text collate "C",
  lead_id text collate "C",
  step_id text collate "C",
  sending_account_id text collate "C" not null,
  lead_email text,
  -- What the claim has counted, and gives back where it is given up.
  sender_day date,
  campaign_day date,
  first boolean,
  domain text,
  claimed_at timestamptz not null,
  lease_token uuid not null,
  -- Null: the outcome is in doubt. The token stays, so that a late answer can still be recorded.
  lease_until timestamptz,
  gated_at timestamptz,
  primary key (account_id, environment, message_id)
  -- Small, and no row lives long: half of each page is for the versions that the gate makes.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000);
comment on table claims is 'delivery: What is under way, and whose it is.';
-- One claim per lead and step (claimMessages), and what is under way to a lead (deleteClaimOfLead).
create unique index claims_step on claims (account_id, environment, lead_id, step_id) where step_id is not null;

-- What its readers do not name costs nothing: both other rows are joined by their keys.
create view messages with (security_invoker = true) as
select m.account_id, m.environment, m.id, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.thread_id, m.sending_account_id,
  m.direction, m.kind, case when m.status = 'queued' and c.gated_at is not null then 'sending' else m.status end as status,
  c.lease_token is not null as claimed, m.attempts, m.first_attempt_at, m.attempt_at, m.rfc_message_id, m.in_reply_to,
  coalesce(m.refs, '{}') as refs, m.from_address, coalesce(m.to_addresses, '[]') as to_addresses,
  coalesce(m.cc_addresses, '[]') as cc_addresses, coalesce(m.bcc_addresses, '[]') as bcc_addresses,
  coalesce(m.to_stranger, false) as to_stranger, m.subject, k.raw, k.text,
  k.quoted_text, k.html, m.queued_at, coalesce(m.gated_at, c.gated_at) as gated_at, m.sent_at, m.received_at, m.opened_at,
  m.classification, m.smtp_answer, m.failure, m.attachments
from message_heads m
left join claims c on c.account_id = m.account_id and c.environment = m.environment and c.message_id = m.id
left join message_contents k on k.account_id = m.account_id and k.environment = m.environment and k.message_id = m.id;
comment on view messages is 'delivery: A message as its readers see it: its three rows.';

-- Until somebody answers, a conversation's messages tell everything, and it has no row.
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
  has_inbound boolean not null default false,
  last_message_at timestamptz not null,
  created_at timestamptz not null,
  -- Whether its last word is a reply that nobody has answered: counted and listed without looking at messages.
  awaiting boolean not null default false,
  primary key (account_id, environment, id)
);
comment on table threads is 'delivery: Conversations: what mail headers tie together, from the first answer on.';
-- The conversations of a lead.
create index threads_lead on threads (account_id, environment, campaign_id, lead_id);
-- The lists (listConversations): newest first, by words, and those that await an answer.
create index threads_recent on threads (account_id, environment, last_message_at desc, id) where has_inbound;
create index threads_search on threads using gin (to_tsvector('simple', subject)) where has_inbound;
create index threads_awaiting on threads (account_id, environment, last_message_at desc, id) where awaiting and has_inbound;
-- What deleting a sender asks (listSenderUsers).
create index threads_sender on threads (account_id, environment, sending_account_id) where has_inbound and not archived;
