-- A server refused the message by policy for now (4.7.x), at any of its attempts. Null: none did.
alter table message_heads add column refused_by_policy boolean;
