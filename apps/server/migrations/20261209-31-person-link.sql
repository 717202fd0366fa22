-- Who employs somebody at a site: the site, and the companies that take part in it.
create function zg_employs(p_type int, p_code text, p_project text) returns boolean language sql stable security definer set search_path = public as $$
  select (p_type = 3 and p_code = p_project)
    or (p_type = 2 and exists (select 1 from project_corp c where c.project_code = p_project and c.corp_code = p_code))
$$;

-- An account stands for a person no longer once those who have the account have let him go: whoever made it can log in with it. He proves himself
-- anew, with whatever account, by the phone in his file, which they may not write any more.
create function zg_link_ended(p_user text, p_worker text) returns boolean language sql stable security definer set search_path = public as $$
  select coalesce(bool_and(s.exit_time is not null), false)
  from project_worker s where s.worker_id = p_worker
    and exists (select 1 from member m join tenant t on t.id = m.group_id where m.user_id = p_user and zg_employs(t.type, t.code, s.project_code))
$$;

create function zg_links_end() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update app_user u set worker_id = null where u.worker_id = new.worker_id and zg_link_ended(u.id, new.worker_id);
  return null;
end $$;
create trigger links_end after update of exit_time on project_worker for each row
  when (old.exit_time is null and new.exit_time is not null) execute function zg_links_end();

-- Links of before that would have ended by now.
update app_user u set worker_id = null where u.worker_id is not null and zg_link_ended(u.id, u.worker_id);
