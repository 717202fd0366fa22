-- What somebody found when he looked into a doubtful weighing, and what it came to. Each look is kept; the newest holds.
create table weigh_check (
  id text primary key,
  project_code text not null references project on delete cascade,
  device_id text not null references device on delete cascade,
  ts timestamptz not null,
  record_id text not null,
  outcome text not null check (outcome in ('short', 'wrong', 'reweighed')),
  -- Of a short delivery: tonnes that were missing, yuan a tonne, and what is taken off.
  short_weight double precision,
  unit_price numeric(10, 2) check (unit_price > 0),
  amount numeric(14, 2),
  -- The ticket of the weighing that was made again, and what it came to.
  again_key text,
  again_weight double precision,
  reason text not null,
  by_name text not null,
  create_time timestamptz not null,
  check ((outcome = 'short') = (amount is not null)),
  check ((outcome = 'reweighed') = (again_key is not null))
);
create index weigh_check_of on weigh_check (device_id, ts, record_id);
create index weigh_check_project on weigh_check (project_code, create_time desc);
call zg_by_project('weigh_check');
