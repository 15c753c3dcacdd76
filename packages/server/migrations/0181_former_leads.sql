-- A lead goes with its campaign, its lines in the log stay: whose they were is needed when a person is exported or erased.
create table former_leads (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  address_hash bytea not null,
  lead_id text collate "C" not null,
  -- As whom it was found, where it came out of the lead finder.
  person_id text collate "C",
  primary key (account_id, environment, address_hash, lead_id)
);
comment on table former_leads is 'people: Which leads an address was before their campaigns were deleted.';
