-- Tasks that people do, mostly steps of a campaign.

create table tasks (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  campaign_id text collate "C",
  lead_id text collate "C",
  -- Null: a person created it.
  step_id text collate "C",
  -- The text that waits for approval, for a task of an email step.
  approval_id text collate "C",
  channel text not null check (channel in ('call', 'linkedin_visit', 'linkedin_connect', 'linkedin_message', 'other', 'email')),
  -- As rendered for the lead when the task was opened.
  title text not null,
  instructions text not null,
  status text not null check (status in ('open', 'done', 'skipped', 'canceled')),
  outcome text check (outcome in ('connected', 'no_answer', 'voicemail', 'wrong_number', 'not_interested', 'done')),
  note text,
  assignee_id text collate "C",
  -- The lead waits before the step until the task is closed.
  blocks boolean not null default false,
  due_at timestamptz not null,
  snoozed_until timestamptz,
  expires_at timestamptz,
  -- The event `task.overdue` was logged.
  overdue boolean not null default false,
  created_at timestamptz not null,
  closed_at timestamptz,
  -- A user or an API key. Null: it expired, or the end of its lead canceled it.
  closed_by text collate "C",
  primary key (account_id, environment, id)
);
comment on table tasks is 'tasks: Something that a person does for a lead, mostly a step of a campaign.';
-- One task per lead and step, like a message (insertPlannedTasks).
create unique index tasks_step on tasks (account_id, environment, campaign_id, lead_id, step_id);
-- Tasks of a lead by its id alone.
create index tasks_lead on tasks (account_id, environment, lead_id) where lead_id is not null;
-- Open tasks in the order of their time (listTasks).
create index tasks_open on tasks (account_id, environment, due_at, id) where status = 'open';
-- Tasks that become overdue or expire (updateTasksOverdue, updateTasksExpired).
create index tasks_not_overdue on tasks (account_id, environment, due_at) where status = 'open' and not overdue;
create index tasks_expiring on tasks (account_id, environment, expires_at) where status = 'open' and expires_at is not null;
-- The task of a text.
create index tasks_approval on tasks (account_id, environment, approval_id) where approval_id is not null;
-- The open tasks of a user who leaves.
create index tasks_assignee on tasks (account_id, assignee_id) where assignee_id is not null;
