import * as calls from '@zhugong/contract/alarms/endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, anyOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { actionsFor, actOn, holdItem, type ItemActions, itemOf, newestItem, startFlow } from '../workflow/public.ts'
import { flowStart, shortKeys, suppressKind } from './suppress-flow.ts'

const shortMs = 2 * 3_600_000
const longestMs = 30 * 86_400_000
/** Tolerance for the client's clock. */
const pastMs = 5 * 60_000

interface Row {
  id: string
  projectCode: string
  deviceId: string
  deviceName: string
  family: string
  point: string
  alarmKeys: string[]
  kind: string
  reason: string
  personName: string
  fromTime: Date
  untilTime: Date
  createBy: string | null
  state: string
  opinion: string | null
  decidedName: string | null
  version: number
}

function toSuppression(r: Row, now: number, available: ItemActions | undefined): calls.SuppressRow {
  const family = familyOf(r.family)
  return rowOf(calls.suppressRow, r, {
    alarmLabels: r.alarmKeys.map((key) => family?.alarm(key)?.label ?? key),
    from: r.fromTime.getTime(),
    until: r.untilTime.getTime(),
    active: r.state === approvalStates.passed && r.fromTime.getTime() <= now && now < r.untilTime.getTime(),
    stateName: dictName('approvalState', r.state),
    askedName: r.createBy,
    itemId: available?.itemId ?? null,
    actions: decisions.filter((one) => available?.actions.includes(one)),
  })
}

const decisions = ['pass', 'reject', 'withdraw'] as const
const columns = sql`s.id, s.project_code, s.device_id, d.name as device_name, d.family, s.point, s.alarm_keys, s.kind, s.reason, s.person_name, s.from_time, s.until_time, s.create_by, s.state, s.opinion, s.decided_name, s.version`

export function suppressionRoutes(serve: Serve): void {
  serve(calls.listSuppressions, listSuppressions)
  serve(calls.startSuppression, startSuppression)
  serve(calls.actOnSuppression, actOnSuppression)
}

const listSuppressions: HandlerOf<typeof calls.listSuppressions> = async ({ query }, ctx) => {
  const now = ctx.clock.now()
  const running = sql`(s.state = ${approvalStates.passed} and s.from_time <= ${new Date(now)} and s.until_time > ${new Date(now)})`
  const where = allOf(
    ...inProjects('s.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('s.device_id', query.deviceId),
    ...anyOf('s.state', query.state),
    ...(query.active === undefined ? [] : [condition(query.active ? running : sql`not ${running}`)]),
  )
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<
    Row & { total: number }
  >`select ${columns}, count(*) over ()::int as total from device_suppress s join device d on d.id = s.device_id
      where ${where} order by s.state <> ${approvalStates.running}, s.until_time desc, s.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const actions = await actionsFor(
    ctx,
    suppressKind,
    rows.map((r) => r.id),
  )
  return { list: rows.map((r) => toSuppression(r, now, actions.get(r.id))), total: rows[0]?.total ?? 0 }
}

const startSuppression: HandlerOf<typeof calls.startSuppression> = async ({ query, body }, ctx) => {
  const device = await deviceFor(ctx, body.deviceId, query.projectCode)
  const family = familyOf(device.family)
  const now = ctx.clock.now()
  const from = body.from ? (parseInstant(body.from) ?? now) : now
  const until = parseInstant(body.until) ?? 0
  const unknown = body.alarmKeys.find((key) => !family?.alarm(key))
  if (unknown !== undefined) throw new AppError('invalidInput', `${family?.name ?? '设备'}没有告警“${unknown}”`, { field: 'alarmKeys' })
  if (until <= Math.max(from, now)) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'until' })
  if (from < now - pastMs) throw new AppError('invalidInput', '不能停用过去的告警', { field: 'from' })
  if (until - from > longestMs) throw new AppError('invalidInput', '一次最多停用 30 天', { field: 'until' })
  const keys = body.alarmKeys.length ? [...new Set(body.alarmKeys)] : (family?.alarms.map((a) => a.key) ?? [])
  const short = keys.filter((key) => shortKeys.has(key))
  if (short.length && until - from > shortMs) {
    throw new AppError('invalidInput', `${short.map((key) => family?.alarm(key)?.label ?? key).join('、')}最多停用 2 小时`, {
      field: 'until',
    })
  }
  await checkChain(ctx, body.deviceId, short, from, until)
  const id = ctx.newId()
  await sql`insert into device_suppress (id, project_code, device_id, point, alarm_keys, kind, reason, person_name, from_time, until_time, create_by, create_time, state,
        asked_by, asked_group)
      values (${id}, ${device.projectCode}, ${device.id}, ${body.point}, ${keys}, ${body.kind}, ${body.reason}, ${body.personName}, ${new Date(from)}, ${new Date(until)},
        ${ctx.user.name}, ${new Date(now)}, ${approvalStates.running}, ${ctx.user.id}, ${ctx.group.id})`.execute(ctx.db)
  const request = { id, projectCode: device.projectCode, deviceName: device.name, alarmKeys: keys, kind: body.kind }
  const { code } = await startFlow(ctx, flowStart({ ...request, fromTime: new Date(from), untilTime: new Date(until) }, ctx.group.id))
  ctx.note(`申请临时停用告警：${device.name}（${keys.length} 项，负责人 ${body.personName}）`, id)
  return { id, code }
}

const actOnSuppression: HandlerOf<typeof calls.actOnSuppression> = async ({ params, query, body }, ctx) => {
  // Locks the approval item before the suppression, in the same order as decisions.
  await holdItem(ctx, suppressKind, params.id)
  const { rows } = await sql<Row>`select ${columns} from device_suppress s join device d on d.id = s.device_id
      where s.id = ${params.id} and ${allOf(...inProjects('s.project_code', projectsFor(ctx, query.projectCode)))} for update of s`.execute(
    ctx.db,
  )
  const row = found(rows[0], '停用记录')
  if (body.action !== 'end') return decide(ctx, row, body.action, body)
  if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'deviceSuppress', { id: row.id }, '停用记录')
  const now = ctx.clock.now()
  if (row.state !== approvalStates.passed) throw new AppError('refused', '停用尚未同意，申请人可以撤回')
  if (row.untilTime.getTime() <= now) throw new AppError('refused', '停用已经结束')
  await changeRow(ctx, 'deviceSuppress', {
    key: { id: params.id },
    version: row.version,
    noun: '停用记录',
    by: ctx.user.name,
    values: { untilTime: sql`greatest(from_time, ${new Date(now)})` },
  })
  ctx.note(`提前恢复告警：${row.deviceName}`, params.id)
  return undefined
}

type Deciding = ParsedFor<typeof calls.actOnSuppression>['body']
const verbs = { pass: '同意', reject: '驳回', withdraw: '撤回' } as const

/** Decides a request through the same flow as the approval list. */
async function decide(ctx: Context, row: Row, action: (typeof decisions)[number], { opinion, version }: Deciding): Promise<undefined> {
  const item = row.state === approvalStates.running ? await itemOf(ctx, suppressKind, row.id) : await newestItem(ctx, suppressKind, row.id)
  if (!item) throw new AppError('refused', '当前状态不允许该操作')
  if (row.state === approvalStates.running && version !== undefined && version !== row.version)
    throw await conflictOf(ctx, 'deviceSuppress', { id: row.id }, '停用申请')
  await actOn(ctx, item.id, { result: action, opinion, ...(action === 'withdraw' ? {} : { code: 'alarm.setting' }) })
  ctx.note(`${verbs[action]}临时停用告警：${row.deviceName}`, row.id)
}

/** Consecutive suppressions must not add up to more than two hours. */
async function checkChain(ctx: Context, deviceId: string, keys: readonly string[], from: number, until: number): Promise<void> {
  if (keys.length === 0) return
  const { rows } = await sql<{ fromTime: Date; untilTime: Date }>`
    select from_time, until_time from device_suppress where device_id = ${deviceId} and state = any (${[approvalStates.running, approvalStates.passed]}) and alarm_keys && ${[...keys]}::text[]
      and until_time >= ${new Date(from)} and from_time <= ${new Date(until)}`.execute(ctx.db)
  const begun = Math.min(from, ...rows.map((r) => r.fromTime.getTime()))
  const ended = Math.max(until, ...rows.map((r) => r.untilTime.getTime()))
  if (ended - begun > shortMs) throw new AppError('refused', '一级碰撞告警与 SOS 连续停用不能超过 2 小时')
}

async function deviceFor(ctx: Context, id: string, projectCode: string) {
  const { rows } = await sql<{ id: string; projectCode: string; name: string; family: string }>`
    select id, project_code, name, family from device where id = ${id} and ${allOf(...inProjects('project_code', projectsFor(ctx, projectCode)))}`.execute(
    ctx.db,
  )
  return found(rows[0], '设备')
}
