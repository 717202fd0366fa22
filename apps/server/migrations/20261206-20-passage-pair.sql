-- Which way in and which way out belong together, as people say: joined where a plate was misread, parted where the same plate was read of two
-- vehicles. What nobody says is paired by its plate. What was undone stays, with who and why.
create table passage_pair (
  id text primary key,
  project_code text not null references project on delete cascade,
  kind text not null check (kind in ('joined', 'parted')),
  in_device text not null references device on delete cascade,
  in_ts timestamptz not null,
  in_id text not null,
  out_device text not null references device on delete cascade,
  out_ts timestamptz not null,
  out_id text not null,
  reason text not null check (length(reason) > 0),
  by_name text not null,
  at timestamptz not null,
  undone_at timestamptz,
  undone_by text,
  undone_reason text,
  check (out_ts > in_ts),
  check ((undone_at is null) = (undone_by is null) and (undone_at is null) = (undone_reason is null))
);
-- A vehicle comes in once before it goes out once.
create unique index passage_pair_in on passage_pair (in_device, in_ts, in_id) where kind = 'joined' and undone_at is null;
create unique index passage_pair_out on passage_pair (out_device, out_ts, out_id) where kind = 'joined' and undone_at is null;
create unique index passage_pair_parted on passage_pair (out_device, out_ts, out_id, in_device, in_ts, in_id) where kind = 'parted' and undone_at is null;
create index passage_pair_of_project on passage_pair (project_code, at desc);
call zg_by_project('passage_pair');
