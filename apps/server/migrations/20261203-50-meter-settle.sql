-- What a site pays for current and water, from a month on, and its months as they were settled: what is settled never changes.
create table meter_price (
  id text primary key,
  project_code text not null references project on delete cascade,
  kind text not null check (kind in ('electric', 'water')),
  from_month text not null check (from_month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  -- Yuan per kWh or cubic metre. Peak and valley where the meter counts them by themselves.
  price numeric(10, 4) not null check (price > 0),
  peak_price numeric(10, 4) check (peak_price > 0),
  valley_price numeric(10, 4) check (valley_price > 0),
  create_by text not null,
  create_time timestamptz not null,
  unique (project_code, kind, from_month),
  check ((peak_price is null) = (valley_price is null)),
  check (kind = 'electric' or peak_price is null)
);
call zg_by_project('meter_price');

create table meter_month (
  id text primary key,
  project_code text not null references project on delete cascade,
  kind text not null check (kind in ('electric', 'water')),
  month text not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  total_usage double precision not null,
  loss_percent double precision,
  amount numeric(14, 2),
  price numeric(10, 4),
  peak_price numeric(10, 4),
  valley_price numeric(10, 4),
  -- The meters as the sheet names them, [{deviceId, deviceName, area, corpName, …}], and who signed for his unit.
  rows jsonb not null,
  signed jsonb not null default '[]',
  version int not null default 0,
  close_by text not null,
  close_time timestamptz not null,
  unique (project_code, kind, month)
);
call zg_by_project('meter_month');
