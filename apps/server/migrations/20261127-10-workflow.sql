-- Work items: what somebody has asked for and others decide, whatever table the thing itself stands in. One engine (domain workflow).

create table work_item (
  id text primary key,
  kind text not null,
  -- The thing itself, in the table of its own domain.
  object_id text not null,
  code text not null,
  title text not null check (char_length(title) between 1 and 200),
  group_id text not null references tenant on delete cascade,
  project_code text references project on delete cascade,
  -- Whose company it concerns: what a subcontractor sees of a site ends at his own.
  corp_code text,
  -- Groups whose people have a step in it.
  groups text[] not null default '{}',
  applicant_id text not null,
  applicant_name text not null,
  applicant_group text not null,
  state text not null default '1' check (state in ('0', '1', '2', '3', '4')),
  -- Names of the steps that run, for lists.
  node text not null default '',
  round int not null default 1 check (round > 0),
  deadline timestamptz,
  -- What was asked for as it was asked, its hash, and what conditions look at.
  snapshot jsonb not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  facts jsonb not null default '{}',
  -- Of whose setting the flow came, 0: as delivered.
  flow_group text,
  flow_version int not null default 0,
  version int not null default 0,
  create_time timestamptz not null,
  update_time timestamptz not null,
  done_time timestamptz,
  urged_at timestamptz,
  unique (group_id, kind, code),
  check ((state in ('0', '1')) = (done_time is null))
);
-- A thing waits for one decision at a time.
create unique index work_item_running on work_item (kind, object_id) where state in ('0', '1');
create index work_item_object on work_item (kind, object_id, create_time desc);
create index work_item_mine on work_item (applicant_id, group_id, create_time desc);
create index work_item_project on work_item (project_code, kind, state, create_time desc);
create index work_item_groups on work_item using gin (groups);
create index work_item_late on work_item (deadline) where state = '1' and deadline is not null;

call zg_open('work_item');
create policy in_sight on work_item to zg_some using (
  group_id = (select zg_setting('app.group')) or groups @> array[(select zg_setting('app.group'))]
  or project_code = any ((select zg_list('app.projects'))::text[]));
create policy in_sight_wide on work_item to zg_wide using (
  group_id = (select zg_setting('app.group')) or groups @> array[(select zg_setting('app.group'))]
  or project_code in (select unnest(zg_list('app.projects'))));
create policy own_people on work_item as restrictive to zg_some, zg_wide using (
  (select zg_outside() or zg_setting('app.limited') = '') or project_code is null
  or project_code <> all ((select zg_list('app.limited'))::text[])
  or group_id = (select zg_setting('app.group')) or applicant_group = (select zg_setting('app.group'))
  or groups @> array[(select zg_setting('app.group'))] or corp_code = any ((select zg_list('app.corps'))::text[]));

-- The flow of an item, as it was when the item began.
create table work_step (
  id text primary key,
  item_id text not null references work_item on delete cascade,
  place int not null,
  stage int not null,
  round int not null,
  key text not null,
  name text not null,
  node jsonb not null,
  state text not null default '0' check (state in ('0', '1', '2', '3', '4', '5')),
  note text,
  began_at timestamptz,
  deadline timestamptz,
  ended_at timestamptz,
  reminded_at timestamptz,
  unique (item_id, round, place)
);
create index work_step_late on work_step (deadline) where state = '1' and deadline is not null;
call zg_by_parent('work_step', 'item_id', 'work_item');

-- A seat at a step: a person's, or whoever's that holds a code or a role in the group.
create table work_approver (
  id text primary key,
  item_id text not null references work_item on delete cascade,
  step_id text not null references work_step on delete cascade,
  group_id text not null,
  user_id text,
  code text,
  role_id text,
  -- 0 its turn has not come, 1 open, 2 agreed, 3 refused, 4 handed over, 5 somebody else decided.
  state text not null default '1' check (state in ('0', '1', '2', '3', '4', '5')),
  origin text not null default 'flow' check (origin in ('flow', 'transfer', 'addSign', 'fallback', 'late')),
  turn int not null default 0,
  acted_by text,
  acted_name text,
  acted_at timestamptz,
  -- Whom he stood in for.
  for_user text,
  opinion text,
  check (num_nonnulls(user_id, code, role_id) = 1),
  check ((state in ('2', '3')) = (acted_by is not null and acted_at is not null) or state = '4')
);
create index work_approver_item on work_approver (item_id, step_id);
create index work_approver_user on work_approver (user_id, group_id) where state = '1' and user_id is not null;
create index work_approver_code on work_approver (group_id, code) where state = '1' and code is not null;
create index work_approver_role on work_approver (group_id, role_id) where state = '1' and role_id is not null;
create index work_approver_acted on work_approver (acted_by, acted_at desc) where acted_by is not null;
call zg_by_parent('work_approver', 'item_id', 'work_item');

-- Who is told of an item without deciding over it.
create table work_copy (
  item_id text not null references work_item on delete cascade,
  user_id text not null,
  group_id text not null,
  create_time timestamptz not null,
  read_at timestamptz,
  primary key (item_id, user_id)
);
create index work_copy_user on work_copy (user_id, group_id, create_time desc);
call zg_by_parent('work_copy', 'item_id', 'work_item');

-- What became of an item, step by step. Written once.
create table work_event (
  id text primary key,
  -- Their order, for what happens within a millisecond.
  seq bigint generated always as identity,
  item_id text not null references work_item on delete cascade,
  at timestamptz not null,
  user_id text,
  user_name text not null,
  group_name text not null,
  action text not null,
  node text,
  opinion text,
  note text,
  signature_id text
);
create index work_event_item on work_event (item_id, seq);
call zg_by_parent('work_event', 'item_id', 'work_item');

create table work_comment (
  id text primary key,
  item_id text not null references work_item on delete cascade,
  at timestamptz not null,
  user_id text not null,
  user_name text not null,
  group_name text not null,
  text text not null check (char_length(text) between 1 and 500)
);
create index work_comment_item on work_comment (item_id, at);
call zg_by_parent('work_comment', 'item_id', 'work_item');

-- Drawn by hand, for what had this hash then.
create table work_signature (
  id text primary key,
  item_id text not null references work_item on delete cascade,
  step_id text references work_step on delete cascade,
  user_id text not null,
  user_name text not null,
  at timestamptz not null,
  image bytea not null check (octet_length(image) between 67 and 49152),
  hash text not null check (hash ~ '^[0-9a-f]{64}$')
);
create index work_signature_item on work_signature (item_id);
call zg_by_parent('work_signature', 'item_id', 'work_item');

-- Numbers without gaps: one row, held until the item that takes the number is committed.
create table work_number (
  kind text not null,
  group_id text not null references tenant on delete cascade,
  year int not null,
  last int not null check (last > 0),
  primary key (kind, group_id, year)
);
call zg_serve('work_number');
create function zg_next_number(p_kind text, p_group text, p_year int) returns int language sql security definer set search_path = public as $$
  insert into work_number as n (kind, group_id, year, last) values (p_kind, p_group, p_year, 1)
  on conflict (kind, group_id, year) do update set last = n.last + 1 returning last
$$;
revoke execute on function zg_next_number from public;
grant execute on function zg_next_number to zg_some, zg_wide, zg_all, zg_runtime;

-- Who decides what, by group and kind; the newest version holds.
create table flow_setting (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  -- Of a site's own: companies and authorities write it for the sites they run.
  project_code text references project on delete cascade,
  kind text not null,
  version int not null check (version > 0),
  -- own: these steps; none: passed at once; upper: again as above.
  mode text not null check (mode in ('own', 'none', 'upper')),
  nodes jsonb not null default '[]',
  note text not null default '',
  create_by text not null,
  create_name text not null,
  create_time timestamptz not null,
  unique (group_id, kind, version)
);
call zg_by_group('flow_setting');
create policy of_site on flow_setting to zg_some, zg_wide using (
  project_code in (select unnest(zg_list('app.projects'))) and project_code <> all ((select zg_list('app.limited'))::text[]));
create function flow_setting_site() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select t.code into new.project_code from tenant t where t.id = new.group_id and t.type = 3;
  return new;
end $$;
create trigger site before insert on flow_setting for each row execute function flow_setting_site();

-- Who stands in for somebody who is away.
create table work_deputy (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  user_id text not null,
  deputy_id text not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  reason text not null default '',
  ended_at timestamptz,
  create_time timestamptz not null,
  check (user_id <> deputy_id),
  check (to_time > from_time)
);
create index work_deputy_user on work_deputy (user_id, group_id, to_time);
create index work_deputy_deputy on work_deputy (deputy_id, group_id, to_time);
call zg_by_group('work_deputy');

do $$
declare name text;
begin
  foreach name in array array['work_event', 'work_signature'] loop
    execute format('revoke update, delete, truncate on %I from zg_runtime, zg_some, zg_wide, zg_all', name);
  end loop;
end $$;
