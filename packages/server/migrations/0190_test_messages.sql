-- What somebody had sent to an address of their own. Its row in message_heads names neither campaign nor lead: nothing about
-- them follows from it, and a step is still sent to its lead once. Whose words it holds stands here, so that it goes with them.
create table test_messages (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  created_at timestamptz not null,
  -- By the clock that limits go by.
  asked_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table test_messages is 'delivery: Messages of campaigns that users had sent to themselves.';
create index test_messages_asked on test_messages (account_id, environment, asked_at);
create index test_messages_campaign on test_messages (account_id, environment, campaign_id, id);
create index test_messages_lead on test_messages (account_id, environment, lead_id);
