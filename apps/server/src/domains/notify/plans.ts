import { dayMs, minuteMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import { type NoticeChannel, noticeChannels } from '@zhugong/contract/notify/codes'
import type pg from 'pg'
import { deliveredLevels } from '../rules/public.ts'

export interface Rung {
  /** Minutes since the first notification of the alarm. */
  afterMinutes: number
  roles: string[]
  channels: NoticeChannel[]
}

/** Who is notified of an alarm, and how. */
export interface Plan {
  /** Id of the rule action; '' for the plan of the alarm's level. */
  execId: string
  kind: 'notify' | 'webhook'
  roles: string[]
  userIds: string[]
  onDuty: boolean
  channels: NoticeChannel[]
  text: string | null
  repeatMinutes: number | null
  quietHours: { from: string; to: string } | null
  escalation: Rung[]
  /** Sent once a day instead of each time. */
  digest: boolean
  url: string | null
  secret: Buffer | null
}

/** Roles notified first by a level's default plan. */
export const firstRoles = ['安全员']
/** Level sent once a day (rules.md section 5). */
const digestLevel = 4

const sendable = (channels: unknown): NoticeChannel[] =>
  (Array.isArray(channels) ? channels : []).filter((c): c is NoticeChannel => typeof c === 'string' && c in noticeChannels)
const texts = (list: unknown): string[] => (Array.isArray(list) ? list.filter((v): v is string => typeof v === 'string') : [])
const minutes = (v: unknown): number | null => (typeof v === 'number' && v > 0 ? v : null)

function rungs(list: unknown, fallback: NoticeChannel[]): Rung[] {
  if (!Array.isArray(list)) return []
  return list
    .map((r: Record<string, unknown>) => {
      const own = sendable(r.channels)
      return { afterMinutes: Number(r.afterMinutes) || 0, roles: texts(r.roles), channels: own.length ? own : fallback }
    })
    .filter((r) => r.roles.length > 0)
    .sort((a, b) => a.afterMinutes - b.afterMinutes)
}

interface ExecRow {
  id: string
  kind: string
  definition: Record<string, unknown>
  secret: Buffer | null
}

function execPlan(row: ExecRow, level: number): Plan {
  const d = row.definition
  const channels = sendable(d.channels)
  const quiet = d.quietHours as { from?: unknown; to?: unknown } | null | undefined
  return {
    execId: row.id,
    kind: row.kind === 'webhook' ? 'webhook' : 'notify',
    roles: texts(d.roles),
    userIds: texts(d.userIds),
    onDuty: d.onDuty === true,
    channels,
    text: typeof d.text === 'string' && d.text ? d.text : null,
    repeatMinutes: d.repeatMinutes === undefined ? (deliveredPlan(level).repeatMinutes ?? null) : minutes(d.repeatMinutes),
    quietHours: typeof quiet?.from === 'string' && typeof quiet.to === 'string' ? { from: quiet.from, to: quiet.to } : null,
    escalation: rungs(d.escalation, channels),
    digest: level >= digestLevel,
    url: typeof d.url === 'string' ? d.url : null,
    secret: row.secret,
  }
}

const deliveredPlan = (level: number): { channels?: unknown; repeatMinutes?: number | null; escalation?: unknown } =>
  (deliveredLevels.find((l) => l.level === level)?.plan ?? {}) as { repeatMinutes?: number | null }

function levelPlan(level: number, plan: Record<string, unknown>): Plan {
  const chosen = sendable(plan.channels)
  const channels: NoticeChannel[] = chosen.length ? chosen : ['1']
  return {
    execId: '',
    kind: 'notify',
    roles: firstRoles,
    userIds: [],
    onDuty: true,
    channels,
    text: null,
    repeatMinutes: minutes(plan.repeatMinutes),
    quietHours: null,
    escalation: rungs(plan.escalation, channels),
    digest: level >= digestLevel,
    url: null,
    secret: null,
  }
}

export interface PlanSubject {
  ruleId: string | null
  projectCode: string
  level: number
}

export interface PlanBook {
  /** All plans that apply to an alarm: its rule's actions, or its level's plan if no action notifies people. */
  of(alarm: PlanSubject): Plan[]
  /** One plan of an alarm by its `execId`; undefined if it was deleted or disabled. */
  one(alarm: PlanSubject, execId: string): Plan | undefined
}

/**
 * Reads the current plans for a batch of alarms in one query. The general contractor's level settings take precedence over the
 * platform's, and those over the defaults.
 */
export async function readPlans(client: pg.ClientBase | pg.Pool, alarms: readonly PlanSubject[]): Promise<PlanBook> {
  const ruleIds = [...new Set(alarms.flatMap((a) => (a.ruleId ? [a.ruleId] : [])))]
  const projects = [...new Set(alarms.map((a) => a.projectCode))]
  const { rows: execs } = ruleIds.length
    ? await client.query<ExecRow & { rule_id: string }>(
        `select t.id as rule_id, e.id, e.kind, e.definition, e.secret from rule_trigger t join rule_exec e on e.id = any (t.exec_ids)
         where t.id = any ($1) and e.enabled and e.kind in ('notify', 'webhook') order by e.id`,
        [ruleIds],
      )
    : { rows: [] }
  const { rows: levels } = await client.query<{ project_code: string; group_id: string; level: number; plan: Record<string, unknown> }>(
    `select p.project_code, l.group_id, l.level, l.plan from unnest($1::text[]) as p(project_code)
     join rule_level l on l.group_id = '' or l.group_id in (
       select t.id from project_corp c join tenant t on t.type = 2 and t.code = c.corp_code where c.project_code = p.project_code and c.corp_type = '009' and c.exit_time is null)`,
    [projects],
  )
  const ofLevel = (a: PlanSubject): Plan => {
    const stored = levels.filter((l) => l.project_code === a.projectCode && l.level === a.level)
    const own = stored.find((l) => l.group_id !== '') ?? stored[0]
    return levelPlan(a.level, own?.plan ?? (deliveredPlan(a.level) as Record<string, unknown>))
  }
  const ofExecs = (a: PlanSubject): Plan[] => execs.filter((e) => e.rule_id === a.ruleId).map((e) => execPlan(e, a.level))
  return {
    of(alarm) {
      const own = ofExecs(alarm)
      return own.some((p) => p.kind === 'notify') ? own : [ofLevel(alarm), ...own]
    },
    one: (alarm, execId) => (execId === '' ? ofLevel(alarm) : ofExecs(alarm).find((p) => p.execId === execId)),
  }
}

const two = (n: number) => String(n).padStart(2, '0')
const minuteOf = (clock: string) => {
  const [h = 0, m = 0] = clock.split(':').map(Number)
  return h * 60 + m
}

/** The next moment (epoch ms) at which clocks in Asia/Shanghai show `clock`. */
export function nextAt(clock: string, now: number): number {
  const startOfDay = startOfShanghaiDay(now)
  const at = startOfDay + minuteOf(clock) * 60_000
  return at > now ? at : at + dayMs
}

/** The end of the current quiet hours (epoch ms); undefined outside them. They may cross midnight. */
export function quietUntil(quiet: Plan['quietHours'], now: number): number | undefined {
  if (!quiet) return undefined
  const [from, to] = [minuteOf(quiet.from), minuteOf(quiet.to)]
  const minute = Math.floor((now - startOfShanghaiDay(now)) / minuteMs)
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to
  return isQuiet ? nextAt(`${two(Math.floor(to / 60) % 24)}:${two(to % 60)}`, now) : undefined
}
