-- Only a reply with proof of its writer shows who wrote last in a thread. Replies that were stored without a proof get the one that
-- their headers show: they name a message of the thread that we sent.
update message_heads i set classification = coalesce(i.classification, '{}') || '{"proof": "message_id"}'
where i.direction = 'inbound' and i.kind = 'reply' and not coalesce(i.classification, '{}') ? 'proof'
  and exists (select from message_heads o
    where o.account_id = i.account_id and o.environment = i.environment and o.thread_id = i.thread_id and o.direction = 'outbound'
      and (o.rfc_message_id = i.in_reply_to or o.rfc_message_id = any(i.refs)
        or o.delivered_message_id = i.in_reply_to or o.delivered_message_id = any(i.refs)));
