-- A message in three rows, each written as seldom as it can be.
--
-- message_heads: what a message is and what became of it. Written before its gate, and once more when its outcome is known;
-- no index names a column that the outcome changes, so that this second version stays on its page.
-- message_contents: its bytes and texts. Written once.
-- claims: what is under way, and whose it is. A claim inserts a row, the gate marks it where it lies, the record deletes it;
-- one whose outcome is in doubt stays, without a lease, until it is settled.

create table message_heads (
  account_id text collate "C" not null,
  environment text not null,
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

-- One message per lead and step, whatever else fails (storeWritten); and all of a lead, or of a campaign (listLeadMessages).
create unique index message_heads_step on message_heads (account_id, environment, campaign_id, lead_id, step_id);
-- A conversation (listThreadMessages).
create index message_heads_thread on message_heads (account_id, environment, thread_id);
-- The last messages of a mailbox (countMailboxBounces).
create index message_heads_sender on message_heads (account_id, environment, sending_account_id, queued_at)
  where direction = 'outbound';
-- What waits for no plan: a person's replies, send-now (lockDirectMessages).
create index message_heads_direct on message_heads (account_id, environment, attempt_at) where attempt_at is not null;
-- A mail is taken once per mailbox, whatever it is called (findReceived), and is found by what answers it
-- (listMessagesByRfcIds). Ours are found by their key, which their Message-ID says.
create unique index message_heads_inbound_rfc on message_heads (account_id, environment, rfc_message_id, sending_account_id)
  where direction = 'inbound';
create index message_heads_inbound_hash on message_heads (account_id, environment, sending_account_id, raw_sha256)
  where direction = 'inbound';

create table message_contents (
  account_id text collate "C" not null,
  environment text not null,
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
  environment text not null,
  message_id text collate "C" not null,
  kind text not null,
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
-- One claim per lead and step (claimMessages), and what is under way to a lead (deleteClaimOfLead).
create unique index claims_step on claims (account_id, environment, lead_id, step_id) where step_id is not null;

insert into message_heads
select account_id, environment, id, campaign_id, lead_id, step_id, variant_id, thread_id, sending_account_id, direction, kind,
  rfc_message_id, in_reply_to, refs, from_address, to_addresses, cc_addresses, bcc_addresses, to_stranger, subject, raw_sha256, queued_at,
  received_at, classification, case when status = 'sending' then 'uncertain' else status end, attempts, first_attempt_at, attempt_at, gated_at,
  sent_at, opened_at, smtp_answer, failure from messages;
insert into message_contents
select account_id, environment, id, raw, case when direction = 'inbound' or raw is null then text end,
  case when direction = 'inbound' or raw is null then html end, quoted_text, attachments,
  case when direction = 'inbound' then subject end from messages;
insert into claims (account_id, environment, message_id, kind, campaign_id, lead_id, step_id, sending_account_id, lead_email, claimed_at,
  lease_token, lease_until, gated_at)
select account_id, environment, id, kind, campaign_id, lead_id, step_id, sending_account_id,
  (select l.email from lead_profiles l where l.account_id = m.account_id and l.environment = m.environment
    and l.campaign_id = m.campaign_id and l.id = m.lead_id),
  queued_at, lease_token, case when status = 'queued' then lease_until end, gated_at from messages m where lease_token is not null;
drop table messages;

-- A message as its readers see it. What they do not name costs nothing: both other rows are joined by their keys.
create view messages with (security_invoker = true) as
select m.account_id, m.environment, m.id, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.thread_id, m.sending_account_id,
  m.direction, m.kind, case when m.status = 'queued' and c.gated_at is not null then 'sending' else m.status end as status,
  c.lease_token is not null as claimed, m.attempts, m.first_attempt_at, m.attempt_at, m.rfc_message_id, m.in_reply_to,
  coalesce(m.refs, '{}') as refs, m.from_address, coalesce(m.to_addresses, '[]') as to_addresses,
  coalesce(m.cc_addresses, '[]') as cc_addresses, coalesce(m.bcc_addresses, '[]') as bcc_addresses,
  coalesce(m.to_stranger, false) as to_stranger, m.subject, k.raw, k.text,
  k.quoted_text, k.html, m.queued_at, coalesce(m.gated_at, c.gated_at) as gated_at, m.sent_at, m.received_at, m.opened_at,
  m.classification, m.smtp_answer, m.failure
from message_heads m
left join claims c on c.account_id = m.account_id and c.environment = m.environment and c.message_id = m.id
left join message_contents k on k.account_id = m.account_id and k.environment = m.environment and k.message_id = m.id;

-- What the last record found, for the log: the statement that changes a row tells only what it has become.
alter table lead_progress add column status_before text, add column contacted_before boolean;

-- A conversation has a row of its own from the first answer on; until then its messages tell everything.
delete from threads where not has_inbound;
