import type pg from 'pg'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'

/** Alarms sent in one message are collected for this long (rules.md section 5). */
export const groupMs = 30_000
/** Time of the daily digest for level 4. */
export const digestClock = '07:30'

export interface GroupEntry {
  projectCode: string
  /** Device family, or `gateway:<id>` for devices behind an offline gateway. */
  family: string
  level: number
  step: string
  execId: string
  digest: boolean
  alarmId: string
  dueAt: number
}

/** Opens a group after an immediate message: alarms of the same kind in the next half minute go in one message. */
export async function groupWhatFollows(client: pg.ClientBase, reported: readonly Omit<GroupEntry, 'alarmId'>[]): Promise<void> {
  for (const g of reported) {
    await client.query(
      `insert into notice_group (id, project_code, family, level, step, exec_id, alarm_ids, due_at, digest, after_told) values ($1, $2, $3, $4, $5, $6, '{}', $7, false, true)
       on conflict (project_code, family, level, step, exec_id, digest) do nothing`,
      [newId(), g.projectCode, g.family, g.level, g.step, g.execId, new Date(g.dueAt)],
    )
  }
}

/** Adds alarms to open groups and opens missing ones. A group keeps the earlier of two due times. */
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
        // Sorted, so that concurrent processes lock the rows in the same order and cannot deadlock.
        [...merged.entries()]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, g]) => ({
            id: newId(),
            project_code: g.projectCode,
            ...pick(g, 'family', 'level', 'step', 'digest'),
            exec_id: g.execId,
            alarm_ids: g.alarmIds,
            due_at: new Date(g.dueAt).toISOString(),
          })),
      ),
    ],
  )
}

/** Removes alarms from groups that have not been sent yet. */
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
