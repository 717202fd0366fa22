-- Papers that travel down from level to level and come back up. Each level knows its own branch: whom it has a paper from, and whom it sent it to.
create table travel_paper (
  id text primary key,
  title text not null,
  requirement text not null check (requirement in ('1', '2', '3')),
  content text,
  required text[] not null default '{}',
  deadline date,
  files text[] not null default '{}',
  from_group text not null,
  from_name text not null,
  by_id text not null,
  issue_time timestamptz not null
);
create index travel_paper_issuer on travel_paper (from_group, issue_time desc);

create table travel_stop (
  id text primary key,
  paper_id text not null references travel_paper on delete cascade,
  from_group text not null,
  from_name text not null,
  to_group text not null,
  to_name text not null,
  to_type smallint not null,
  -- Every group above the recipient on the way of the paper: they see how far it has come, and no submission but those made to them.
  above text[] not null,
  remark text,
  deadline date,
  state text not null default '0',
  read_at timestamptz,
  urged_at timestamptz,
  version int not null default 0,
  update_by text,
  update_time timestamptz not null,
  unique (paper_id, to_group)
);
create index travel_stop_recipient on travel_stop (to_group, state);
create index travel_stop_above on travel_stop using gin (above);

create table travel_round (
  stop_id text not null references travel_stop on delete cascade,
  no int not null,
  files text[] not null,
  note text,
  by_name text not null,
  at timestamptz not null,
  passed boolean,
  opinion text,
  primary key (stop_id, no)
);

call zg_open('travel_stop');
create policy of_branch on travel_stop to zg_some, zg_wide
  using (to_group = (select zg_setting('app.group')) or (select zg_setting('app.group')) = any (above));
call zg_open('travel_paper');
create policy of_way on travel_paper to zg_some, zg_wide using (
  from_group = (select zg_setting('app.group')) or exists (select 1 from travel_stop s where s.paper_id = travel_paper.id));
call zg_open('travel_round');
create policy of_both_ends on travel_round to zg_some, zg_wide using (exists (select 1 from travel_stop s where s.id = travel_round.stop_id
  and (s.to_group = (select zg_setting('app.group')) or s.from_group = (select zg_setting('app.group')))));
