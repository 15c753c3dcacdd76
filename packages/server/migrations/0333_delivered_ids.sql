-- The Message-ID that a mail server put in the place of ours: replies and reports name this one.
alter table message_heads add column delivered_message_id text collate "C";
create index message_heads_delivered on message_heads (account_id, environment, delivered_message_id)
  where delivered_message_id is not null;

create or replace view messages with (security_invoker = true) as
select m.account_id, m.environment, m.id, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.thread_id, m.sending_account_id,
  m.direction, m.kind, case when m.status = 'queued' and c.gated_at is not null then 'sending' else m.status end as status,
  c.lease_token is not null as claimed, m.attempts, m.first_attempt_at, m.attempt_at, m.rfc_message_id, m.in_reply_to,
  coalesce(m.refs, '{}') as refs, m.from_address, coalesce(m.to_addresses, '[]') as to_addresses,
  coalesce(m.cc_addresses, '[]') as cc_addresses, coalesce(m.bcc_addresses, '[]') as bcc_addresses,
  coalesce(m.to_stranger, false) as to_stranger, m.subject, k.raw, k.text, k.quoted_text, k.html, m.queued_at,
  coalesce(m.gated_at, c.gated_at) as gated_at, m.sent_at, m.received_at, m.opened_at, m.classification, m.smtp_answer,
  m.failure, m.attachments, k.packed, d.bytes as dictionary, m.delivered_message_id
from message_heads m
left join claims c on c.account_id = m.account_id and c.environment = m.environment and c.message_id = m.id
left join message_contents k on k.account_id = m.account_id and k.environment = m.environment and k.message_id = m.id
left join content_dictionaries d on d.account_id = k.account_id and d.environment = k.environment and d.id = k.dictionary;
