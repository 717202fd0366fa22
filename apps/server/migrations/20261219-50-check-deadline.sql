-- The deadline of a check: the earliest of its notices that run; of all its problems when none does. Stored, so that lists of a million
-- checks are sorted and counted by lateness without reading the notices of each.
alter table site_check add column deadline date;

create function zg_deadline_of_check(kind text, id text) returns date language sql stable as $$
  select coalesce(
    (select min(r.deadline) from rectify r where r.source_kind = $1 and r.source_id = $2 and r.state = any ('{1,2,3,4,5,6}')),
    (select min(p.deadline) from site_check_problem p where p.check_id = $2))
$$;
update site_check set deadline = zg_deadline_of_check(kind, id);

-- Whoever moves a notice may not see the check (a subcontractor), so both follow here.
create or replace function zg_check_state() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update site_check c set deadline = zg_deadline_of_check(c.kind, c.id),
    state = case when c.state = '0' then '0' else coalesce((
      select r.state from rectify r where r.source_kind = new.source_kind and r.source_id = new.source_id and r.state <> '8'
      order by array_position(array['0', '1', '2', '3', '6', '4', '5', '7'], r.state) limit 1), '7') end
  where c.id = new.source_id and c.kind = new.source_kind;
  return null;
end $$;
drop trigger check_state on rectify;
create trigger check_state after update of state, deadline, source_id on rectify for each row
  when (new.source_id is not null
    and (new.state, new.deadline, new.source_id) is distinct from (old.state, old.deadline, old.source_id))
  execute function zg_check_state();
create function zg_check_deadline() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update site_check c set deadline = zg_deadline_of_check(c.kind, c.id) where c.id = new.source_id and c.kind = new.source_kind;
  return null;
end $$;
create trigger check_deadline after insert on rectify for each row when (new.source_id is not null) execute function zg_check_deadline();

create function zg_problem_deadlines() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update site_check c set deadline = zg_deadline_of_check(c.kind, c.id) where c.id in (select check_id from changed);
  return null;
end $$;
create trigger problems_written after insert on site_check_problem referencing new table as changed
  for each statement execute function zg_problem_deadlines();
create trigger problems_removed after delete on site_check_problem referencing old table as changed
  for each statement execute function zg_problem_deadlines();

create index site_check_running on site_check (project_code, deadline) where state = any ('{1,2,3,4,5,6}');
create index site_check_time on site_check (kind, check_time desc);
