import { dayMs } from '@zhugong/contract/kit/time'
import { bodyRange } from '@zhugong/contract/prevention/codes'
import { type saveTempSetting, type TempSetting, tempSetting } from '@zhugong/contract/prevention/endpoints'
import { sql } from 'kysely'
import { changedMeanwhile } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import type { Db } from '#kit/db'
import './tables.ts'

type Body = NonNullable<(typeof saveTempSetting)['types']>['parsed']['body']

export async function settingFor(db: Db, projectCode: string): Promise<TempSetting> {
  const row = await db.selectFrom('tempAlarmSetting').select('value').where('projectCode', '=', projectCode).executeTakeFirst()
  return tempSetting.parse(row?.value ?? {})
}

/** The setting with the time and user of its last change; version 0 for the default. */
export async function settingAnswer(ctx: Context, requested: string | undefined) {
  const projectCode = oneProject(ctx, requested)
  const row = await ctx.db.selectFrom('tempAlarmSetting').selectAll().where('projectCode', '=', projectCode).executeTakeFirst()
  const now = ctx.clock.now()
  const gates = await gatesOf(ctx, [projectCode], new Date(now - weekDays * dayMs), new Date(now))
  return {
    projectCode,
    setting: tempSetting.parse(row?.value ?? {}),
    version: row?.version ?? 0,
    updateName: row?.updateName ?? null,
    updateTime: row ? formatInstant(row.updateTime) : null,
    gates: gates.map(({ mean: _, bias, ...gate }) => ({ ...gate, bias: seesBias(ctx) ? bias : null })),
    reached: await reachedOf(ctx, projectCode),
  }
}

/** Whether the caller may see body temperatures. */
export const seesHealth = (ctx: Pick<Context, 'codes'>): boolean => ctx.codes.has('personnel.health')

/**
 * Whether the caller may see the bias of a gate's thermometer: with the permission for temperatures, or for the limits (to find a faulty
 * gate).
 */
const seesBias = (ctx: Pick<Context, 'codes'>): boolean => seesHealth(ctx) || ctx.codes.has('attendance.tempSet')

const weekDays = 7
/** First bucket and number of buckets of the distribution, in tenths of a degree. */
const [firstTenth, tenths] = [365, 25]

/** Gates with their difference from the mean of their site; null for a site's only gate. */
export async function gatesOf(ctx: Pick<Context, 'db'>, projects: readonly string[] | undefined, from: Date, to: Date) {
  const { rows } = await sql<{
    projectName: string
    terminalCode: string
    channel: string | null
    count: number
    mean: number
    site: number
    beside: number
  }>`
    select p.name as project_name, e.terminal_code, max(e.channel) as channel, count(*)::int as count, avg(e.temperature)::float as mean,
      (sum(sum(e.temperature)) over (partition by e.project_code) / sum(count(*)) over (partition by e.project_code))::float as site,
      (count(*) over (partition by e.project_code))::int as beside
    from attendance_event e join project p on p.project_code = e.project_code where e.time >= ${from} and e.time < ${to} and e.temperature between ${bodyRange.low} and ${bodyRange.high}
      and ${projects ? sql`e.project_code = any (${[...projects]})` : sql`true`}
    group by e.project_code, 1, 2 order by 4 desc limit 100`.execute(ctx.db)
  return rows.map(({ mean, site, beside, ...r }) => ({ ...r, mean: round1(mean), bias: beside > 1 ? round1(mean - site) : null }))
}
export const round1 = (n: number): number => Math.round(n * 10) / 10

async function reachedOf(ctx: Context, projectCode: string) {
  const { rows } = await sql<{ tenth: number; people: number }>`
    select least(floor(t * 10)::int, ${firstTenth + tenths - 1}) as tenth, count(*)::int as people from (
      select max(e.temperature) as t from attendance_event e where e.project_code = ${projectCode} and e.worker_id is not null
        and e.time >= ${new Date(ctx.clock.now() - weekDays * dayMs)} and e.temperature between ${firstTenth / 10} and ${bodyRange.high}
      group by e.worker_id, e.work_day) warmest group by 1`.execute(ctx.db)
  const at = new Map(rows.map((r) => [r.tenth, r.people]))
  let above = 0
  return Array.from({ length: tenths }, (_, i) => firstTenth + tenths - 1 - i)
    .map((tenth) => {
      above += at.get(tenth) ?? 0
      return { value: tenth / 10, people: above }
    })
    .reverse()
}

export async function saveSetting(ctx: Context, body: Body) {
  const projectCode = oneProject(ctx, body.projectCode)
  const found = await ctx.db
    .selectFrom('tempAlarmSetting')
    .select(['version', 'value'])
    .where('projectCode', '=', projectCode)
    .forUpdate()
    .executeTakeFirst()
  if ((found?.version ?? 0) !== body.version) throw changedMeanwhile('设置')
  const version = body.version + 1
  const value = { value: JSON.stringify(body.setting), version, updateName: ctx.user.name, updateTime: new Date(ctx.clock.now()) }
  await ctx.db
    .insertInto('tempAlarmSetting')
    .values({ projectCode, ...value })
    .onConflict((oc) => oc.column('projectCode').doUpdateSet(value))
    .execute()
  ctx.note(`体温预警设置：${changesOf(tempSetting.parse(found?.value ?? {}), body.setting)}`, projectCode)
  return { version }
}

const words: Partial<Record<keyof TempSetting, string>> = {
  measuring: '测温',
  mode: '防疫模式',
  threshold: '预警体温',
  high: '高热体温',
  retentionDays: '保存天数',
  tellRoles: '接收角色',
  tellChannels: '通知方式',
  gateOffsets: '闸机偏差',
}
/** Old and new values of the changed settings, for the audit log. */
const changesOf = (before: TempSetting, after: TempSetting): string =>
  (Object.entries(words) as [keyof TempSetting, string][])
    .filter(([key]) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map(([key, word]) => `${word} ${JSON.stringify(before[key])} → ${JSON.stringify(after[key])}`)
    .join('，') || '没有变化'
