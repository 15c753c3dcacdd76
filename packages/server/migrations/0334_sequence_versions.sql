-- How often the sequence was replaced. The ids of new steps, branches and variants come from this number, so that a dry run and the
-- update after it give the same ids: what a branch draws by chance depends on the id of its step.
alter table campaigns add column sequence_version integer not null default 0;
