import type pg from 'pg'
import { newId } from '#kit/ids'

/** Alarms that are told together wait this long for each other (rules.md section 5). */
export const groupMs = 30_000
/** The daily digest of level 4. */
export const digestClock = '07:30'

export interface GroupEntry {
  projectCode: string
  /** The family, or `gateway:<id>` for what lies behind a gateway that is away. */
  family: string
  level: number
  step: string
  execId: string
  digest: boolean
  alarmId: string
  dueAt: number
}

/** What goes at once opens a group for what follows: the next half minute of its kind is told together. */
export async function groupWhatFollows(client: pg.ClientBase, told: readonly Omit<GroupEntry, 'alarmId'>[]): Promise<void> {
  for (const g of told) {
    await client.query(
      `insert into notice_group (id, project_code, family, level, step, exec_id, alarm_ids, due_at, digest, after_told) values ($1, $2, $3, $4, $5, $6, '{}', $7, false, true)
       on conflict (project_code, family, level, step, exec_id, digest) do nothing`,
      [newId(), g.projectCode, g.family, g.level, g.step, g.execId, new Date(g.dueAt)],
    )
  }
}

/** Adds alarms to the groups that are open, opening those that are not. A group keeps the earlier of two due times. */
export async function addToGroups(client: pg.ClientBase, entries: readonly GroupEntry[]): Promise<void> {
  const merged = new Map<string, GroupEntry & { alarmIds: string[] }>()
  for (const e of entries) {
    const key = [e.projectCode, e.family, e.level, e.step, e.execId, e.digest].join('|')
    const has = merged.get(key)
    if (!has) merged.set(key, { ...e, alarmIds: [e.alarmId] })
    else {
      if (!has.alarmIds.includes(e.alarmId)) has.alarmIds.push(e.alarmId)
      has.dueAt = Math.min(has.dueAt, e.dueAt)
    }
  }
  if (merged.size === 0) return
  await client.query(
    `insert into notice_group as g (id, project_code, family, level, step, exec_id, alarm_ids, due_at, digest)
     select id, project_code, family, level, step, exec_id, array(select jsonb_array_elements_text(alarm_ids)), due_at, digest
     from jsonb_to_recordset($1::jsonb) as n(id text, project_code text, family text, level smallint, step text, exec_id text, alarm_ids jsonb, due_at timestamptz, digest boolean)
     on conflict (project_code, family, level, step, exec_id, digest) do update set
       alarm_ids = g.alarm_ids || array(select a from unnest(excluded.alarm_ids) a where a <> all (g.alarm_ids)),
       due_at = case when g.after_told then g.due_at else least(g.due_at, excluded.due_at) end`,
    [
      JSON.stringify(
        // In one order everywhere, so that two processes never wait for each other's rows.
        [...merged.entries()]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, g]) => ({
            id: newId(),
            project_code: g.projectCode,
            family: g.family,
            level: g.level,
            step: g.step,
            exec_id: g.execId,
            alarm_ids: g.alarmIds,
            due_at: new Date(g.dueAt).toISOString(),
            digest: g.digest,
          })),
      ),
    ],
  )
}

/** Takes alarms out of what has not been told yet. */
export async function takeFromGroups(
  client: pg.ClientBase,
  alarmIds: readonly string[],
  which: 'all' | 'but digests' = 'all',
): Promise<void> {
  if (alarmIds.length === 0) return
  await client.query(
    `update notice_group set alarm_ids = array(select a from unnest(alarm_ids) a where a <> all ($1)) where alarm_ids && $1
       and step not in ('urge', 'clear') and not (digest and $2)`,
    [alarmIds, which === 'but digests'],
  )
  await client.query(`delete from notice_group where alarm_ids = '{}' and not after_told`)
}
