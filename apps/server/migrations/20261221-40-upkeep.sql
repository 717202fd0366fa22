-- Checks and maintenance of hoisting machines. A check is a row of site_check with what a machine adds; the machine is machine_stay.

-- 报废: the machine is not used again, on whatever site.
alter table special_machine add column scrapped_at timestamptz;

create table device_inspect (
  check_id text primary key references site_check on delete cascade,
  project_code text not null references project on delete cascade,
  -- The company that uses the machine.
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  stay_id text not null references machine_stay on delete cascade,
  -- As on that day: whoever answers for a defect may not see the machine itself.
  machine_name text not null,
  device_type text not null,
  -- Dictionary deviceInspectType.
  type text not null,
  day date not null,
  check_org text not null,
  -- [{code, group, name, result, note, photos}], as the list read on that day.
  items jsonb not null,
  fail_items text[] not null default '{}',
  -- Dictionary deviceInspectResult.
  result text not null,
  next_date date,
  reports text[] not null default '{}',
  -- Since when the machine stands still because of this check, and when it was released; both null: it was never stopped.
  suspended_at timestamptz,
  released_at timestamptz,
  constraint device_inspect_released check (released_at is null or suspended_at is not null)
);
create index device_inspect_stay on device_inspect (stay_id, type, day desc);
create index device_inspect_project on device_inspect (project_code, day desc);
create index device_inspect_stopped on device_inspect (stay_id) where suspended_at is not null and released_at is null;
call zg_by_project('device_inspect', 'project_code', 'corp_code');
call zg_until_shown('device_inspect');

-- One job of maintenance or repair: work done, not judged. Never changed; a correction is a further row.
create table device_maintain (
  id text primary key,
  code text not null,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  stay_id text not null references machine_stay on delete cascade,
  machine_name text not null,
  device_type text not null,
  -- Dictionary deviceMaintainType.
  type text not null,
  maintain_date date not null,
  start_at timestamptz,
  end_at timestamptz,
  maintain_corp text not null,
  -- [{workerId, name, certNo, certEnd, verified}]
  maintainers jsonb not null,
  content text not null,
  -- [{name, model, number, count, certificates}]
  parts jsonb not null default '[]',
  result text not null,
  next_date date,
  photos text[] not null default '{}',
  acceptor text not null,
  corrects text references device_maintain,
  -- The notice whose reply it was written from, and the round of it.
  rectify_id text references rectify on delete set null,
  round int,
  state text not null default 'done',
  version int not null default 0,
  create_by text not null,
  create_name text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index device_maintain_stay on device_maintain (stay_id, maintain_date desc);
create index device_maintain_project on device_maintain (project_code, maintain_date desc);
create unique index device_maintain_code on device_maintain (project_code, code);
create unique index device_maintain_correction on device_maintain (corrects) where corrects is not null;
create unique index device_maintain_reply on device_maintain (rectify_id, round) where rectify_id is not null;
call zg_by_project('device_maintain', 'project_code', 'corp_code');
call zg_until_shown('device_maintain');

-- A machine by its record number, and whether it may be brought to another site.
drop function zg_machine_by_record(text);
create function zg_machine_by_record(p_record text)
returns table (id text, device_type text, name text, model text, manufacturer text, manufacture_date date, owner_corp text, busy boolean,
  scrapped boolean)
language sql stable security definer set search_path = public as $$
  select m.id, m.device_type, m.name, m.model, m.manufacturer, m.manufacture_date, m.owner_corp,
    exists (select 1 from machine_stay s where s.machine_id = m.id and s.state <> '9'), m.scrapped_at is not null
  from special_machine m where m.record_no = p_record
$$;

-- Certificates of special work of the people of a site, for whoever sees the site: maintenance names people of several companies.
create function zg_site_certificates(p_project text)
returns table (worker_id text, name text, cert_name text, cert_no text, ends date) language sql stable security definer set search_path = public as $$
  select distinct on (w.name, w.id, c.name) w.id, w.name, c.name, c.cert_no, c.valid_end
  from project_worker p join worker w on w.id = p.worker_id join worker_cert c on c.worker_id = w.id and c.special_type is not null
    and c.status = '1' and c.audit_status = '1'
  where p.project_code = p_project and p.exit_time is null
    -- A subcontractor is shown its own people.
    and (p_project <> all ((select zg_list('app.limited'))::text[]) or p.corp_code = any ((select zg_list('app.corps'))::text[]))
    and (p_project = any (zg_list('app.projects')) or current_setting('role') not in ('zg_some', 'zg_wide'))
  order by w.name, w.id, c.name, c.valid_end desc nulls first
$$;
