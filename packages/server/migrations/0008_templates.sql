create table templates (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  name text not null,
  subject text not null,
  body text not null,
  tags text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table templates is 'templates: A stored subject and body to start a step from.';
