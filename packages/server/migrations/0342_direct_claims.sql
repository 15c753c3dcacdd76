-- The daily limits of people's mail and notices count by the time of the claim, because a message can wait for days.
-- An index on `sent_at` would add an entry to each index when a campaign message is sent. Campaign messages leave this column null.
alter table message_heads add column claimed_at timestamptz;
update message_heads set claimed_at = coalesce(sent_at, gated_at)
where kind in ('manual', 'notification') and status not in ('queued', 'failed');

create index message_heads_direct_claimed on message_heads (account_id, environment, sending_account_id, claimed_at)
  where claimed_at is not null;
drop index message_heads_direct_day;
alter index message_heads_direct_claimed rename to message_heads_direct_day;
