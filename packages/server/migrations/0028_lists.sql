create table tags (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  name text collate "C" not null,
  -- The same for names that differ only in case. The server computes it (tagKey), because lower() depends on the collation.
  name_key text collate "C" not null,
  created_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table tags is 'tags: A word that campaigns, people and sending accounts are found by.';
-- The order of the list (listTags). A name is used once, in upper or lower case (insertTag).
create unique index tags_name on tags (account_id, environment, name_key);

create table taggings (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  tag_id text collate "C" not null,
  -- The id of what has the tag, again in the column of its kind. The row goes with the tag and with what has it.
  object_id text collate "C" not null,
  campaign_id text collate "C",
  person_id text collate "C",
  sending_account_id text collate "C",
  primary key (account_id, environment, object_id, tag_id),
  check (num_nonnulls(campaign_id, person_id, sending_account_id) >= 1),
  foreign key (account_id, environment, tag_id) references tags on delete cascade,
  foreign key (account_id, environment, campaign_id) references campaigns on delete cascade,
  foreign key (account_id, environment, person_id) references people on delete cascade,
  foreign key (account_id, environment, sending_account_id) references sending_accounts on delete cascade
);
comment on table taggings is 'tags: A tag of a campaign, of a person or of a sending account.';
-- The rows of a tag: for the filters of the lists, and for the end of the tag.
create index taggings_tag on taggings (account_id, environment, tag_id, object_id);
-- The rows of a campaign, a person or a sending account that is deleted.
create index taggings_campaign on taggings (account_id, environment, campaign_id) where campaign_id is not null;
create index taggings_person on taggings (account_id, environment, person_id) where person_id is not null;
create index taggings_sender on taggings (account_id, environment, sending_account_id) where sending_account_id is not null;

create table lists (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  member_count integer not null default 0,
  -- The last position that was given out. Not every position has a member.
  last_position bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, environment, id)
);
comment on table lists is 'lists: A list of people outside of campaigns.';

create table list_members (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  list_id text collate "C" not null,
  email text collate "C" not null,
  email_given text not null,
  -- Counts up in the order of the commits, because a writer holds the row of the list. Followers read on from a position.
  position bigint not null,
  -- The fields of a lead.
  fields jsonb not null,
  added_at timestamptz not null,
  updated_at timestamptz not null,
  -- The order of the members (listMembers).
  primary key (account_id, environment, list_id, email),
  foreign key (account_id, environment, list_id) references lists on delete cascade
);
comment on table list_members is 'lists: A person in a list.';
-- The members after a position (listMembersAfter).
create index list_members_position on list_members (account_id, environment, list_id, position);
-- A person in every list, for its erasure and its export.
create index list_members_email on list_members (account_id, environment, email);

create table list_follows (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  list_id text collate "C" not null,
  -- The last member that became a lead or was skipped.
  position bigint not null default 0,
  added integer not null default 0,
  skipped integer not null default 0,
  primary key (account_id, environment, campaign_id),
  foreign key (account_id, environment, campaign_id) references campaigns on delete cascade,
  foreign key (account_id, environment, list_id) references lists on delete cascade
);
comment on table list_follows is 'lists: How far a campaign has followed its list.';
-- The end of a list.
create index list_follows_list on list_follows (account_id, environment, list_id);
-- The campaigns that follow a list (listFollowers).
create index campaigns_following on campaigns (account_id, environment, (settings->>'followsListId'))
  where settings->>'followsListId' is not null;
