-- What messages of one text have in common, and each message as what it adds to that: 430 bytes of a message that took 1,250.
create table content_dictionaries (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- Drawn from its bytes and the month in which messages were packed with it.
  id bytea not null,
  -- Of its text, and gone with it.
  campaign_id text collate "C" not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table content_dictionaries is
  'delivery: What messages of one text have in common; message_contents are packed with it (docs/decisions/0308-packed-contents.md).';
do $$ begin
  alter table content_dictionaries alter column bytes set compression lz4;
exception when feature_not_supported then null; end $$;

-- A release before finds no bytes here and sends nothing of it: it would not know what they are.
alter table message_contents add column packed bytea, add column dictionary bytea;
-- What was packed does not become smaller for being tried once more.
alter table message_contents alter column packed set storage external;

-- Room for the second version of seven in ten of them, where it was eight: an eighth less of each page stays empty for good.
alter table message_heads set (fillfactor = 70);

create or replace view messages with (security_invoker = true) as
select m.account_id, m.environment, m.id, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.thread_id, m.sending_account_id,
  m.direction, m.kind, case when m.status = 'queued' and c.gated_at is not null then 'sending' else m.status end as status,
  c.lease_token is not null as claimed, m.attempts, m.first_attempt_at, m.attempt_at, m.rfc_message_id, m.in_reply_to,
  coalesce(m.refs, '{}') as refs, m.from_address, coalesce(m.to_addresses, '[]') as to_addresses,
  coalesce(m.cc_addresses, '[]') as cc_addresses, coalesce(m.bcc_addresses, '[]') as bcc_addresses,
  coalesce(m.to_stranger, false) as to_stranger, m.subject, k.raw, k.text,
  k.quoted_text, k.html, m.queued_at, coalesce(m.gated_at, c.gated_at) as gated_at, m.sent_at, m.received_at, m.opened_at,
  m.classification, m.smtp_answer, m.failure, m.attachments, k.packed, d.bytes as dictionary
from message_heads m
left join claims c on c.account_id = m.account_id and c.environment = m.environment and c.message_id = m.id
left join message_contents k on k.account_id = m.account_id and k.environment = m.environment and k.message_id = m.id
left join content_dictionaries d on d.account_id = k.account_id and d.environment = k.environment and d.id = k.dictionary;
