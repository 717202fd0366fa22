-- 待处理 counts what nobody has taken up and what somebody is at: the index of the former alone is no help for it.
create index alarm_awaiting on alarm (project_code, level) where state in ('open', 'acknowledged') and not simulated and not historical;
