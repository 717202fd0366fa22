-- 通知公告: what a group tells exactly these people, and who has read and signed it.
create table announcement (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  group_name text not null,
  -- Groups above the sender, which see what it published and its receipts.
  above text[] not null default '{}',
  title text not null,
  type text not null,
  -- Filtered HTML, and its text.
  content text not null,
  body text not null,
  files text[] not null default '{}',
  need_receipt boolean not null,
  need_signature boolean not null,
  deadline timestamptz,
  top boolean not null,
  publish_at timestamptz,
  publish_time timestamptz,
  state text not null default '0' check (state in ('0', '1', '2', '3', '4', '5')),
  submit_by text,
  recall_reason text,
  recall_time timestamptz,
  urged_at timestamptz,
  version int not null default 0,
  create_by text not null,
  create_name text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index announcement_group_state on announcement (group_id, state, update_time desc);
create index announcement_above on announcement using gin (above);
create index announcement_timed on announcement (publish_at) where state = '5';
create index announcement_ends on announcement (deadline) where state = '2' and need_receipt;

-- Who is to receive it: each line adds people, all of them from what the sender reaches.
create table announcement_line (
  id text primary key,
  announcement_id text not null references announcement on delete cascade,
  group_id text not null,
  seq int not null,
  kind text not null check (kind in ('all', 'area', 'government', 'corporation', 'project', 'person')),
  areas text[] not null default '{}',
  groups text[] not null default '{}',
  members text[] not null default '{}',
  -- Names of roles; empty: everybody.
  roles text[] not null default '{}',
  "except" text[] not null default '{}',
  -- The line as people read it, with the names of that day.
  words text not null,
  unique (announcement_id, seq)
);

-- The groups that were reached when it was published. Who joins one of them later reads the notice, and is not counted.
create table announcement_unit (
  announcement_id text not null references announcement on delete cascade,
  group_id text not null,
  from_group text not null,
  -- Null: everybody of the group.
  roles text[],
  primary key (announcement_id, group_id)
);
create index announcement_unit_group on announcement_unit (group_id);

-- The recipients, frozen when it was published, with what they were called then.
create table announcement_reader (
  announcement_id text not null references announcement on delete cascade,
  user_id text not null,
  -- The membership by which the person was reached: read in this group only.
  group_id text not null,
  group_name text not null,
  group_type smallint not null,
  project_code text,
  project_name text,
  area_code text,
  name text not null,
  phone_mask text,
  role text not null default '',
  from_group text not null,
  above text[] not null default '{}',
  read_time timestamptz,
  receipt_time timestamptz,
  sign_file text,
  primary key (announcement_id, user_id)
);
create index announcement_reader_own on announcement_reader (user_id, group_id, announcement_id);
create index announcement_reader_counts on announcement_reader (announcement_id, group_id) include (area_code, read_time, receipt_time);

call zg_open('announcement_reader');
create policy own_receipt on announcement_reader for select to zg_some, zg_wide
  using (user_id = (select zg_setting('app.user')) and group_id = (select zg_setting('app.group')));
create policy own_signed on announcement_reader for update to zg_some, zg_wide
  using (user_id = (select zg_setting('app.user')) and group_id = (select zg_setting('app.group')));
create policy of_sender on announcement_reader to zg_some, zg_wide using (from_group = (select zg_setting('app.group')));
create policy of_above on announcement_reader for select to zg_some, zg_wide using ((select zg_setting('app.group')) = any (above));

call zg_open('announcement_unit');
create policy own_unit on announcement_unit for select to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
create policy of_sender on announcement_unit to zg_some, zg_wide using (from_group = (select zg_setting('app.group')));

call zg_open('announcement');
create policy of_sender on announcement to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));
create policy of_above on announcement for select to zg_some, zg_wide
  using (state in ('2', '3', '4') and (select zg_setting('app.group')) = any (above));
create policy of_readers on announcement for select to zg_some, zg_wide using (state in ('2', '3', '4') and (
  exists (select 1 from announcement_reader r where r.announcement_id = announcement.id and r.user_id = (select zg_setting('app.user'))
    and r.group_id = (select zg_setting('app.group')))
  or exists (select 1 from announcement_unit u where u.announcement_id = announcement.id and u.group_id = (select zg_setting('app.group')))));

call zg_open('announcement_line');
create policy of_sender on announcement_line to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));

-- The groups that lines reach, one row for each line and group. `p_reach`: what the sender reaches; nothing else is found.
create function zg_notice_units(p_sender text, p_reach text[], p_lines jsonb)
returns table (seq bigint, group_id text, group_type int, group_name text, project_code text, project_name text, area_code text, kind text, members text[], roles text[])
language sql stable security definer set search_path = public as $$
  select l.seq, t.id, t.type::int, t.name, p.project_code, p.name, coalesce(p.area_code, g.area_code, c.area_code, t.area_code), l.kind, l.members, l.roles
  from unnest(p_reach) as reach(id)
  join tenant t on t.id = reach.id and t.enable = '1'
  left join project p on t.type = 3 and p.project_code = t.code
  left join government g on t.type = 1 and g.gov_code = t.code
  left join corporation c on t.type = 2 and c.corp_code = t.code
  cross join lateral (
    select x.ordinality as seq, y.* from jsonb_array_elements(p_lines) with ordinality as x(line, ordinality),
      jsonb_to_record(x.line) as y(kind text, areas text[], groups text[], members text[], roles text[], "except" text[])
  ) l
  where case l.kind
      when 'all' then true
      when 'area' then exists (select 1 from unnest(l.areas) a
        where coalesce(p.area_code, g.area_code, c.area_code, t.area_code) like regexp_replace(a, '(00){1,2}$', '') || '%')
      when 'person' then t.id = p_sender
      else t.id = any (l.groups) end
    and not t.id = any (l."except")
$$;

-- The people of those groups, each once: by the group that each opens first, else by a site before a company before an authority.
create function zg_notice_people(p_sender text, p_reach text[], p_lines jsonb, p_day date)
returns table (user_id text, group_id text, group_name text, group_type int, project_code text, project_name text, area_code text, name text, phone_mask text, role text)
language sql stable security definer set search_path = public as $$
  with unit as materialized (select * from zg_notice_units(p_sender, p_reach, p_lines)),
  own as materialized (
    select m.id, m.user_id, m.group_id, m.is_default, u.name, u.phone_mask from member m join app_user u on u.id = m.user_id and u.enable = '1'
    where m.group_id in (select k.group_id from unit k) and m.enable = '1' and (m.deadline is null or m.deadline >= p_day)),
  called as materialized (
    select mr.member_id, array_agg(distinct r.name) as roles from member_role mr join role r on r.id = mr.role_id and r.enable = '1'
    where mr.member_id in (select o.id from own o) and mr.enable = '1' and (mr.deadline is null or mr.deadline >= p_day) group by mr.member_id)
  select distinct on (o.user_id) o.user_id, o.group_id, k.group_name, k.group_type, k.project_code, k.project_name, k.area_code, o.name, o.phone_mask,
    coalesce(array_to_string(c.roles, '、'), '')
  from unit k join own o on o.group_id = k.group_id left join called c on c.member_id = o.id
  where (k.kind <> 'person' or o.id = any (k.members)) and (k.roles = '{}' or c.roles && k.roles)
  order by o.user_id, o.is_default desc, k.group_type desc, o.group_id
$$;
revoke execute on function zg_notice_units, zg_notice_people from public;
grant execute on function zg_notice_units, zg_notice_people to zg_some, zg_wide, zg_all, zg_runtime;
