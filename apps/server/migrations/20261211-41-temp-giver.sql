-- Whoever gave a temporary role: what he has lost since, the people he gave it to have lost with him. Of those given before only the
-- name is known; where no member of the group, or more than one, has that name, the role gives nothing any more and is to be given anew.
alter table temp_role add column giver_id text references app_user on delete set null;
update temp_role x set giver_id = (
  select min(u.id) from member m join app_user u on u.id = m.user_id where m.group_id = x.group_id and u.name = x.grant_by having count(*) = 1);
