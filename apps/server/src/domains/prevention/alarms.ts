import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { mayTurnTemp, type TempAction, tempActions, tempLevelNames, tempStateNames } from '@zhugong/contract/prevention/codes'
import type * as contract from '@zhugong/contract/prevention/endpoints'
import { type TempAlarmRow, tempAlarmRow } from '@zhugong/contract/prevention/endpoints'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { recordLook } from '../access/public.ts'
import type { ListContext } from '../exports/registry.ts'
import { seesHealth, settingFor } from './settings.ts'
import type { CourseLine } from './tables.ts'

type ListQuery = NonNullable<(typeof contract.listTempAlarms)['types']>['parsed']['query']
type ActInput = NonNullable<(typeof contract.actOnTempAlarms)['types']>['parsed']

export type RawAlarm = Row<'tempAlarm'> & { name: string; projectName: string | null; corpName: string | null; teamName: string | null }
const alarmsWithPeople = sql`
  select a.*, w.worker_name as name, p.name as project_name, c.corp_name, t.team_name from temp_alarm a join project p using (project_code)
    left join lateral (select worker_name from project_worker w where w.project_code = a.project_code and w.worker_id = a.worker_id
      order by w.entry_time desc limit 1) w on true
    left join corporation c on c.corp_code = a.corp_code left join team t on t.id = a.team_id`

/** 未处理与处理中 (open states), for list and figures. */
const isOpen = (alias: string): Condition => condition(sql`${sql.ref(`${alias}.handleState`)} in ('0', '1')`)

const conditions = (query: Partial<ListQuery>, projects: readonly string[] | undefined): Condition =>
  allOf(
    ...inProjects('a.projectCode', projects),
    ...contains('a.name', query.name),
    ...contains('a.channel', query.channel),
    ...anyOf('a.level', query.level),
    ...anyOf('a.handleState', query.handleState),
    ...instantsBetween('a.time', query.time),
    ...equals('a.workerId', query.workerId),
    ...(query.rechecked === undefined ? [] : [condition(query.rechecked ? sql`a.recheck_time is not null` : sql`a.recheck_time is null`)]),
  )

export async function findTempAlarms(ctx: ListContext, query: ListQuery): Promise<RawAlarm[]> {
  const { limit, offset } = pageSlice(query)
  const by = query.sort
    ? orderBy(query.sort, { time: 'a.time!', handleState: 'a.handleState!', level: 'a.level!', name: 'a.name' }, '-time', 'a.id')
    : sql`(a.handle_state in ('0', '1')) desc, a.level desc, a.time desc, a.id`
  const { rows } = await sql<RawAlarm>`
    select * from (${alarmsWithPeople}) a where ${conditions(query, projectsFor(ctx, query.projectCode))} order by ${by} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return rows
}
export async function countTempAlarms(ctx: ListContext, query: Partial<ListQuery>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${alarmsWithPeople}) a where ${conditions(query, projectsFor(ctx, query.projectCode))}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export function toTempAlarm(ctx: Pick<Context, 'codes'>, a: RawAlarm): TempAlarmRow {
  const sees = seesHealth(ctx)
  const at = (date: Date | null) => (date ? formatInstant(date) : null)
  return rowOf(tempAlarmRow, a, {
    temperature: sees ? a.temperature : null,
    levelName: tempLevelNames[a.level] ?? a.level,
    time: formatInstant(a.time),
    lastTime: formatInstant(a.lastTime),
    recheck: sees ? a.recheck : null,
    rechecked: a.recheckTime !== null,
    recheckTime: at(a.recheckTime),
    handleStateName: tempStateNames[a.handleState] ?? a.handleState,
    handleTime: at(a.handleTime),
    // The outcome reveals illness like a temperature does.
    outcome: sees ? a.outcome : null,
    actions: (Object.keys(tempActions) as TempAction[]).filter((action) => mayTurnTemp(a.handleState, action)),
  })
}

export async function tempAlarmPage(ctx: Context, query: ListQuery) {
  const now = ctx.clock.now()
  const within = allOf(...inProjects('a.projectCode', projectsFor(ctx, query.projectCode)))
  const { rows } = await sql<{ open: number; today: number; checks: number; normal: number; minutes: number | null }>`
    select count(*) filter (where ${isOpen('a')})::int as open,
      count(*) filter (where a.time >= ${new Date(startOfDay(formatDay(now)))})::int as today,
      count(*) filter (where a.recheck_time is not null)::int as checks, count(*) filter (where a.recheck < a.threshold)::int as normal,
      (avg(extract(epoch from a.handle_time - a.time) / 60) filter (where a.handle_time is not null and a.time >= ${new Date(now - 30 * dayMs)}))::float as minutes
    from temp_alarm a where ${within}`.execute(ctx.db)
  const sums = rows[0]
  return {
    list: (await findTempAlarms(ctx, query)).map((a) => toTempAlarm(ctx, a)),
    total: await countTempAlarms(ctx, query),
    counts: {
      open: sums?.open ?? 0,
      today: sums?.today ?? 0,
      recheckNormal: sums?.checks ? Math.round((sums.normal / sums.checks) * 1000) / 10 : null,
      meanMinutes: sums?.minutes === null || sums?.minutes === undefined ? null : Math.round(sums.minutes),
    },
    health: seesHealth(ctx),
  }
}

/** Number of the person's readings shown, and the time around the alarm for which the gate's readings are shown. */
const [ownShown, aroundMs] = [10, 30 * 60_000]

export async function tempAlarmDetail(ctx: Context, id: string) {
  const { rows } = await sql<RawAlarm>`
    select * from (${alarmsWithPeople}) a where a.id = ${id} and ${allOf(...inProjects('a.projectCode', projectsFor(ctx)))}`.execute(ctx.db)
  const alarm = found(rows[0], '体温预警记录')
  const sees = seesHealth(ctx)
  if (sees) await recordLook(ctx, { objectId: alarm.workerId, summary: '查看体温预警', projectCode: alarm.projectCode })
  const setting = await settingFor(ctx.db, alarm.projectCode)
  const own = sees
    ? await sql<{ time: Date; channel: string | null; value: number }>`
        select time, channel, temperature::float as value from attendance_event where project_code = ${alarm.projectCode} and worker_id = ${alarm.workerId}
          and temperature is not null and time <= ${new Date(alarm.lastTime.getTime() + dayMs)} order by time desc limit ${ownShown}`.execute(
        ctx.db,
      )
    : { rows: [] }
  const gate = sees
    ? await sql<{ time: Date; value: number }>`
        select time, temperature::float as value from attendance_event where project_code = ${alarm.projectCode} and terminal_code = ${alarm.terminalCode}
          and temperature is not null and time between ${new Date(alarm.time.getTime() - aroundMs)} and ${new Date(alarm.time.getTime() + aroundMs)}
        order by time limit 500`.execute(ctx.db)
    : { rows: [] }
  return {
    ...toTempAlarm(ctx, alarm),
    offset: setting.gateOffsets.find((g) => g.terminalCode === alarm.terminalCode)?.offset ?? 0,
    own: own.rows.map((r) => ({ ...r, time: formatInstant(r.time) })),
    gate: gate.rows.map((r) => ({ ...r, time: formatInstant(r.time) })),
    course: (alarm.course ?? []).map((c) => ({ ...c, at: formatInstant(c.at), text: sees ? c.text : '' })),
    health: sees,
  }
}

export async function actOnAlarms(ctx: Context, { query, body }: ActInput) {
  const { action } = body
  const { to, name } = tempActions[action]
  if (action === 'recheck' && body.value === undefined) throw new AppError('invalidInput', '请填写复测体温', { field: 'value' })
  if (action === 'recheck' && body.items.length > 1) throw new AppError('invalidInput', '复测逐人登记', { field: 'items' })
  if (action === 'handle' && body.remark.length < 2) throw new AppError('invalidInput', '请填写处理说明', { field: 'remark' })
  if (action === 'mistake' && body.remark.length < 2) throw new AppError('invalidInput', '请填写误报原因', { field: 'remark' })
  const { rows: found } = await sql<Row<'tempAlarm'>>`
    select * from temp_alarm a where a.id = any (${body.items.map((i) => i.id)})
      and ${allOf(...inProjects('a.projectCode', projectsFor(ctx, query.projectCode)))} for update`.execute(ctx.db)
  if (found.length === 0) throw new AppError('notFound', '体温预警记录不存在或不在您的管辖范围内')
  const byId = new Map(found.map((a) => [a.id, a]))
  const now = ctx.clock.now()
  const skipped: { id: string; reason: string }[] = []
  let done = 0
  for (const { id, version } of body.items) {
    const alarm = byId.get(id)
    const reason = !alarm
      ? '记录不存在或不在您的管辖范围内'
      : alarm.version !== version
        ? '记录已有变化，请刷新后再处理'
        : mayTurnTemp(alarm.handleState, action)
          ? undefined
          : `当前状态不能${name}`
    if (!alarm || reason) {
      skipped.push({ id, reason: reason ?? '' })
      continue
    }
    const line: CourseLine = {
      at: now,
      name: ctx.user.name,
      action: name,
      text: [body.value === undefined ? '' : `${body.value.toFixed(1)} °C`, body.outcome ?? '', body.remark].filter(Boolean).join('，'),
    }
    const ends = to === '2' || to === '4'
    await changeRow(ctx, 'tempAlarm', {
      key: { id },
      version,
      noun: '告警',
      values: {
        handleState: to,
        handler: ctx.user.id,
        handlerName: ctx.user.name,
        handleTime: ends ? new Date(now) : undefined,
        outcome: ends ? (body.outcome ?? null) : undefined,
        recheck: action === 'recheck' ? (body.value ?? null) : undefined,
        recheckTime: action === 'recheck' ? new Date(now) : undefined,
        course: JSON.stringify([...(alarm.course ?? []), line]),
      },
    })
    done++
  }
  if (done === 0) throw new AppError('refused', skipped[0]?.reason ?? '没有可处理的记录')
  ctx.note(`体温预警${name} ${done} 条`)
  return { done, skipped }
}
