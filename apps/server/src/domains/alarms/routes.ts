import { type AlarmAction, type AlarmState, alarmMoves, alarmStates, openMoves } from '@zhugong/contract/alarms/codes'
import * as calls from '@zhugong/contract/alarms/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { sql } from 'kysely'
import { standingOf } from '#kit/acts'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, found, projectsFor, requireCode } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { requireOwnMachines } from '../equipment/public.ts'
import { fileIdsOf, keptFiles, shownLinks } from '../files/public.ts'
import { type Veil, veilFor } from '../readings/public.ts'
import { evidenceOf, thresholdOf } from './evidence.ts'
import { alarmHappened } from './outbox.ts'
import {
  type AlarmDetailRecord,
  type AlarmFilter,
  alarmSorts,
  alarmsByProject,
  countAlarms,
  dailyAlarms,
  findAlarm,
  findAlarmLog,
  findAlarms,
  newestAlarm,
  toAlarm,
  wornOf,
} from './store.ts'
import { suppressionRoutes } from './suppressions.ts'

const dayMs = 86_400_000
/** Families whose alarms a caller without `alarm.view` sees by the family's own code. */
const familyCodes: Record<string, string> = { 'tower-crane.view': 'towerCrane', 'environment.view': 'environment' }

function familiesFor(ctx: Context, asked: string[] | undefined): string[] | undefined {
  if (ctx.codes.has('alarm.view')) return asked?.length ? asked : undefined
  const allowed = Object.entries(familyCodes).flatMap(([code, family]) => (ctx.codes.has(code) ? [family] : []))
  const wanted = asked?.length ? asked.filter((f) => allowed.includes(f)) : allowed
  return wanted.length ? wanted : ['']
}

export function alarmRoutes(serve: Serve): void {
  serve(calls.listAlarms, async ({ query }, ctx) => {
    if (query.sort && !alarmSorts.includes(query.sort.replace(/^-/, '')))
      throw new AppError('invalidInput', '不能按此列排序', { field: 'sort' })
    const now = ctx.clock.now()
    const projects = projectsFor(ctx, query.projectCode)
    const filter: AlarmFilter = {
      projects,
      family: familiesFor(ctx, query.family),
      alarmKey: query.alarmKey,
      level: query.level,
      state: query.state,
      active: query.active,
      deviceId: query.deviceId,
      deviceName: query.deviceName,
      handlerName: query.handlerName,
      from: query.startTime ? parseInstant(query.startTime) : undefined,
      to: query.endTime ? parseInstant(query.endTime) : undefined,
      simulated: query.simulated,
      historical: query.historical,
    }
    const counts = await countAlarms(ctx.db, filter, startOfDay(formatDay(now)), now)
    if (query.groupBy === 'project') return { ...(await alarmsByProject(ctx.db, filter, pageSlice(query), now)), counts, last: null }
    const { rows, total } = await findAlarms(ctx.db, filter, pageSlice(query), query.sort)
    const veil = await veilFor(ctx, rows.map(wornOf))
    return { list: rows.map((r) => toAlarm(r, now, veil)), total, counts, last: total ? null : await newestAlarm(ctx.db, projects) }
  })

  serve(calls.getAlarm, async ({ params, query }, ctx) => {
    const row = await getAlarm(ctx, params.id, query.projectCode)
    const [log, evidence, threshold] = [
      await findAlarmLog(ctx.db, row.id),
      await evidenceOf(ctx.db, row, ctx.clock.now()),
      await thresholdOf(ctx.db, row),
    ]
    const worn = wornOf(row)
    const veil = await veilFor(ctx, [worn])
    return {
      ...toDetail(row, ctx, veil),
      // The machine's own lines say how high a value was.
      log: veil.seesMetric(worn, row.metric, 'now') && veil.seesPerson(worn) ? log : log.map((l) => (l.byName ? l : { ...l, text: '' })),
      evidence: evidence.map((r) => ({ ...r, values: veil.values(worn, r.values, 'now') })),
      ...threshold,
    }
  })

  serve(calls.actOnAlarm, async ({ params, query, body }, ctx) => {
    const move = alarmMoves[body.action]
    requireCode(ctx, move.needs)
    const row = await getAlarm(ctx, params.id, query.projectCode, true)
    await requireOwnMachines(ctx, [row.deviceId])
    if (ctx.scopeChecks && !movesOf(ctx, row).includes(body.action)) throw new AppError('forbidden', `${move.label}由项目或总承包单位办理`)
    const now = ctx.clock.now()
    if (body.version !== undefined && body.version !== row.version) {
      throw new AppError('conflict', `${row.handlerName ?? '其他人'}刚刚处理过这条告警，请刷新后再试`, { version: row.version })
    }
    if (!move.from.includes(row.state as AlarmState)) {
      throw new AppError('refused', `告警${alarmStates[row.state as AlarmState] ?? ''}，不能${move.label}`, { state: row.state })
    }
    check(row, body)
    const note = body.measure ?? body.reason ?? ''
    const photos = await keptFiles(ctx, fileIdsOf(body.photos), row.photos, 'photos')
    await sql`
      update alarm set version = version + 1,
        state = ${move.to ?? row.state},
        handler_name = ${move.to && body.action !== 'reopen' ? ctx.user.name : row.handlerName},
        handle_time = ${move.to && body.action !== 'reopen' ? new Date(now) : row.handleTime},
        measure = coalesce(${body.measure ?? null}, measure),
        outcome = coalesce(${body.outcome ?? body.reason ?? null}, outcome),
        photos = case when ${photos.length > 0} then ${JSON.stringify(photos)}::jsonb else photos end
      where id = ${row.id}`.execute(ctx.db)
    await sql`
      insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
      values (${ctx.newId()}, ${row.id}, ${row.projectCode}, ${new Date(now)}, ${body.action}, ${note ? `${move.label}：${note}` : move.label}, ${ctx.user.name})`.execute(
      ctx.db,
    )
    // A drill that is closed is over.
    if (row.simulated && row.active && body.action === 'close') {
      await sql`update alarm set active = false, clear_time = ${new Date(now)}, clear_reason = 'simulatedEnd' where id = ${row.id}`.execute(
        ctx.db,
      )
    }
    await alarmHappened(ctx.db, {
      alarmId: row.id,
      projectCode: row.projectCode,
      event: body.action,
      level: row.level,
      at: now,
      detail: { by: ctx.user.name, userId: ctx.user.id, ...(note ? { note } : {}), ...(row.simulated ? { simulated: true } : {}) },
    })
    // The ingest tells those who watch; it hears of it when this request is committed.
    await sql`select pg_notify('zg_fleet', ${`alarm:${row.id}`})`.execute(ctx.db)
    ctx.note(`${move.label}告警：${row.label}（${row.deviceName}）`, row.id)
    return toAlarm(found(await findAlarm(ctx.db, row.id, undefined), '告警'), now, await veilFor(ctx, [wornOf(row)]))
  })

  const daily =
    (family: string) =>
    async (
      {
        query,
      }: {
        query: {
          projectCode?: string | undefined
          deviceId?: string | undefined
          startTime?: string | undefined
          endTime?: string | undefined
          groupBy: 'day' | 'device' | 'project'
        }
      },
      ctx: Context,
    ) => {
      const now = ctx.clock.now()
      const to = query.endTime ? (parseInstant(query.endTime) ?? now) : now
      const from = query.startTime ? (parseInstant(query.startTime) ?? to) : startOfDay(formatDay(now)) - 29 * dayMs
      if (to - from > 400 * dayMs) throw new AppError('invalidInput', '时间范围最多 400 天', { field: 'startTime' })
      const list = await dailyAlarms(
        ctx.db,
        family,
        projectsFor(ctx, query.projectCode),
        query.deviceId,
        { from, to: to + 1 },
        query.groupBy,
      )
      return { list, total: list.length }
    }
  serve(calls.towerDailyAlarms, daily('towerCrane'))
  serve(calls.envDailyAlarms, daily('environment'))
  suppressionRoutes(serve)
}

async function getAlarm(ctx: Context, id: string, projectCode: string | undefined, lock = false): Promise<AlarmDetailRecord> {
  const row = found(await findAlarm(ctx.db, id, projectsFor(ctx, projectCode), lock), '告警')
  const families = familiesFor(ctx, undefined)
  if (!lock && families && !families.includes(row.family)) throw new AppError('notFound', '告警不存在或已删除')
  return row
}

const mostSerious = 2
const shortestMeasure = 5

/** Levels 1 and 2 are handled with pictures and closed by somebody who says why. */
function check(
  row: AlarmDetailRecord,
  body: { action: AlarmAction; measure?: string | undefined; photos: string[]; reason?: string | undefined },
): void {
  const serious = row.maxLevel <= mostSerious
  if (body.action === 'handle') {
    if ((body.measure?.length ?? 0) < shortestMeasure)
      throw new AppError('invalidInput', `处置措施至少 ${shortestMeasure} 个字`, { field: 'measure' })
    if (serious && body.photos.length === 0 && row.photos.length === 0)
      throw new AppError('invalidInput', '一、二级告警处置须附照片', { field: 'photos' })
  }
  if ((body.action === 'false' || body.action === 'ignore' || body.action === 'reopen') && !body.reason) {
    throw new AppError('invalidInput', '请填写原因', { field: 'reason' })
  }
  if (body.action === 'close') {
    if (row.active && !row.simulated) throw new AppError('refused', '告警仍在持续，恢复后才能关闭')
    if (serious && !row.simulated && row.state !== 'handled') throw new AppError('refused', '一、二级告警须先处置再关闭')
  }
  if (body.action === 'urge' && !serious) throw new AppError('refused', '只能督办一、二级告警')
}

const movesOf = (ctx: Context, row: AlarmDetailRecord) =>
  openMoves(standingOf(ctx.principal.scope), { projectCode: row.projectCode, corpCode: row.ownerCorp })

function toDetail(row: AlarmDetailRecord, ctx: Context, veil: Veil) {
  return {
    ...toAlarm(row, ctx.clock.now(), veil),
    sources: row.sources,
    reopened: row.reopened,
    valuesUsed: veil.values(wornOf(row), row.valuesUsed, 'now'),
    ruleId: row.ruleId,
    ruleName: row.ruleName,
    ruleVersion: row.ruleVersion,
    measure: row.measure,
    photos: shownLinks(ctx, row.photos),
    outcome: row.outcome,
    actions: movesOf(ctx, row).filter((action) => {
      const move = alarmMoves[action]
      if (!ctx.codes.has(move.needs) || !move.from.includes(row.state as AlarmState)) return false
      if (action === 'close') return row.simulated || (!row.active && (row.maxLevel > mostSerious || row.state === 'handled'))
      return action !== 'urge' || row.maxLevel <= mostSerious
    }),
  }
}
