-- Who led the team when somebody else agreed to its month for it; null when the leader did so himself, or the team had none.
alter table attendance_month_team add column leader_name text;
