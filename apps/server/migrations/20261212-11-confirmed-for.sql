-- The team's leader on whose behalf somebody else confirmed the month; null when the leader confirmed it, or the team had none.
alter table attendance_month_team add column leader_name text;
