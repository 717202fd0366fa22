import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { familyOf } from '@zhugong/contract/telemetry/families'
import type { City, Device, Family } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { type DefaultRule, defaultInWords, defaultRuleId, defaultRules } from '#domains/rules/defaults'
import type { StoredLevel } from '#domains/rules/tables'
import { insertTrigger } from '#domains/rules/trigger-store'
import type { Tx } from '#kit/db'

interface Part {
  alarmKey: string
  /** A limit other than the delivered one. */
  value?: number
  /** A share of each point's design value instead of a limit: unknown until the value is entered. */
  share?: number
}
interface Plan {
  key: string
  name: string
  family: Family
  standard: string
  remark: string
  version: number
  parts: Part[]
  /** Sites that follow it, by index in the city, with the assigned version and their changes since. */
  sites: { at: number; version?: number; changed?: Part[] }[]
}

const keys = (...all: string[]): Part[] => all.map((alarmKey) => ({ alarmKey }))

const plans: readonly Plan[] = [
  {
    key: 'crane',
    name: '塔机标准',
    family: 'towerCrane',
    standard: 'GB 5144、JGJ 196（待核对）',
    remark: '力矩、吊重、风速、倾角与群塔，新项目塔机安装验收后应用',
    version: 3,
    parts: [
      ...keys('momentWarning', 'momentAlarm', 'momentOverload', 'loadWarning', 'loadAlarm', 'windWarning', 'windAlarm', 'windDanger'),
      ...keys('tiltWarning', 'tiltAlarm', 'collisionWarning', 'collisionAlarm'),
    ],
    sites: [
      { at: 0, version: 3, changed: [{ alarmKey: 'windWarning', value: 9.8 }] },
      { at: 1, version: 2 },
      { at: 3, version: 3, changed: [{ alarmKey: 'tiltWarning', value: 1.2 }] },
      { at: 5, version: 3 },
    ],
  },
  {
    key: 'lifter',
    name: '升降机标准',
    family: 'lifter',
    standard: 'GB/T 26557（待核对）',
    remark: '载重、人数、开门运行、风速与防坠器到期',
    version: 1,
    parts: keys('loadWarning', 'loadAlarm', 'overload', 'personOver', 'doorOpenRunning', 'windAlarm', 'windDanger', 'safetyDeviceExpiring'),
    sites: [{ at: 0 }, { at: 3 }],
  },
  {
    key: 'pit',
    name: '一级基坑',
    family: 'foundationPit',
    standard: 'GB 50497（待核对）',
    remark: '按控制值的 70 %、85 %、100 % 三级；控制值由设计单位按测点给定，应用后逐点填写',
    version: 2,
    parts: [
      ...['topHorizontal', 'topVertical', 'deepHorizontal', 'surface', 'column', 'building', 'waterLevel'].flatMap((kind) => [
        { alarmKey: `${kind}Warning`, share: 0.7 },
        { alarmKey: `${kind}Alarm`, share: 0.85 },
        { alarmKey: `${kind}Control`, share: 1 },
      ]),
      { alarmKey: 'displacementRate', share: 1 },
      { alarmKey: 'waterLevelRate', share: 1 },
    ],
    sites: [],
  },
  {
    key: 'formwork',
    name: '高支模浇筑期',
    family: 'highFormwork',
    standard: 'JGJ 300（待核对）',
    remark: '浇筑前应用，拆模后收回',
    version: 1,
    parts: keys('axialForceWarning', 'axialForceAlarm', 'settlementWarning', 'settlementAlarm', 'suddenChange', 'offline'),
    sites: [],
  },
  {
    key: 'dust',
    name: '扬尘黄色预警',
    family: 'environment',
    standard: '市扬尘管控应急预案',
    remark: '预警发布期间收紧一级，解除后收回差异',
    version: 1,
    parts: [
      { alarmKey: 'pm10Warning', value: 100 },
      { alarmKey: 'pm10Alarm', value: 120 },
      { alarmKey: 'tsp5min', value: 600 },
    ],
    sites: [],
  },
  {
    key: 'night',
    name: '夜间浇筑噪声许可',
    family: 'environment',
    standard: '夜间施工许可，GB 12523（待核对）',
    remark: '仅限许可期内使用，到期收回',
    version: 1,
    parts: [
      { alarmKey: 'noiseNight', value: 65 },
      { alarmKey: 'noiseNightPeak', value: 80 },
    ],
    sites: [],
  },
]

/** Rules no site may weaken. */
const locked: readonly [Family, string][] = [
  ['towerCrane', 'momentOverload'],
  ['towerCrane', 'collisionAlarm'],
  ['lifter', 'overload'],
  ['lifter', 'doorOpenRunning'],
  ['foundationPit', 'crackAlarm'],
  ['highFormwork', 'axialForceAlarm'],
]

const standardOf = (family: string, alarmKey: string): DefaultRule => {
  const found = defaultRules.find((one) => one.family === family && one.alarmKey === alarmKey)
  if (!found) throw new Error(`no delivered rule ${family} ${alarmKey}`)
  return found
}

/** The same comparison with a share of the point's own control value or rate. */
function shareOf(condition: RuleCondition, share: number): RuleCondition {
  if (condition.type === 'or') return { ...condition, of: condition.of.map((one) => shareOf(one, share)) }
  if (condition.type !== 'threshold' && condition.type !== 'rate') throw new Error(`no share of ${condition.type}`)
  const { value: _, clearValue: __, ...rest } = condition
  return { ...rest, param: condition.type === 'rate' ? 'controlRate' : 'controlValue', factor: share }
}

/** The delivered levels with another limit; the clear value is shifted accordingly. */
function levelsOf(rule: DefaultRule, { value, share }: Pick<Part, 'value' | 'share'>): StoredLevel[] {
  if (share !== undefined) {
    return rule.levels.map((level) => ({ ...level, condition: shareOf(level.condition as RuleCondition, share) }))
  }
  if (value === undefined) return rule.levels
  return rule.levels.map((level) => {
    const condition = level.condition as RuleCondition
    if (condition.type !== 'threshold' || condition.value === undefined) return level
    const shift = value - condition.value
    const { clearValue } = condition
    return {
      ...level,
      condition: { ...condition, value, ...(clearValue === undefined ? {} : { clearValue: Number((clearValue + shift).toFixed(3)) }) },
    }
  })
}

/** Rule templates with the sites that follow them, a site's own limits, and a machine under maintenance. */
export async function seedTemplates(tx: Tx, city: City, now: number): Promise<void> {
  for (const plan of plans) {
    const id = idOf(city.seed, 'template', plan.key)
    const items = plan.parts.map((part) => {
      const { alarmKey } = part
      const rule = standardOf(plan.family, alarmKey)
      const { name, schedule, options } = rule
      return { name, alarmKey, enabled: true, levels: levelsOf(rule, part), schedule, options }
    })
    await sql`insert into rule_template (id, name, family, standard, remark, triggers, create_by, create_time, update_time, version)
      values (${id}, ${plan.name}, ${plan.family}, ${plan.standard}, ${plan.remark}, ${JSON.stringify(items)}::jsonb, '演示', ${new Date(now - 90 * dayMs)},
        ${new Date(now - 12 * dayMs)}, ${plan.version})`.execute(tx)
    for (const site of plan.sites) {
      const project = city.projects[site.at]
      if (!project) throw new Error(`no site ${site.at}`)
      for (const part of plan.parts) {
        const own = site.changed?.find((one) => one.alarmKey === part.alarmKey)
        await giveRule(tx, city, project.projectCode, plan.family, own ?? part, now, {
          templateId: id,
          templateVersion: site.version ?? plan.version,
        })
      }
    }
  }
  const [hospital] = city.projects
  if (!hospital) throw new Error('no site')
  const own: Part[] = [
    { alarmKey: 'noiseDay', value: 68 },
    { alarmKey: 'windAlarm', value: 11 },
    { alarmKey: 'heatYellow', value: 36 },
  ]
  for (const part of own) await giveRule(tx, city, hospital.projectCode, 'environment', part, now)
  for (const [family, alarmKey] of locked) {
    await sql`update rule_trigger set locked = true where id = ${defaultRuleId(family, alarmKey)}`.execute(tx)
  }
  const lifter = city.devices.find((one) => one.projectCode === hospital.projectCode && one.family === 'lifter')
  if (lifter) await workOn(tx, city, lifter, now)
}

async function giveRule(
  tx: Tx,
  city: City,
  projectCode: string,
  family: Family,
  part: Part,
  now: number,
  from: { templateId?: string; templateVersion?: number } = {},
): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from rule_trigger where project_code = ${projectCode} and family = ${family}
    and alarm_key = ${part.alarmKey}`.execute(tx)
  const [there] = rows
  if (there) {
    // The site has added actions to the rule and still follows the template.
    if (from.templateId) {
      await sql`update rule_trigger set template_id = ${from.templateId}, template_version = ${from.templateVersion ?? 1} where id = ${there.id}`.execute(
        tx,
      )
    }
    return
  }
  const rule = standardOf(family, part.alarmKey)
  const row = {
    id: idOf(city.seed, 'siteRule', projectCode, family, part.alarmKey),
    name: rule.name,
    family,
    alarmKey: part.alarmKey,
    scope: { kind: 'projects' as const, projectCodes: [projectCode] },
    projectCode,
    levels: levelsOf(rule, part),
    schedule: rule.schedule,
    options: rule.options,
    execIds: [],
    enabled: true,
    locked: false,
    ...from,
  }
  await insertTrigger(tx, row, '演示', now - 20 * dayMs)
}

/** A lift whose load cell is being calibrated, and last month's drill. */
async function workOn(tx: Tx, city: City, device: Device, now: number): Promise<void> {
  const { projectCode, id, name, family } = device
  await sql`insert into device_suppress (id, project_code, device_id, alarm_keys, kind, reason, person_name, from_time, until_time, create_by, create_time)
    values (${idOf(city.seed, 'suppress', id)}, ${projectCode}, ${id}, ${['loadWarning', 'loadAlarm']}, 'calibration', '重量传感器标定，维保单位在场', '何振',
      ${new Date(now - hourMs)}, ${new Date(now + 5 * hourMs)}, '演示', ${new Date(now - hourMs)})`.execute(tx)
  const crane = city.devices.find((one) => one.projectCode === projectCode && one.family === 'towerCrane')
  const kind = crane && familyOf(crane.family)?.alarm('windDanger')
  if (!crane || !kind) throw new Error(`no crane beside ${name} ${family}`)
  const alarmId = idOf(city.seed, 'drill', crane.id)
  const [at, ended] = [new Date(now - 32 * dayMs), new Date(now - 32 * dayMs + 10 * 60_000)]
  await sql`insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, clear_time, clear_reason, active,
      state, metric, threshold_text, sources, values_used, simulated)
    values (${alarmId}, ${projectCode}, ${crane.id}, ${crane.name}, ${crane.family}, 'windDanger', ${kind.label}, ${kind.level}, ${kind.level}, ${at}, ${at}, ${ended},
      'simulatedEnd', false, 'closed', 'windSpeed', ${defaultInWords(kind, crane.family)}, array['drill'], '{}'::jsonb, true)`.execute(tx)
  await sql`insert into alarm_drill (alarm_id, project_code, device_id, notify, linkage, ends_at, by_name, create_time)
    values (${alarmId}, ${projectCode}, ${crane.id}, true, false, ${ended}, '演示', ${at})`.execute(tx)
  await sql`insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
    values (${idOf(city.seed, 'drillLog', crane.id)}, ${alarmId}, ${projectCode}, ${at}, 'open', ${`演练：${kind.label}`}, '演示')`.execute(
    tx,
  )
}
