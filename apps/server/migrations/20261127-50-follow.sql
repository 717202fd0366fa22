-- Whom an app reaches is decided by departments, posts and the units of a site as well (app_range): what they stand on counts a group's rights on.
create trigger rights_follow after insert or update or delete on org_member for each row execute function zg_follow_member();

create function zg_follow_node() returns trigger language plpgsql as $$
begin
  perform zg_rights_changed(group_id) from (select distinct m.group_id from org_member o join member m on m.id = o.member_id) x;
  return null;
end $$;
create trigger rights_follow after update of parent_id on org_node for each statement execute function zg_follow_node();

create function zg_follow_unit() returns trigger language plpgsql as $$
begin
  perform zg_rights_changed(t.id) from tenant t where t.type = 3 and t.code = case when tg_op = 'DELETE' then old.project_code else new.project_code end;
  return null;
end $$;
create trigger rights_follow after insert or delete or update of exit_time on project_corp for each row execute function zg_follow_unit();

-- Whoever sees an item is told which group asks, whether or not that group is his to see.
create function work_asker(p_item text) returns text language sql stable security definer set search_path = public as $$
  select t.name from work_item i join tenant t on t.id = i.applicant_group where i.id = p_item
$$;
