-- Expert libraries: each of one authority, serving its area.
create table expert_library (
  group_id text primary key,
  name text not null,
  area_front text not null,
  is_open boolean not null default true,
  max_age int not null default 65,
  least_years int not null default 15,
  term_years int not null default 3,
  cool_days int not null default 30,
  hide_names boolean not null default true,
  version int not null default 0,
  update_by text,
  update_time timestamptz not null default now()
);
call zg_open('expert_library');
create policy everybody_reads on expert_library for select to zg_some, zg_wide using (true);
create policy own_library on expert_library to zg_some, zg_wide using (group_id = (select zg_setting('app.group')));

-- The libraries that serve a request's group: those of its authority and of those above and below, or above the projects it takes part in.
create function zg_libraries() returns text[] language sql stable security definer set search_path = public as $$
  select coalesce(array_agg(l.group_id), '{}') from expert_library l
  where l.area_front ^@ zg_group_area() or zg_group_area() ^@ l.area_front
    or exists (select 1 from project p where p.project_code = any (zg_list('app.projects')) and p.area_code ^@ l.area_front)
$$;

create table expert (
  id text primary key,
  library_group text not null references expert_library,
  name text not null,
  gender text not null,
  birthday date not null,
  id_card_number bytea not null,
  id_card_hash text not null,
  id_card_mask text not null,
  phone bytea not null,
  phone_hash text not null,
  phone_mask text not null,
  email text,
  work_unit text not null,
  duty text,
  title text not null,
  title_major text not null,
  specialties text[] not null,
  -- Specialties asked for by a change; the old ones hold until it is decided.
  wish text[],
  degree text not null,
  graduate_school text,
  work_years int not null,
  resume text not null,
  achievements text,
  photo text,
  unit_opinion text,
  commitments text,
  applied boolean not null default false,
  -- Another file of the library has the same identity number: the clerk decides, the applicant is not told.
  twin boolean not null default false,
  written_by text not null,
  submit_time timestamptz,
  opinion text,
  valid_start date,
  valid_end date,
  score numeric(5, 1),
  grade text,
  state text not null default '0',
  version int not null default 0,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create unique index expert_number on expert (library_group, id_card_hash) where not twin;
create index expert_library_state on expert (library_group, state, name);
create index expert_phone on expert (phone_hash);
create index expert_ending on expert (valid_end) where state = '2';
call zg_open('expert');
create policy own_library on expert to zg_some, zg_wide using (library_group = (select zg_setting('app.group')));
create policy served on expert for select to zg_some, zg_wide using (state = '2' and library_group = any ((select zg_libraries())::text[]));

create table expert_cert (
  id text primary key,
  expert_id text not null references expert on delete cascade,
  seq int not null,
  name text not null,
  number text not null,
  valid_end date
);
create index expert_cert_expert on expert_cert (expert_id, seq);
call zg_by_parent('expert_cert', 'expert_id', 'expert');

-- The public application: whoever proved a phone holds a ticket; what is typed is kept sealed under the phone.
create table expert_ticket (
  token_hash text primary key,
  phone bytea not null,
  phone_hash text not null,
  uploads int not null default 0,
  expires_at timestamptz not null
);
call zg_serve('expert_ticket');
create table expert_draft (
  phone_hash text primary key,
  content bytea not null,
  update_time timestamptz not null
);
call zg_serve('expert_draft');
create table expert_upload (
  id text primary key,
  phone_hash text not null,
  create_time timestamptz not null
);
create index expert_upload_phone on expert_upload (phone_hash);
call zg_serve('expert_upload');

create table expert_draw (
  id text primary key,
  code text not null,
  library_group text not null,
  organiser_group text not null,
  organiser_name text not null,
  -- Groups that may see the names before the meeting day.
  groups text[] not null,
  about_project text references project on delete set null,
  about_name text,
  purpose text not null,
  title text not null,
  meeting_date date not null,
  half text not null check (half in ('am', 'pm')),
  place text not null,
  over_scale boolean not null,
  hide_names boolean not null,
  reply_hours int not null,
  run int not null,
  -- The first draw of the meeting; itself for that one.
  meeting text not null,
  reason text,
  candidates int not null,
  -- Accepted so far: a number, and so no secret.
  accepted int not null default 0,
  list_hash text not null,
  commitment text not null,
  frozen_at timestamptz not null,
  frozen_name text not null,
  -- From here on the names are known to all who see the draw.
  shown_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  update_by text,
  update_time timestamptz not null default now()
);
create unique index expert_draw_run on expert_draw (meeting, run);
create index expert_draw_organiser on expert_draw (organiser_group, meeting_date);
create index expert_draw_library on expert_draw (library_group, meeting_date);
create index expert_draw_project on expert_draw (about_project);
create index expert_draw_hidden on expert_draw (meeting_date) where shown_at is null;
call zg_open('expert_draw');
create policy of_parties on expert_draw to zg_some, zg_wide using (
  (select zg_setting('app.group')) in (organiser_group, library_group));
create policy of_project on expert_draw for select to zg_some, zg_wide using (
  about_project = any ((select zg_list('app.projects'))::text[]) and about_project <> all ((select zg_list('app.limited'))::text[]));

create table expert_draw_quota (
  draw_id text not null references expert_draw on delete cascade,
  seq int not null,
  specialty text not null,
  seats int not null,
  candidates int not null,
  primary key (draw_id, seq)
);
call zg_by_parent('expert_draw_quota', 'draw_id', 'expert_draw');

create table expert_draw_recusal (
  draw_id text not null references expert_draw on delete cascade,
  expert_id text not null references expert,
  expert_name text not null,
  work_unit text not null,
  reason text not null,
  manual boolean not null,
  primary key (draw_id, expert_id)
);
call zg_by_parent('expert_draw_recusal', 'draw_id', 'expert_draw');

create table expert_draw_seat (
  id text primary key,
  draw_id text not null references expert_draw on delete cascade,
  groups text[] not null,
  shown_at timestamptz,
  specialty text not null,
  rank int not null,
  expert_id text not null references expert,
  expert_name text not null,
  work_unit text not null,
  phone_mask text not null,
  reply text not null check (reply in ('invited', 'accepted', 'refused', 'silent', 'standby', 'passed')),
  note text,
  meeting_date date not null,
  half text not null,
  due_at timestamptz,
  reply_at timestamptz,
  reply_by text
);
create unique index expert_draw_seat_rank on expert_draw_seat (draw_id, specialty, rank);
create index expert_draw_seat_day on expert_draw_seat (expert_id, meeting_date);
create index expert_draw_seat_due on expert_draw_seat (due_at) where reply = 'invited';
call zg_open('expert_draw_seat');
create policy of_groups on expert_draw_seat to zg_some, zg_wide using ((select zg_setting('app.group')) = any (groups));
create policy shown on expert_draw_seat for select to zg_some, zg_wide using (
  shown_at is not null and exists (select 1 from expert_draw d where d.id = draw_id));
create policy drawn on expert_draw_seat for insert to zg_some, zg_wide with check (
  exists (select 1 from expert_draw d where d.id = draw_id and d.organiser_group = (select zg_setting('app.group'))));

create table expert_activity (
  id text primary key,
  code text not null,
  library_group text not null,
  organiser_group text not null,
  organiser_name text not null,
  groups text[] not null,
  shown_at timestamptz,
  about_project text references project on delete set null,
  about_name text,
  draw_id text references expert_draw,
  no_draw_reason text,
  activity_type text not null,
  title text not null,
  date date not null,
  half text not null check (half in ('am', 'pm')),
  place text not null,
  content text not null,
  over_scale boolean not null,
  result text,
  conclusion text,
  report text,
  state text not null default '1',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index expert_activity_organiser on expert_activity (organiser_group, date);
create index expert_activity_library on expert_activity (library_group, date);
create index expert_activity_project on expert_activity (about_project);
create unique index expert_activity_draw on expert_activity (draw_id) where state <> '5';
call zg_open('expert_activity');
create policy of_parties on expert_activity to zg_some, zg_wide using (
  (select zg_setting('app.group')) in (organiser_group, library_group));
create policy of_project on expert_activity for select to zg_some, zg_wide using (
  about_project = any ((select zg_list('app.projects'))::text[]) and about_project <> all ((select zg_list('app.limited'))::text[]));

create table expert_activity_seat (
  id text primary key,
  activity_id text not null references expert_activity on delete cascade,
  groups text[] not null,
  shown_at timestamptz,
  expert_id text not null references expert,
  expert_name text not null,
  work_unit text not null,
  phone_hash text not null,
  role text not null,
  date date not null,
  half text not null,
  -- False when the activity was cancelled: the half day is free again.
  held boolean not null default true,
  sign_at timestamptz,
  fee_cents int
);
create unique index expert_activity_seat_expert on expert_activity_seat (activity_id, expert_id);
create index expert_activity_seat_day on expert_activity_seat (expert_id, date);
call zg_open('expert_activity_seat');
create policy of_groups on expert_activity_seat to zg_some, zg_wide using ((select zg_setting('app.group')) = any (groups));
create policy shown on expert_activity_seat for select to zg_some, zg_wide using (
  shown_at is not null and exists (select 1 from expert_activity a where a.id = activity_id));

create table expert_trip (
  id text primary key,
  library_group text not null,
  expert_id text not null references expert,
  expert_name text not null,
  activity_type text not null,
  inviter text not null,
  destination text not null,
  start_date date not null,
  end_date date not null,
  payer text not null,
  content text not null,
  report text,
  photos text[] not null default '{}',
  report_at timestamptz,
  opinion text,
  writer_id text not null,
  writer_name text not null,
  state text not null default '0',
  version int not null default 0,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  check (end_date >= start_date)
);
create index expert_trip_library on expert_trip (library_group, start_date);
create index expert_trip_expert on expert_trip (expert_id, start_date);
call zg_by_group('expert_trip', 'library_group');

create table expert_score (
  id text primary key,
  seat_id text not null unique references expert_activity_seat,
  activity_id text not null references expert_activity,
  expert_id text not null references expert,
  library_group text not null,
  organiser_group text not null,
  organiser_name text not null,
  year int not null,
  presence int not null,
  skill int not null,
  opinion int not null,
  fairness int not null,
  discipline int not null,
  total int not null,
  sentence text,
  by_id text not null,
  by_name text not null,
  at timestamptz not null
);
create index expert_score_expert on expert_score (expert_id, year);
create index expert_score_year on expert_score (library_group, year);
call zg_open('expert_score');
create policy of_parties on expert_score to zg_some, zg_wide using ((select zg_setting('app.group')) in (organiser_group, library_group));

-- A correction keeps the value before it.
create table expert_score_change (
  id text primary key,
  score_id text not null references expert_score on delete cascade,
  before int not null,
  after int not null,
  reason text not null,
  by_id text not null,
  by_name text not null,
  at timestamptz not null
);
create index expert_score_change_score on expert_score_change (score_id, at);
call zg_by_parent('expert_score_change', 'score_id', 'expert_score');

create table expert_year (
  library_group text not null,
  year int not null,
  expert_id text not null references expert,
  times int not null,
  mean_score numeric(5, 1),
  score numeric(5, 1),
  grade text,
  frozen_at timestamptz not null,
  frozen_by text not null,
  primary key (library_group, year, expert_id)
);
call zg_by_group('expert_year', 'library_group');

create table expert_appeal (
  id text primary key,
  library_group text not null,
  expert_id text not null references expert,
  year int not null,
  text text not null,
  by_name text not null,
  at timestamptz not null
);
create index expert_appeal_expert on expert_appeal (expert_id, year);
call zg_by_group('expert_appeal', 'library_group');

-- Who of these experts is taken in a half day, or away, or was drawn shortly before: across all organisers, as no request may see.
create function zg_expert_taken(p_experts text[], p_day date, p_half text, p_cool int)
returns table (expert_id text, why text) language sql stable security definer set search_path = public as $$
  select s.expert_id, 'busy' from expert_draw_seat s join expert_draw d on d.id = s.draw_id
    where s.expert_id = any (p_experts) and s.meeting_date = p_day and s.half = p_half and s.reply in ('invited', 'accepted') and d.state <> '3'
  union select s.expert_id, 'busy' from expert_activity_seat s
    where s.expert_id = any (p_experts) and s.date = p_day and s.half = p_half and s.held
  union select t.expert_id, 'busy' from expert_trip t
    where t.expert_id = any (p_experts) and p_day between t.start_date and t.end_date and t.state = '1'
  union select s.expert_id, 'cooling' from expert_draw_seat s join expert_draw d on d.id = s.draw_id
    where s.expert_id = any (p_experts) and p_cool > 0 and s.reply = 'accepted' and d.state <> '3'
      and s.meeting_date between p_day - p_cool and p_day + p_cool
$$;

-- Whether a library has settled a year: organisers do not see the settlement, but score no more then.
create function zg_expert_settled(p_library text, p_year int) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select 1 from expert_year where library_group = p_library and year = p_year)
$$;
