import { setImmediate } from 'node:timers/promises'
import type { UnjudgedRule } from '@zhugong/contract/rules/model'
import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Tx } from '#kit/db'
import { allOf, anyOf, equals, inProjects } from '#kit/list'
import { mostSteps } from './budget.ts'
import { asideLevel } from './device-state.ts'
import { holdingAt } from './in-force.ts'
import { type Lack, lacksOf } from './lacking.ts'
import { projectLimits } from './project-budget.ts'
import type { RuleScope, StoredLevel, StoredSchedule } from './tables.ts'
import { type ReadyTrigger, readyTrigger } from './trigger.ts'
import type { RuleOptions } from './trigger-parts.ts'

export interface UnjudgedFilter {
  projects: readonly string[] | undefined
  family?: readonly string[] | undefined
  ruleId?: string | undefined
  deviceId?: string | undefined
}

interface Device {
  id: string
  name: string
  family: string
  projectCode: string
  projectName: string
  gatewayId: string | null
  params: Record<string, unknown>
  intervalSeconds: number
  ts: Date
  keys: string[]
  bad: string[]
  /** The newest event about silent neighbouring machines. */
  degraded: { state?: string; since?: number; missing?: string[] } | null
  /** Rules the engine has suspended on the device. */
  asides: { ruleId: string; version: number; since: number; together?: true }[]
}

interface Rule {
  id: string
  version: number
  name: string
  family: string
  alarmKey: string
  scope: RuleScope
  projectCode: string | null
  options: RuleOptions
  locked: boolean
  levels: StoredLevel[]
  schedule: StoredSchedule
  ready: ReadyTrigger
}

const most = 200
/** A metric sent within this time before the newest reading, or within three intervals, counts as present. */
const pauseMs = 15 * 60_000
const lookBackDays = 30
/** Items processed before yielding to other requests. A city has thousands of devices with about twenty rules each. */
const [devicesAtOnce, pairsAtOnce] = [100, 2_000]

/** Devices that have sent data, with the keys of their latest values. Devices that never sent data have an alarm of their own. */
async function readDevices(db: Tx, f: UnjudgedFilter): Promise<Device[]> {
  const { rows } = await sql<Device>`
    select d.id, d.name, d.family, d.project_code, p.name as project_name, d.gateway_id, d.params, d.interval_seconds::float8 as interval_seconds, l.ts,
      array(select key from jsonb_each(l.v) where value <> 'null'::jsonb) as keys,
      array(select key from jsonb_each(coalesce(l.quality, '{}'))) as bad,
      case when d.family = 'towerCrane' then
        (select e.data from device_event e where e.device_id = d.id and e.kind = 'monitoringDegraded' order by e.ts desc limit 1) end as degraded,
      coalesce((select jsonb_agg(s.state || jsonb_build_object('ruleId', s.trigger_id)) from rule_state s where s.device_id = d.id and s.level = ${asideLevel}), '[]') as asides
    from device d join project p on p.project_code = d.project_code join device_latest l on l.device_id = d.id
    where d.status = '1' and l.v <> '{}' and ${allOf(
      ...inProjects('d.project_code', f.projects),
      ...anyOf('d.family', f.family ? [...f.family] : undefined),
      ...equals('d.id', f.deviceId),
    )} order by d.name, d.id`.execute(db)
  return rows
}

async function readRules(db: Tx, f: UnjudgedFilter, families: readonly string[]): Promise<Rule[]> {
  const { rows } = await sql<Omit<Rule, 'ready'>>`
    select id, version, name, family, alarm_key, scope, project_code, options, locked, levels, schedule from rule_trigger
    where enabled and family = any (${[...families]}) and ${
      f.projects ? sql`(project_code is null or project_code = any (${[...f.projects]}))` : sql`true`
    } order by family, alarm_key, id`.execute(db)
  return rows.map((row) => ({ ...row, ready: readyTrigger(row) }))
}

/** When devices last sent the missing metrics, within `lookBackDays`: samples one five-minute value per day. */
async function lastSent(db: Tx, wanted: ReadonlyMap<Device, ReadonlySet<string>>): Promise<Map<string, number>> {
  if (wanted.size === 0) return new Map()
  const requested = [...wanted].map(([d, keys]) => ({ id: d.id, ts: d.ts.toISOString(), keys: [...keys] }))
  const { rows } = await sql<{ id: string; key: string; ts: Date }>`
    select w.id, m.key, max(t.ts) as ts
    from jsonb_to_recordset(${JSON.stringify(requested)}::jsonb) as w(id text, ts timestamptz, keys jsonb), generate_series(0, ${lookBackDays}::int) day,
      lateral (select ts, v from telemetry_5m where device_id = w.id and ts <= w.ts - day * interval '1 day' order by ts desc limit 1) t,
      lateral (select jsonb_array_elements_text(w.keys) as key) m
    where t.v ? m.key and t.ts > w.ts - ${lookBackDays}::int * interval '1 day' group by 1, 2`.execute(db)
  return new Map(rows.map((r) => [`${r.id}|${r.key}`, r.ts.getTime()]))
}

/** Names of the devices and of their neighbours. */
async function namesOf(db: Tx, devices: readonly Device[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map(devices.map((d) => [d.id, d.name]))
  const beside = devices.flatMap((d) => d.degraded?.missing ?? []).filter((id) => !names.has(id))
  if (beside.length === 0) return names
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from device where id = any (${beside}) and project_code = any (${[...new Set(devices.map((d) => d.projectCode))]})`.execute(
    db,
  )
  for (const { id, name } of rows) names.set(id, name)
  return names
}

const overBudget = `单次判定超过 ${mostSteps} 步，请缩短统计窗口或减少条件`
const overTogether = `本项目各规则每秒合计超过 ${projectLimits.stepsPerSecond} 步，此规则耗用最多，请缩短统计窗口、减少条件或停用不需要的规则`
/** The suspension of a rule on a device, if it concerns the current rule version. */
const asideOf = (rule: Rule, device: Device) => device.asides.find((a) => a.ruleId === rule.id && a.version === rule.version)

const everything = { metrics: { has: () => true }, bad: new Set<string>() }

function lacks(rule: Rule, device: Device, metrics: ReadonlySet<string>): Lack[] {
  const { ready } = rule
  const aside = asideOf(rule, device)
  if (ready.excess !== undefined || aside) return [{ kind: 'cost', key: ready.excess ?? (aside?.together ? overTogether : overBudget) }]
  const unheard = device.degraded?.state === 'start' ? (device.degraded.missing ?? []) : []
  // A record contains its own fields, so only parameters can be missing.
  const reported =
    ready.on === undefined
      ? { metrics, bad: new Set(device.bad), params: device.params, unheard }
      : { ...everything, params: device.params, unheard: [] }
  // A rule can be evaluated if one of its levels can; its `onlyWhen` conditions must be known too.
  const levels = ready.levels.map((level) => lacksOf(level.condition, reported))
  const one = levels.find((found) => found.length === 0) ?? (levels[0] as Lack[])
  return [...one, ...ready.onlyWhen.flatMap((c) => lacksOf(c, reported))]
}

interface Found {
  rule: Rule
  covered: number
  never: number
  devices: { device: Device; lacks: (Lack & { text: string; since: number | null })[] }[]
}

/**
 * Finds enabled rules that cannot be evaluated, with the devices and what is missing. A device that never sent a metric is not equipped for
 * the rule, which is reported only if that is true of all devices. A metric that stopped, has bad quality, or a missing parameter is always
 * reported.
 */
export async function findUnjudged(db: Tx, f: UnjudgedFilter): Promise<{ list: UnjudgedRule[]; total: number; devices: number }> {
  const devices = await readDevices(db, f)
  if (devices.length === 0) return { list: [], total: 0, devices: 0 }
  const rules = await readRules(db, f, [...new Set(devices.map((d) => d.family))])
  const byFamily = Map.groupBy(rules, (r) => r.family)
  const inForce = new Map<string, Rule[]>()
  const rulesOf = (d: Device): Rule[] => {
    const all = byFamily.get(d.family) ?? []
    const named = all.some((r) => r.scope.kind === 'devices' || r.scope.kind === 'points')
    const key = [d.family, d.projectCode, d.gatewayId, named ? d.id : ''].join('|')
    const known = inForce.get(key)
    if (known) return known
    const chosen = holdingAt(all, d)
    inForce.set(key, chosen)
    return chosen
  }
  const pairs: { device: Device; rule: Rule; lacks: Lack[] }[] = []
  const unsent = new Map<Device, Set<string>>()
  const covered = new Map<string, number>()
  for (const [i, device] of devices.entries()) {
    if (i % devicesAtOnce === 0) await setImmediate()
    const metrics = new Set(device.keys)
    for (const rule of rulesOf(device)) {
      if (f.ruleId !== undefined && rule.id !== f.ruleId) continue
      covered.set(rule.id, (covered.get(rule.id) ?? 0) + 1)
      const found = lacks(rule, device, metrics)
      if (found.length === 0) continue
      pairs.push({ device, rule, lacks: found })
      for (const { kind, key } of found) {
        if (kind !== 'metric') continue
        const keys = unsent.get(device) ?? new Set()
        unsent.set(device, keys.add(key))
      }
    }
  }
  const sent = await lastSent(db, unsent)
  const nameOf = await namesOf(db, devices)
  const byRule = new Map<string, Found>()
  for (const [i, { device, rule, lacks: all }] of pairs.entries()) {
    if (i % pairsAtOnce === 0) await setImmediate()
    const family = familyOf(device.family)
    const pause = Math.max(pauseMs, 3 * device.intervalSeconds * 1000)
    const left = all.filter(({ kind, key }) => {
      const at = sent.get(`${device.id}|${key}`)
      return kind !== 'metric' || at === undefined || device.ts.getTime() - at > pause
    })
    if (left.length === 0) continue
    let found = byRule.get(rule.id)
    if (!found) {
      found = { rule, covered: covered.get(rule.id) ?? 0, never: 0, devices: [] }
      byRule.set(rule.id, found)
    }
    const isEquipped = left.every(({ kind, key }) => kind !== 'metric' || sent.has(`${device.id}|${key}`))
    if (!isEquipped) found.never++
    // For a single device everything is reported.
    if (!isEquipped && f.deviceId === undefined) continue
    found.devices.push({
      device,
      lacks: left.map((lack) => {
        const since = sinceOf(lack, rule, device, sent)
        return { ...lack, since, text: inWords(lack, since, family, nameOf) }
      }),
    })
  }
  const list = [...byRule.values()]
    .filter((one) => one.devices.length > 0 || one.never === one.covered)
    .map(toUnjudged)
    .sort((a, b) => a.level - b.level || b.unable - a.unable || a.ruleName.localeCompare(b.ruleName))
  const touched = new Set([...byRule.values()].flatMap((one) => one.devices.map((d) => d.device.id)))
  return { list, total: list.length, devices: touched.size }
}

function sinceOf({ kind, key }: Lack, rule: Rule, device: Device, sent: ReadonlyMap<string, number>): number | null {
  switch (kind) {
    case 'neighbour':
      return device.degraded?.since ?? null
    case 'cost':
      return asideOf(rule, device)?.since ?? null
    default:
      return sent.get(`${device.id}|${key}`) ?? null
  }
}

function inWords({ kind, key }: Lack, since: number | null, family: Family | undefined, nameOf: ReadonlyMap<string, string>): string {
  const label = family?.metric(key)?.label ?? family?.params.find((p) => p.key === key)?.label ?? key
  switch (kind) {
    case 'metric':
      return since === null ? `从未上报 ${label}` : `${label} 已停报，最后约 ${formatInstant(since).slice(5, 16)}`
    case 'quality':
      return `${label} 数据质量异常`
    case 'param':
      return `未填写 ${label}`
    case 'neighbour':
      return `邻机 ${nameOf.get(key) ?? key} 无数据`
    case 'cost':
      return `计算量超出上限：${key}`
  }
}

function toUnjudged({ rule, covered, never, devices }: Found): UnjudgedRule {
  const family = familyOf(rule.family)
  return {
    ruleId: rule.id,
    ruleName: rule.name,
    family: rule.family,
    familyName: family?.name ?? rule.family,
    alarmKey: rule.alarmKey,
    alarmLabel: family?.alarm(rule.alarmKey)?.label ?? rule.name,
    level: Math.min(...rule.ready.levels.map((l) => l.level)),
    covered,
    unable: devices.length,
    never,
    noSource: never === covered,
    devices: devices.slice(0, most).map(({ device, lacks: all }) => ({
      deviceId: device.id,
      deviceName: device.name,
      projectCode: device.projectCode,
      projectName: device.projectName,
      missing: all.map(({ kind, key, text, since }) => ({ kind, key, text, since })),
    })),
  }
}
