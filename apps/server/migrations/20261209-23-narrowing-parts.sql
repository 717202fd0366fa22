-- Who took which codes from a role in a group: what others took stands whatever the asker takes or gives back. Of what was taken before it is
-- not known who took it: only the platform gives it back.
alter table role_narrowing add column parts jsonb not null default '{}';
