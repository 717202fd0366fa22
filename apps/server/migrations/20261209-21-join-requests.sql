-- Somebody's account belongs to himself: a group that he is not of yet asks him, and he is its member once he has accepted. What he gets is
-- judged again then, by the rights its giver has at that moment.
create table join_request (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  group_id text not null references tenant on delete cascade,
  -- Who asks, and the group in whose name he does.
  giver_id text not null references app_user on delete cascade,
  by_group text not null references tenant on delete cascade,
  -- Codes of the call that asked; the giver holds one of them still when it is accepted.
  needs text[] not null,
  administrator boolean not null default false,
  role_ids text[] not null default '{}',
  deadline date,
  reason text not null default '',
  create_time timestamptz not null,
  create_by text not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  answer text check (answer in ('accepted', 'refused', 'withdrawn')),
  check ((answered_at is null) = (answer is null))
);
create unique index join_request_open on join_request (user_id, group_id, by_group) where answered_at is null;
create index join_request_list on join_request (by_group, create_time desc);
call zg_by_group('join_request', 'by_group');

-- The groups and accounts that the asker has asked, by name: neither is seen from inside his own group.
create function zg_join_requests() returns table (id text, group_name text, group_type smallint, account text, user_name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select j.id, t.name, t.type, u.account, u.name from join_request j join tenant t on t.id = j.group_id join app_user u on u.id = j.user_id
  where not zg_in_request() or zg_is_platform() or j.by_group = zg_setting('app.group')
$$;

-- The group an account was opened in. It alone, or the platform, may reset the account's password; a group that took him in later never may.
alter table app_user add column home_group_id text;
update app_user u set home_group_id = coalesce((
  select m.group_id from member m where m.user_id = u.id and m.create_time <= u.create_time + interval '1 day' order by m.create_time, m.id limit 1), '');
create function zg_settle_home() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update app_user set home_group_id = new.group_id where id = new.user_id and home_group_id is null;
  return null;
end $$;
create trigger settles_home after insert on member for each row execute function zg_settle_home();
