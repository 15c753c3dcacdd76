create table contact_policies (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  policy jsonb not null,
  updated_at timestamptz not null,
  primary key (account_id, environment)
);
comment on table contact_policies is 'contact-policy: The limits of an account over all its campaigns.';

-- A row is written with the claim and deleted if the claim is given back. It keeps no address, so it outlives lead and message.
create table contacts (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  address_hash bytea not null,
  message_id text collate "C" not null,
  campaign_id text collate "C" not null,
  lead_id text collate "C" not null,
  -- The domain that the person's colleagues share. Null if it is not known.
  company text,
  -- Whether it was the first message to the person. The limit per company counts these rows.
  first boolean not null,
  at timestamptz not null,
  primary key (account_id, environment, address_hash, message_id)
);
comment on table contacts is 'contact-policy: A message of a campaign that a person got or is about to get.';
create index contacts_company on contacts (account_id, environment, company, at) where first and company is not null;
-- Rows are deleted by age.
create index contacts_at on contacts using brin (at) with (autosummarize = on);

create table exchanges (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  address_hash bytea not null,
  sending_account_id text collate "C" not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  -- Whether it is a reply to a campaign, and not mail outside of campaigns.
  of_campaign boolean not null,
  company text,
  at timestamptz not null,
  primary key (account_id, environment, address_hash, sending_account_id, direction, of_campaign)
);
comment on table exchanges is 'contact-policy: When a mailbox and a person last exchanged mail. No text is kept.';
create index exchanges_company on exchanges (account_id, environment, company, at) where company is not null and not of_campaign;
create index exchanges_at on exchanges using brin (at) with (autosummarize = on);
