-- Legal files of hoisting machines (建设部令第166号): one machine by its record number, and its stay on each site.
create table special_machine (
  id text primary key,
  -- 产权备案编号: one machine across all sites.
  record_no text,
  device_type text not null,
  name text not null,
  model text not null,
  manufacture_no text not null,
  manufacturer text not null,
  manufacture_date date not null,
  owner_corp text not null,
  rated_moment numeric(12, 2),
  hoist_class text check (hoist_class in ('SC', 'SS')),
  -- The age limit in years and the day on which it is reached, by type, moment and class.
  age_limit int,
  retire_date date,
  appraised_until date,
  appraisal_files text[] not null default '{}',
  create_group text not null,
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create unique index special_machine_record on special_machine (record_no) where record_no is not null;

create table machine_stay (
  id text primary key,
  machine_id text not null references special_machine,
  project_code text not null references project on delete cascade,
  -- The company that uses the machine.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  position text not null,
  maintain_corp text not null,
  install_corp text references corporation,
  install_date date,
  max_height numeric(8, 2),
  inspect_org text,
  inspect_date date,
  inspect_report text[] not null default '{}',
  accept_date date,
  use_reg_no text,
  use_reg_date date,
  next_inspect_date date,
  -- hand: by an officer; check: an inspection; alarm: telemetry.
  suspend_kind text check (suspend_kind in ('hand', 'check', 'alarm')),
  suspend_reason text,
  dismantle_corp text references corporation,
  -- The state before the dismantling was noticed, to which a returned notice goes back.
  before_dismantle text,
  -- When the authority confirmed the present stage; null while it has not.
  confirmed_at timestamptz,
  -- The telemetry device that watches it.
  device_id text references device on delete set null,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index machine_stay_project on machine_stay (project_code, state);
-- A machine stands on one site.
create unique index machine_stay_open on machine_stay (machine_id) where state <> '9';
create index machine_stay_machine on machine_stay (machine_id, create_time);
create unique index machine_stay_device on machine_stay (device_id) where device_id is not null and state <> '9';
call zg_by_project('machine_stay', 'project_code', 'corp_code');
call zg_until_shown('machine_stay');

-- Whether a machine has ever stood on a site; asked beyond what the caller sees.
create function zg_machine_stays(p_machine text) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select 1 from machine_stay s where s.machine_id = p_machine)
$$;

call zg_open('special_machine');
create policy of_stays on special_machine for select to zg_some, zg_wide using (
  create_group = (select zg_setting('app.group')) or exists (select 1 from machine_stay s where s.machine_id = special_machine.id));
create policy stands_here on special_machine to zg_some, zg_wide using (
  exists (select 1 from machine_stay s where s.machine_id = special_machine.id and s.state <> '9')
  or create_group = (select zg_setting('app.group')) and not zg_machine_stays(id));

-- What was done at each stage: date, unit, papers and person.
create table machine_stage (
  id text primary key,
  stay_id text not null references machine_stay on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  stage text not null,
  date date,
  unit text,
  files text[] not null default '{}',
  note text,
  by_name text not null,
  at timestamptz not null
);
create index machine_stage_stay on machine_stage (stay_id, at);
call zg_by_project('machine_stage', 'project_code', 'corp_code');
call zg_until_shown('machine_stage');

-- Operators and installers, by the worker whose certificate counts.
create table machine_person (
  id text primary key,
  stay_id text not null references machine_stay on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  kind text not null check (kind in ('operator', 'installer')),
  seq int not null,
  worker_id text not null references worker
);
create unique index machine_person_of on machine_person (stay_id, kind, worker_id);
call zg_by_project('machine_person', 'project_code', 'corp_code');
call zg_until_shown('machine_person');

-- A machine by its record number for whoever knows the number, and whether it stands on a site: neither which nor whose.
create function zg_machine_by_record(p_record text)
returns table (id text, device_type text, name text, model text, manufacturer text, manufacture_date date, owner_corp text, busy boolean)
language sql stable security definer set search_path = public as $$
  select m.id, m.device_type, m.name, m.model, m.manufacturer, m.manufacture_date, m.owner_corp,
    exists (select 1 from machine_stay s where s.machine_id = m.id and s.state <> '9')
  from special_machine m where m.record_no = p_record
$$;

-- The crew of a machine with the last day of the certificate that fits it (dictionary specialCertType: 04 operators, 05 installers), for whoever
-- sees the site: a person may belong to a company whose people the caller does not see otherwise.
create function zg_machine_crew(p_stay text, p_kind text)
returns table (worker_id text, name text, cert_no text, ends date) language sql stable security definer set search_path = public as $$
  select p.worker_id, w.name, c.cert_no, c.ends
  from machine_person p join machine_stay s on s.id = p.stay_id join special_machine m on m.id = s.machine_id join worker w on w.id = p.worker_id
  left join lateral (
    select k.cert_no, coalesce(k.valid_end, '9999-12-31'::date) as ends from worker_cert k
    where k.worker_id = p.worker_id and k.status = '1' and k.audit_status = '1'
      and left(k.special_type, 2) = case p_kind when 'operator' then '04' else '05' end
      and (length(k.special_type) = 2 or m.device_type not in ('1', '2', '3') or right(k.special_type, 1) = m.device_type)
    order by ends desc limit 1) c on true
  where p.stay_id = p_stay and p.kind = p_kind
    and (s.project_code = any (zg_list('app.projects')) or current_setting('role') not in ('zg_some', 'zg_wide'))
  order by p.seq
$$;

-- Whether a company may install hoisting machines on a day: 起重设备安装工程专业承包 that is neither cancelled nor over.
create function zg_lift_licence(p_corp text, p_day date) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select 1 from corp_qualification q where q.corp_code = p_corp and q.trade_bound_num = '71402002' and q.status in ('001', '004')
    and p_day between q.organ_date and q.end_date)
$$;
