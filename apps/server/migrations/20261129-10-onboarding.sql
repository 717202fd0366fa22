-- Onboarding: how far a site is set up, who sees to it; administrators invited by one-time links; groups and sites from a workbook.

-- What people say beside what the data tell: who does a step until when, and why one does not apply. Step `whole` is the site's onboarding.
create table project_onboarding (
  project_code text not null references project on delete cascade,
  step text not null,
  assignee_id text references app_user on delete set null,
  assignee_name text,
  due_day date,
  note text not null default '',
  -- Why the step does not apply.
  not_needed text,
  update_time timestamptz not null,
  update_by text not null,
  version int not null default 1,
  primary key (project_code, step)
);
call zg_by_project('project_onboarding');

-- What somebody keeps in front for himself.
create table project_mark (
  user_id text not null references app_user on delete cascade,
  project_code text not null references project on delete cascade,
  starred boolean not null default false,
  entered_at timestamptz,
  primary key (user_id, project_code)
);
call zg_open('project_mark');
create policy own_marks on project_mark to zg_some, zg_wide
  using (user_id = (select zg_setting('app.user'))) with check (user_id = (select zg_setting('app.user')));

-- The one time somebody may make himself administrator of a group. The link is known by its hash alone.
create table admin_link (
  id text primary key,
  -- For which group, and which group gave it out.
  group_id text not null references tenant on delete cascade,
  by_group text not null references tenant on delete cascade,
  token_hash text not null unique,
  -- Counts up with each new link; the old one opens nothing any more.
  turn int not null default 0,
  name text not null,
  phone bytea,
  phone_mask text,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by text references app_user on delete set null,
  revoked_at timestamptz,
  opening_id text,
  create_time timestamptz not null,
  create_by text not null,
  -- Who gave it out last: a link opens nothing once he works for the group no more.
  giver_id text references app_user on delete set null,
  update_time timestamptz,
  version int not null default 0,
  check (used_at is null or revoked_at is null)
);
create index admin_link_list on admin_link (by_group, create_time desc);
create index admin_link_group on admin_link (group_id) where used_at is null and revoked_at is null;
call zg_by_group('admin_link', 'by_group');

-- Groups and sites from a workbook, row by row.
create table opening (
  id text primary key,
  group_id text not null references tenant on delete cascade,
  kind text not null check (kind in ('district', 'company', 'site')),
  -- The package by kind of group; a kind that is not named gets what its kind begins with.
  packages jsonb not null default '{}',
  link_days int not null,
  file_name text not null,
  -- 0 looked through, 1 running, 2 done, 3 done in part
  state text not null default '0' check (state in ('0', '1', '2', '3')),
  total int not null,
  create_time timestamptz not null,
  create_by text not null,
  create_name text not null,
  update_time timestamptz not null,
  version int not null default 0
);
create index opening_list on opening (group_id, create_time desc);
call zg_by_group('opening');
create table opening_row (
  opening_id text not null references opening on delete cascade,
  -- Groups before sites, in the order of the sheets.
  row_no int not null,
  sheet text not null check (sheet in ('groups', 'sites')),
  line int not null,
  -- As typed, sealed: telephone numbers stand in them.
  cells bytea not null,
  name text not null,
  issues jsonb not null default '[]',
  state text not null default 'ready' check (state in ('faulty', 'ready', 'done', 'failed')),
  message text not null default '',
  -- What came of it: the code of the body, company or project, and its link.
  code text,
  link_id text references admin_link on delete set null,
  primary key (opening_id, row_no)
);
call zg_by_parent('opening_row', 'opening_id', 'opening');

-- What the data tell of how far sites are set up; of those in sight alone. Owner's rights: accounts and links of a site are seen from
-- inside it, and every viewer shall be told the same. Read by the list of onboarding, its figures, its export and its detail.
create function zg_onboarding_facts(p_codes text[]) returns table (
  project_code text, created timestamptz, placed boolean, supervised boolean, licences int, parties jsonb,
  group_enabled boolean, members int, administrators int, first_member timestamptz, last_login timestamptz, link_until timestamptz,
  gates int, gate_since timestamptz, gate_heard timestamptz, gate_clock_ms double precision, gate_quarantine text,
  people int, first_passage timestamptz, last_passage timestamptz,
  devices int, devices_online int, device_since timestamptz, device_heard timestamptz, upper_code text
) language sql stable security definer set search_path = public, pg_temp as $$
  select p.project_code, p.create_time, p.lng <> 0 and p.lat <> 0, p.supervise_org is not null, jsonb_array_length(p.builder_licenses), coalesce(c.list, '[]'),
    coalesce(g.enable = '1', false), coalesce(m.members, 0), coalesce(m.administrators, 0), m.first_member, m.last_login, l.link_until,
    coalesce(d.gates, 0), d.gate_since, greatest(d.gate_heard, e.received_at), coalesce(e.clock_offset_ms, extract(epoch from e.received_at - e.time) * 1000)::double precision, e.quarantine,
    coalesce(w.people, 0), f.time, n.time,
    coalesce(d.devices, 0), coalesce(d.devices_online, 0), d.device_since, d.device_heard, p.third_party_project_code
  from project p
    left join tenant g on g.type = 3 and g.code = p.project_code
    left join lateral (
      select jsonb_agg(jsonb_build_object('type', u.corp_type, 'code', u.corp_code, 'name', o.corp_name, 'at', u.create_time) order by u.corp_type, u.create_time) as list
      from project_corp u join corporation o on o.corp_code = u.corp_code
      where u.project_code = p.project_code and u.exit_time is null and u.corp_type in ('007', '008', '009', '010', '011')) c on true
    left join lateral (
      select count(distinct b.id)::int as members, min(b.create_time) as first_member, max(u.last_login_at) as last_login,
        (count(distinct b.id) filter (where r.administrator))::int as administrators
      from member b join app_user u on u.id = b.user_id and u.enable = '1'
        left join member_role mr on mr.member_id = b.id and mr.enable = '1' and (mr.deadline is null or mr.deadline >= current_date) left join role r on r.id = mr.role_id
      where b.group_id = g.id and b.enable = '1' and (b.deadline is null or b.deadline >= current_date)) m on true
    left join lateral (
      select max(k.expires_at) as link_until from admin_link k where k.group_id = g.id and k.used_at is null and k.revoked_at is null) l on true
    left join lateral (
      select (count(*) filter (where v.family = 'faceGate'))::int as gates, min(v.create_time) filter (where v.family = 'faceGate') as gate_since,
        max(t.received_at) filter (where v.family = 'faceGate') as gate_heard, (count(*) filter (where v.family <> 'faceGate'))::int as devices,
        (count(*) filter (where v.family <> 'faceGate' and t.online))::int as devices_online, min(v.create_time) filter (where v.family <> 'faceGate') as device_since,
        max(t.received_at) filter (where v.family <> 'faceGate') as device_heard
      from device v left join device_latest t on t.device_id = v.id where v.project_code = p.project_code and v.status = '1') d on true
    left join lateral (
      select count(distinct s.worker_id)::int as people from project_worker s where s.project_code = p.project_code and s.exit_time is null) w on true
    left join lateral (
      select x.time, x.received_at, x.clock_offset_ms, x.quarantine from attendance_event x where x.project_code = p.project_code order by x.time desc limit 1) e on true
    left join lateral (
      select x.time from attendance_event x where x.project_code = p.project_code and x.quarantine is null order by x.time desc limit 1) n on true
    left join lateral (
      select x.time from attendance_event x where x.project_code = p.project_code and x.quarantine is null order by x.time limit 1) f on true
  where (p_codes is null or p.project_code = any (p_codes))
    and (not zg_in_request() or zg_is_platform() or p.project_code in (select unnest(zg_list('app.projects'))))
$$;

-- The groups that the asker has given links for, with their names: a new group is seen from inside it alone.
create function zg_link_groups() returns table (id text, type smallint, name text) language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.type, t.name from tenant t
  where not zg_in_request() or zg_is_platform() or exists (select 1 from admin_link l where l.group_id = t.id and l.by_group = zg_setting('app.group'))
$$;
