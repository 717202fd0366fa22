import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/rules/endpoints'
import type { LevelPlan, LevelRow } from '@zhugong/contract/rules/level-model'
import { riskLevels } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { type Context, groupTypes, projectsFor } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'

export interface LevelRecord {
  groupId: string
  level: number
  name: string
  label: string
  color: string
  sound: LevelRow['sound']
  plan: LevelPlan
  version: number
  updateBy: string | null
  updateTime: Date | null
}

const sounds: Record<number, LevelRow['sound']> = { 1: 'siren', 2: 'ring', 3: 'beep', 4: 'none' }
const ladder = [
  { afterMinutes: 5, roles: ['项目经理'] },
  { afterMinutes: 15, roles: ['公司安全部'] },
  { afterMinutes: 30, roles: ['监理单位'] },
]
/** Default repetition and escalation: level 1 every five minutes, level 2 every thirty, levels 3 and 4 once. */
export const deliveredLevels: readonly LevelRecord[] = riskLevels.map(({ level, name, label, color }) => ({
  groupId: '',
  level,
  name,
  label,
  color,
  sound: sounds[level] ?? 'none',
  plan: {
    channels: level <= 2 ? ['1', '2'] : ['1'],
    repeatMinutes: level === 1 ? 5 : level === 2 ? 30 : null,
    photoRequired: level <= 2,
    escalation: level <= 2 ? ladder : [],
  },
  version: 0,
  updateBy: null,
  updateTime: null,
}))

const channelsOf = (hex: string) => [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255)
const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = channelsOf(hex).map(linear)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
/** Contrast ratio with the better of white and near-black text. */
function contrast(hex: string): number {
  const own = luminance(hex)
  const against = (other: number) => (Math.max(own, other) + 0.05) / (Math.min(own, other) + 0.05)
  return Math.round(Math.max(against(1), against(luminance('#1F1F1F'))) * 10) / 10
}

/** CIE 1976 colour difference. */
function difference(a: string, b: string): number {
  const lab = (hex: string): [number, number, number] => {
    const [r = 0, g = 0, bl = 0] = channelsOf(hex).map(linear)
    const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
    const x = f((0.4124 * r + 0.3576 * g + 0.1805 * bl) / 0.95047)
    const y = f(0.2126 * r + 0.7152 * g + 0.0722 * bl)
    const z = f((0.0193 * r + 0.1192 * g + 0.9505 * bl) / 1.08883)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }
  const [p, q] = [lab(a), lab(b)]
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}
const leastDifference = 20

const ownerOf = (ctx: Context) => (ctx.group.type === groupTypes.corporation ? ctx.group.id : '')

async function levelsFor(ctx: Context) {
  const { rows } = await sql<LevelRecord>`select group_id, level, name, label, color, sound, plan, version,
    update_by as "updateBy", update_time as "updateTime" from rule_level
    where group_id in ('', ${ownerOf(ctx)})`.execute(ctx.db)
  const projects = projectsFor(ctx)
  const { rows: open } = await sql<{ level: number; n: number }>`
    select level, count(*)::int as n from alarm where active and not simulated and ${projects ? sql`project_code = any (${[...projects]})` : sql`true`} group by 1`.execute(
    ctx.db,
  )
  const list = deliveredLevels.map((standard) => {
    const own = rows.find((r) => r.level === standard.level && r.groupId !== '')
    const one = own ?? rows.find((r) => r.level === standard.level) ?? standard
    const { groupId: _owner, updateTime, ...rest } = one
    return {
      ...rest,
      updateTime: updateTime?.getTime() ?? null,
      contrast: contrast(one.color),
      own: own !== undefined,
      openNow: open.find((o) => o.level === one.level)?.n ?? 0,
    }
  })
  return { list, total: list.length }
}

export function levelRoutes(serve: Serve): void {
  serve(calls.listLevels, (_input, ctx) => levelsFor(ctx))
  serve(calls.updateLevels, updateLevels)
}

const updateLevels: HandlerOf<typeof calls.updateLevels> = async ({ body }, ctx) => {
  const owner = ownerOf(ctx)
  if (owner === '' && ctx.group.type !== groupTypes.platform) throw new AppError('forbidden', '风险等级由平台或企业设置')
  const list = body.list.toSorted((a, b) => a.level - b.level)
  if (new Set(list.map((l) => l.level)).size !== list.length)
    throw new AppError('invalidInput', '等级编号须为 1 到 4 各一个', { field: 'list' })
  for (const [i, a] of list.entries()) {
    for (const b of list.slice(i + 1)) {
      if (difference(a.color, b.color) < leastDifference) {
        throw new AppError('invalidInput', `${a.name}与${b.name}的颜色过于接近`, { field: `list.${body.list.indexOf(b)}.color` })
      }
    }
  }
  const worst = list[0]
  if (worst?.sound === 'none') throw new AppError('invalidInput', '一级告警不能没有声音', { field: 'list.0.sound' })
  if (worst && !worst.plan.channels.includes('1'))
    throw new AppError('invalidInput', '一级告警须有站内消息', { field: 'list.0.plan.channels' })
  await sql`delete from rule_level where group_id = ${owner}`.execute(ctx.db)
  for (const l of body.reset ? [] : list) {
    await sql`insert into rule_level (group_id, level, name, label, color, sound, plan, update_time, update_by, version)
        values (${owner}, ${l.level}, ${l.name}, ${l.label}, ${l.color}, ${l.sound}, ${JSON.stringify(l.plan)}::jsonb, ${new Date(ctx.clock.now())}, ${ctx.user.name}, 1)`.execute(
      ctx.db,
    )
  }
  ctx.note(body.reset ? '恢复默认风险等级' : '修改风险等级')
  return levelsFor(ctx)
}
