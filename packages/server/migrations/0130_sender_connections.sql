-- Counts the changes of a sender's servers and logins: a connection made under an older count is not used again.
alter table sending_accounts add column connection_version integer not null default 0;
