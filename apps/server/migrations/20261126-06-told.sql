-- Who answers for people is told of a warning once; what stands already was read on its page.
alter table labor_alarm add column told_at timestamptz;
update labor_alarm set told_at = time;
create index labor_alarm_untold on labor_alarm (project_code) where told_at is null and active and state = '1';
alter table temp_alarm add column told_level text;
update temp_alarm set told_level = level;
create index temp_alarm_untold on temp_alarm (project_code) where handle_state = '0';
