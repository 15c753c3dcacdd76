-- No foreign key to the account: a person is written in the statement after its leads, whose campaign belongs to it, and
-- looking the account up again for each took a third of the time of writing people.
create table people (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  -- Normalised.
  email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table people is 'people: An address across campaigns, once per environment.';
-- The person of an address (upsertPeople).
create unique index people_email on people (account_id, environment, email);
