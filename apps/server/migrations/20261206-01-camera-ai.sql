-- How a camera's recognitions are judged here: from which confidence a kind is told, and where in the picture an intrusion counts. The box at
-- the camera goes on recognising as it does.
create table camera_ai (
  device_id text not null references device on delete cascade,
  -- A camera that moves to another site leaves its settings behind.
  project_code text not null references project on delete cascade,
  thresholds jsonb not null default '[]',
  zones jsonb not null default '[]',
  version int not null default 0,
  update_by text not null,
  update_time timestamptz not null,
  primary key (device_id, project_code)
);
create index camera_ai_project on camera_ai (project_code);
call zg_by_project('camera_ai');
