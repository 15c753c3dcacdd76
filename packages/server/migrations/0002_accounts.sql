-- An account is deleted together with its rows in all other tables.
create table accounts (
  account_id text collate "C" primary key,
  name text not null,
  plan text not null check (plan in ('trial', 'starter', 'growth', 'scale', 'self_hosted')),
  default_timezone text not null default 'UTC',
  postal_address text,
  -- Both appear in privacy notices.
  privacy_contact text,
  privacy_url text,
  api_access_enabled boolean not null default true,
  -- The limits of this account. Null: the default for all accounts.
  requests_per_minute integer,
  burst_per_second integer,
  monthly_requests integer,
  max_api_keys integer,
  trial_ends_at timestamptz,
  created_at timestamptz not null,
  -- The facts that the model may state about the account and its offer, in the words of its users.
  reply_knowledge text check (length(reply_knowledge) <= 20000)
);
comment on table accounts is 'accounts: A customer with a plan and limits.';
