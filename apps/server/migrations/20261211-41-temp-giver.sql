-- The giver of a temporary role: the role is limited to what its giver holds now. For existing rows only the giver's name is
-- known; if no member of the group, or more than one, has that name, the role grants nothing and must be granted again.
alter table temp_role add column giver_id text references app_user on delete set null;
update temp_role x set giver_id = (
  select min(u.id) from member m join app_user u on u.id = m.user_id where m.group_id = x.group_id and u.name = x.grant_by having count(*) = 1);
