-- The bytes of each message are stored in its own row (docs/decisions/0340-plain-contents.md).
drop view messages;
alter table message_contents drop column packed, drop column dictionary;
drop table content_dictionaries;

create view messages with (security_invoker = true) as
select m.account_id, m.environment, m.id, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.thread_id, m.sending_account_id,
  m.direction, m.kind, case when m.status = 'queued' and c.gated_at is not null then 'sending' else m.status end as status,
  c.lease_token is not null as claimed, m.attempts, m.first_attempt_at, m.attempt_at, m.rfc_message_id, m.in_reply_to,
  coalesce(m.refs, '{}') as refs, m.from_address, coalesce(m.to_addresses, '[]') as to_addresses,
  coalesce(m.cc_addresses, '[]') as cc_addresses, coalesce(m.bcc_addresses, '[]') as bcc_addresses,
  coalesce(m.to_stranger, false) as to_stranger, m.subject, k.raw, k.text, k.quoted_text, k.html, m.queued_at,
  coalesce(m.gated_at, c.gated_at) as gated_at, m.sent_at, m.received_at, m.opened_at, m.classification, m.smtp_answer,
  m.failure, m.attachments, m.delivered_message_id
from message_heads m
left join claims c on c.account_id = m.account_id and c.environment = m.environment and c.message_id = m.id
left join message_contents k on k.account_id = m.account_id and k.environment = m.environment and k.message_id = m.id;
comment on view messages is 'delivery: A message as its readers see it: its three rows.';
