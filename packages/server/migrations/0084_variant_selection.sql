-- How a step's variants are chosen, and what each has brought so far: read by the planner for steps that choose by replies.

alter table steps add column variant_selection text not null default 'weighted'
  check (variant_selection in ('weighted', 'auto'));

-- The rollup of the log without time and sender, one row a variant.
create table stat_variants (
  account_id text collate "C" not null,
  environment text not null,
  campaign_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  sent bigint not null,
  bounced bigint not null,
  unique_replied bigint not null,
  primary key (account_id, environment, campaign_id, step_id, variant_id)
);

-- Nobody rolls up meanwhile, so that the counts and the cursor stay of one moment.
select 1 from event_cursors where name = 'statistics' for update;
insert into stat_variants
select account_id, environment, campaign_id, step_id, variant_id, sum(sent), sum(bounced), sum(unique_replied)
from stat_quarter_hours where step_id <> '' and variant_id <> '' group by 1, 2, 3, 4, 5;
