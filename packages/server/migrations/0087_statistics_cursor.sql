-- Where the rollup stands, as a stable function: the planner looks at its value, and sees that few events lie behind it.
-- Of a joined cursor it only knows that it is some value, expects a third of the log, and may read all of it.
create function statistics_cursor() returns xid8 language sql stable as $$
  select tx_id from event_cursors where name = 'statistics'
$$;
