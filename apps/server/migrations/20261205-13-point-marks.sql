-- A measuring point is damaged, replaced or set to zero. What its next readings mean by that stands with the device, where the ingest reads it;
-- who did it, when and why stands here.
alter table device add column points jsonb not null default '{}';
drop trigger tell_device on device;
create trigger tell_device after insert or delete
  or update of project_code, name, device_sn, family, access, protocol, access_key, access_secret, gateway_id, params, interval_seconds, status, points
  on device for each row execute function tell_ingest();

create table point_change (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  family text not null,
  point_code text not null,
  kind text not null check (kind in ('damaged', 'replaced', 'zeroed')),
  at timestamptz not null,
  reason text not null default '',
  -- What the point stood at, and what is counted from.
  value double precision,
  initial double precision,
  files text[] not null default '{}',
  by_name text not null
);
create index point_change_point on point_change (device_id, point_code, at desc);
create index point_change_project on point_change (project_code, family, at desc);
call zg_by_project('point_change');
