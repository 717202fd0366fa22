import type pg from 'pg'
import { pick } from '#kit/pick'
import { inTransaction } from '#kit/transaction'
import { markNoticed } from '../alarms/public.ts'
import type { NotifyDependencies } from './deps.ts'
import { addToGroups, digestClock, type GroupEntry, groupMs, takeFromGroups } from './groups.ts'
import { nextAt, type Plan, quietUntil, readPlans } from './plans.ts'

const perBatch = 500
/** Older events are not sent, because the sender was down; they remain recorded. */
const oldMs = 24 * 3_600_000

interface Row {
  id: number
  event: string
  at: Date
  detail: Record<string, unknown>
  alarm_id: string
  project_code: string
  family: string
  alarm_key: string
  level: number
  max_level: number
  state: string
  active: boolean
  flapping: boolean
  simulated: boolean
  rule_id: string | null
  gateway_id: string | null
  gateway_online: boolean | null
  drill_notify: boolean | null
}

interface Watch {
  alarm_id: string
  exec_id: string
  project_code: string
  level: number
  began_at: string
  repeat_at: string | null
  escalate_at: string | null
  next_roles: string[]
}

const iso = (ms: number) => new Date(ms).toISOString()

/**
 * Reads alarm events from the outbox and decides who is notified: opens groups, and watches for repeats and escalation. Events are
 * marked as read in the same transaction, so a crash causes neither duplicates nor losses. Returns the number of events read.
 */
export function readHappenings(deps: NotifyDependencies): Promise<number> {
  return inTransaction(deps.pool, async (client) => {
    const rows = await unread(client)
    if (rows.length === 0) return 0
    const now = deps.now()
    const fresh = rows.filter((r) => now - r.at.getTime() < oldMs)
    const plans = await readPlans(
      client,
      fresh.map((r) => ({ ruleId: r.rule_id, projectCode: r.project_code, level: r.level })),
    )
    const said: Said = { groups: [], watches: new Map(), settled: new Set(), untold: new Set(), over: new Set() }
    for (const row of fresh) hear(said, row, plans, now)
    await writeGroups(client, said)
    await writeWatches(client, said)
    await markNoticed(
      client,
      rows.map((r) => r.id),
    )
    return rows.length
  })
}

async function unread(client: pg.ClientBase): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select o.id, o.event, o.at, o.detail, o.alarm_id, o.project_code, a.family, a.alarm_key, a.level, a.max_level, a.state, a.active, a.flapping, a.simulated, a.rule_id,
       d.gateway_id, g.online as gateway_online, s.notify as drill_notify
     from alarm_outbox o join alarm a on a.id = o.alarm_id left join device d on d.id = a.device_id left join gateway g on g.id = d.gateway_id
       left join alarm_drill s on s.alarm_id = a.id
     where not o.noticed order by o.id limit ${perBatch} for update of o skip locked`,
  )
  return rows
}

/** The result of a batch of events. */
interface Said {
  readonly groups: GroupEntry[]
  /** By alarm id and plan. */
  readonly watches: Map<string, Watch>
  /** Ids of alarms whose repeats end. */
  readonly settled: Set<string>
  /** Ids of alarms nobody needs to be notified of any more. */
  readonly untold: Set<string>
  /** Ids of ended alarms that appear only in a digest. */
  readonly over: Set<string>
}

type Plans = Awaited<ReturnType<typeof readPlans>>

function hear(said: Said, row: Row, plans: Plans, now: number): void {
  switch (row.event) {
    case 'open':
    case 'upgrade':
    case 'reopen':
      hearOfNew(said, row, plans, now)
      break
    case 'clear':
      said.groups.push({ ...entryFor(row, '', 'clear'), dueAt: now + groupMs })
      // A level 1 alarm is repeated until it is acknowledged, even if it has ended (rules.md section 5).
      if (row.max_level >= 2) said.settled.add(row.alarm_id)
      if (row.max_level >= 3) said.over.add(row.alarm_id)
      break
    case 'flapping':
      said.settled.add(row.alarm_id)
      break
    case 'urge':
      said.groups.push({ ...entryFor(row, '', 'urge'), dueAt: now })
      break
    case 'ack':
    case 'handle':
    case 'false':
    case 'ignore':
    case 'close':
      said.settled.add(row.alarm_id)
      said.untold.add(row.alarm_id)
      break
  }
}

function hearOfNew({ groups, watches, settled, untold, over }: Said, row: Row, plans: Plans, now: number): void {
  // No message if the alarm is already acknowledged, or is flapping (rules.md section 3.11). A lower-level alarm that has ended closed
  // by itself and appears only in a digest.
  const isOver = !row.active && row.max_level >= 3
  const isTaken = row.state !== 'open' && !isOver
  if (row.simulated ? row.drill_notify !== true : isTaken || (row.flapping && row.event !== 'reopen')) return
  for (const set of [settled, untold, over]) set.delete(row.alarm_id)
  for (const plan of plans.of({ ruleId: row.rule_id, projectCode: row.project_code, level: row.level })) {
    const entry = entryOf(row, plan, row.event === 'upgrade' ? 'upgrade' : 'open', now)
    if (isOver && !entry.digest) continue
    groups.push(entry)
    const watch = plan.kind === 'notify' && !row.simulated ? watchOf(row, plan, now) : undefined
    if (watch) watches.set(`${row.alarm_id}|${plan.execId}`, watch)
  }
}

async function writeGroups(client: pg.ClientBase, { groups, untold, over }: Said): Promise<void> {
  await takeFromGroups(client, [...untold])
  // A digest also lists ended alarms, marked as such.
  await takeFromGroups(client, [...over], 'but digests')
  const isReported = (g: GroupEntry) =>
    g.step === 'urge' || g.step === 'clear' || (!untold.has(g.alarmId) && (g.digest || !over.has(g.alarmId)))
  await addToGroups(client, groups.filter(isReported))
}

async function writeWatches(client: pg.ClientBase, { watches, settled }: Said): Promise<void> {
  const kept = [...watches.values()].filter((watch) => !settled.has(watch.alarm_id))
  if (settled.size) await client.query('delete from notice_watch where alarm_id = any ($1)', [[...settled]])
  if (kept.length === 0) return
  await client.query(
    `insert into notice_watch (alarm_id, exec_id, project_code, level, began_at, repeat_at, escalate_at, next_roles)
     select alarm_id, exec_id, project_code, level, began_at, repeat_at, escalate_at, array(select jsonb_array_elements_text(next_roles))
     from jsonb_to_recordset($1::jsonb) as w(alarm_id text, exec_id text, project_code text, level smallint, began_at timestamptz, repeat_at timestamptz, escalate_at timestamptz, next_roles jsonb)
     on conflict (alarm_id, exec_id) do update set level = excluded.level, repeat_at = excluded.repeat_at,
       escalate_at = excluded.escalate_at, next_roles = excluded.next_roles, began_at = excluded.began_at, rung = 0`,
    [JSON.stringify(kept)],
  )
}

/** All alarms behind an offline gateway share one message, whatever their family. */
function entryFor(row: Row, execId: string, step: string): Omit<GroupEntry, 'dueAt'> {
  const behind = row.alarm_key === 'offline' && row.gateway_id !== null && row.gateway_online === false
  return {
    projectCode: row.project_code,
    family: behind ? `gateway:${row.gateway_id}` : row.family,
    level: row.level,
    step,
    execId,
    digest: false,
    alarmId: row.alarm_id,
  }
}

function entryOf(row: Row, plan: Plan, step: string, now: number): GroupEntry {
  const entry = entryFor(row, plan.execId, step)
  // Quiet hours do not apply to webhooks.
  if (row.simulated || plan.kind === 'webhook') return { ...entry, dueAt: now }
  if (plan.digest) return { ...entry, family: '', step: 'digest', digest: true, dueAt: nextAt(digestClock, now) }
  const quiet = row.level === 1 ? undefined : quietUntil(plan.quietHours, now)
  if (quiet !== undefined) return { ...entry, family: '', step: 'digest', digest: true, dueAt: quiet }
  // Level 1 is sent at once; similar alarms in the next half minute are grouped (groups.ts).
  return { ...entry, dueAt: row.level === 1 ? now : now + groupMs }
}

function watchOf(row: Row, plan: Plan, now: number): Watch | undefined {
  const [rung] = plan.escalation
  if (plan.digest || (plan.repeatMinutes === null && !rung)) return undefined
  return {
    ...pick(row, 'alarm_id', 'project_code', 'level'),
    exec_id: plan.execId,
    began_at: iso(now),
    repeat_at: plan.repeatMinutes === null ? null : iso(now + plan.repeatMinutes * 60_000),
    escalate_at: rung ? iso(now + rung.afterMinutes * 60_000) : null,
    next_roles: rung?.roles ?? [],
  }
}

interface DueWatch {
  alarm_id: string
  exec_id: string
  project_code: string
  level: number
  rung: number
  began_at: Date
  repeat_at: Date | null
  escalate_at: Date | null
  state: string
  family: string
  rule_id: string | null
}

/** Processes repeats and escalation steps that are due. */
export function followUp(deps: NotifyDependencies): Promise<number> {
  return inTransaction(deps.pool, async (client) => {
    const now = deps.now()
    const { rows } = await client.query<DueWatch>(
      `select w.alarm_id, w.exec_id, w.project_code, w.level, w.rung, w.began_at, w.repeat_at, w.escalate_at, a.state, a.family, a.rule_id
       from notice_watch w join alarm a on a.id = w.alarm_id where w.repeat_at <= $1 or w.escalate_at <= $1 order by w.alarm_id limit ${perBatch} for update of w skip locked`,
      [new Date(now)],
    )
    if (rows.length === 0) return 0
    const plans = await readPlans(
      client,
      rows.map((r) => ({ ruleId: r.rule_id, projectCode: r.project_code, level: r.level })),
    )
    const groups: GroupEntry[] = []
    for (const row of rows) {
      const plan = plans.one({ ruleId: row.rule_id, projectCode: row.project_code, level: row.level }, row.exec_id)
      if (!plan || row.state !== 'open') {
        await client.query('delete from notice_watch where alarm_id = $1 and exec_id = $2', [row.alarm_id, row.exec_id])
        continue
      }
      const quiet = row.level === 1 ? undefined : quietUntil(plan.quietHours, now)
      const entry = {
        projectCode: row.project_code,
        family: row.family,
        level: row.level,
        execId: row.exec_id,
        alarmId: row.alarm_id,
        digest: false,
      }
      let { rung } = row
      let repeatAt = row.repeat_at?.getTime() ?? null
      let escalateAt = row.escalate_at?.getTime() ?? null
      if (repeatAt !== null && repeatAt <= now) {
        if (quiet === undefined) groups.push({ ...entry, step: 'repeat', dueAt: now })
        repeatAt = plan.repeatMinutes === null ? null : (quiet ?? now + plan.repeatMinutes * 60_000)
      }
      if (escalateAt !== null && escalateAt <= now) {
        if (quiet !== undefined) escalateAt = quiet
        else {
          groups.push({ ...entry, step: `escalate:${rung}`, dueAt: now })
          rung++
          const next = plan.escalation[rung]
          // After a delay, the remaining escalation steps are spaced out instead of being sent at once.
          escalateAt = next ? Math.max(row.began_at.getTime() + next.afterMinutes * 60_000, now + 60_000) : null
        }
      }
      await client.query(
        'update notice_watch set rung = $3, repeat_at = $4, escalate_at = $5, next_roles = $6 where alarm_id = $1 and exec_id = $2',
        [
          row.alarm_id,
          row.exec_id,
          rung,
          repeatAt === null ? null : new Date(repeatAt),
          escalateAt === null ? null : new Date(escalateAt),
          escalateAt === null ? [] : (plan.escalation[rung]?.roles ?? []),
        ],
      )
    }
    await addToGroups(client, groups)
    return rows.length
  })
}
