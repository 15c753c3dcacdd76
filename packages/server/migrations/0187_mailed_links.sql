-- When a link began to be mailed: it is mailed once. Null: it was not, or surely did not leave.
alter table user_links add column mailed_at timestamptz;
