-- The nodes that answer requests now. One that is alone counts rate windows in memory, until `sole_until` at most.
create unlogged table api_nodes (
  node_id text collate "C" primary key,
  seen_at timestamptz not null,
  sole_until timestamptz
);
