-- Whether a conversation's last word is a reply that nobody has answered: counted and listed without looking at messages.
alter table threads add column awaiting boolean not null default false;
update threads h set awaiting = l.awaiting
from (select distinct on (account_id, environment, thread_id) account_id, environment, thread_id, kind = 'reply' as awaiting
  from messages where thread_id is not null and kind in ('reply', 'unsubscribe', 'manual') and status <> 'failed'
  order by account_id, environment, thread_id, coalesce(received_at, queued_at) desc, id desc) l
where l.account_id = h.account_id and l.environment = h.environment and l.thread_id = h.id and l.awaiting;
create index threads_awaiting on threads (account_id, environment, last_message_at desc, id) where awaiting and has_inbound;
