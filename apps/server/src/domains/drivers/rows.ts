import {
  type DriverDetail,
  type DriverRow,
  type driverDevices,
  driverRow,
  type driverSetup,
  driverStates,
  type listDrivers,
  sendStates,
} from '@zhugong/contract/drivers/calls'
import { checksOf, driverFamilies, driverTypes, drivingTypes, endingDays } from '@zhugong/contract/drivers/rules'
import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  filtersOf,
  inProjects,
  orderBy,
  pageSlice,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linkOf, linksOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { driverKind, driverKindName, driverLabels, readDriverRow } from './kind.ts'
import { standingOf } from './writes.ts'

type DriverQuery = Partial<NonNullable<(typeof listDrivers)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>
type Reader = Viewer & Pick<Context, 'db' | 'secrets'>

const today = (ctx: Pick<Context, 'clock'>) => formatDay(ctx.clock.now())
const isValid = (ctx: Pick<Context, 'clock'>) => sql`(d.state = '1' and d.cert_valid_end >= ${today(ctx)}::date)`
const isEnding = (ctx: Pick<Context, 'clock'>) =>
  sql`(d.state = '1' and d.cert_valid_end between ${today(ctx)}::date and ${addDays(today(ctx), endingDays)}::date)`

export function driverConditions(ctx: Viewer, query: DriverQuery): Condition {
  return allOf(
    ...inProjects('d.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      name: [contains, 'd.name'],
      certNo: [contains, 'd.certNo'],
      driverType: [anyOf, 'd.driverType'],
      certType: [anyOf, 'd.certType'],
      certValidEnd: [daysBetween, 'd.certValidEnd'],
      auditStatus: [anyOf, 'd.state'],
      ending: (value) => condition(value ? isEnding(ctx) : sql`not ${isEnding(ctx)}`),
      deviceId: (value) => condition(sql`exists (select from machine_driver_device m where m.driver_id = d.id and m.device_id = ${value})`),
    }),
  )
}

const order = (sort: DriverQuery['sort']) =>
  sort === undefined
    ? // Waiting ones first, then whose licence ends first.
      sql`d.state <> '0', d.cert_valid_end, d.id`
    : orderBy(sort, { auditStatus: 'd.state!', certValidEnd: 'd.certValidEnd!', name: 'd.name!' }, 'certValidEnd', 'd.id')

type Machine = { deviceId: string; name: string; family: string; state: string | null; reason: string | null; consent: boolean }
type RawDriver = Row<'machineDriver'> & {
  projectName: string
  corpName: string
  photo: string | null
  devices: Machine[]
  recognised: Date | null
}
const recognisedDays = 30

/** Machines of a driver with what each answered. */
const machinesOf = sql`coalesce((select jsonb_agg(jsonb_build_object('deviceId', v.id, 'name', v.name, 'family', v.family, 'state', f.state,
    'reason', f.reason, 'consent', w.consents @> '[{"kind":"face","state":"同意"}]') order by v.name, v.id)
  from machine_driver_device m join device v on v.id = m.device_id left join gate_face f on f.device_id = v.id and f.worker_id = d.worker_id
  where m.driver_id = d.id), '[]')`

export async function readDrivers(
  ctx: Reader,
  where: Condition,
  { sort, limit, offset }: { sort?: DriverQuery['sort']; limit?: number; offset?: number },
): Promise<DriverRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const since = new Date(ctx.clock.now() - recognisedDays * dayMs)
  const { rows } = await sql<RawDriver>`select d.*, j.name as project_name, k.corp_name, coalesce(w.face_photo, w.head_image) as photo,
      ${machinesOf} as devices,
      (select max(r.ts) from machine_driver_device m join device_record r on r.device_id = m.device_id and r.record = 'workingCycle'
        and r.ts > ${since} and r.data ->> 'driverId' = d.worker_id where m.driver_id = d.id) as recognised
    from (select d.* from machine_driver d where ${where} order by ${order(sort)} ${page}) d
      join project j on j.project_code = d.project_code join corporation k on k.corp_code = d.corp_code join worker w on w.id = d.worker_id
    order by ${order(sort)}`.execute(ctx.db)
  return rows.map((row) => toRow(ctx, row))
}

function sendOf({ state, reason, consent }: Machine, driverState: string) {
  if (state === '1') return { send: 'sent' as const, sendText: sendStates.sent }
  if (state === '2') return { send: 'failed' as const, sendText: `${sendStates.failed}：${reason ?? '设备拒绝'}` }
  if (state === '3') return { send: 'leaving' as const, sendText: sendStates.leaving }
  if (state === '0') return { send: 'waiting' as const, sendText: sendStates.waiting }
  return { send: 'none' as const, sendText: driverState === '1' && !consent ? '未同意使用人脸，刷卡识别' : sendStates.none }
}

function toRow(ctx: Pick<Context, 'secrets' | 'clock'>, d: RawDriver): DriverRow {
  const day = today(ctx)
  return rowOf(driverRow, d, {
    idCardNumber: d.idCardMask,
    phone: d.phoneMask,
    photo: linkOf(ctx, d.photo),
    driverTypeName: driverTypes[d.driverType]?.name ?? d.driverType,
    certTypeName: dictName('specialCertType', d.certType) ?? d.certType,
    daysLeft: Math.round((Date.parse(d.certValidEnd) - Date.parse(day)) / dayMs),
    devices: d.devices.map((one) => ({ deviceId: one.deviceId, name: one.name, family: one.family, ...sendOf(one, d.state) })),
    lastRecognised: d.recognised && formatInstant(d.recognised),
    auditStatus: d.state,
    auditStatusName: driverStates[d.state],
  })
}

export async function countDrivers(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from machine_driver d where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Machines that somebody drives, as `v`. */
const machines = (ctx: Viewer, projectCode: string | undefined) =>
  allOf(
    ...inProjects('v.projectCode', projectsFor(ctx, projectCode)),
    condition(sql`v.status = '1' and v.family = any (${[...driverFamilies]})`),
  )
const isBare = (ctx: Viewer) => sql`not exists (select from machine_driver_device m join machine_driver d on d.id = m.driver_id
  where m.device_id = v.id and d.driver_type = any (${[...drivingTypes]}) and ${isValid(ctx)})`

export const readDriverList: HandlerOf<typeof listDrivers> = async ({ query }, ctx) => {
  const where = driverConditions(ctx, query)
  const all = driverConditions(ctx, { projectCode: query.projectCode })
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } = await sql<{ passed: number; waiting: number; ending: number }>`select ${n(sql`d.state = '1'`)} as passed,
      ${n(sql`d.state = '0'`)} as waiting, ${n(isEnding(ctx))} as ending from machine_driver d where ${all}`.execute(ctx.db)
  const bare = await sql<{
    n: number
  }>`select count(*)::int as n from device v where ${machines(ctx, query.projectCode)} and ${isBare(ctx)}`.execute(ctx.db)
  return {
    list: await readDrivers(ctx, where, { sort: query.sort, ...pageSlice(query) }),
    total: await countDrivers(ctx, where),
    counts: { ...(rows[0] ?? { passed: 0, waiting: 0, ending: 0 }), bare: bare.rows[0]?.n ?? 0 },
  }
}

export const readDriverDevices: HandlerOf<typeof driverDevices> = async ({ query }, ctx) => {
  const where = allOf(
    machines(ctx, query.projectCode),
    ...contains('v.name', query.name),
    ...(query.bare === undefined ? [] : [condition(query.bare ? isBare(ctx) : sql`not ${isBare(ctx)}`)]),
  )
  type Known = { id: string; name: string; driverType: string; certValidEnd: string; valid: boolean }
  type Raw = { deviceId: string; name: string; family: string; projectCode: string; projectName: string; drivers: Known[] }
  const by = orderBy(query.sort, { name: 'v.name!', projectName: 'j.name' }, 'projectName', 'v.id')
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Raw>`select v.id as device_id, v.name, v.family, v.project_code, j.name as project_name,
      coalesce((select jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'driverType', d.driver_type, 'certValidEnd', d.cert_valid_end,
          'valid', ${isValid(ctx)}) order by d.driver_type, d.name, d.id)
        from machine_driver_device m join machine_driver d on d.id = m.driver_id where m.device_id = v.id), '[]') as drivers
    from device v join project j on j.project_code = v.project_code where ${where} order by ${by} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const count = await sql<{ n: number }>`select count(*)::int as n from device v where ${where}`.execute(ctx.db)
  return {
    list: rows.map(({ drivers, ...row }) => ({
      ...row,
      drivers: drivers.map(({ driverType, ...one }) => ({ ...one, driverTypeName: driverTypes[driverType]?.name ?? driverType })),
      gap: gapOf(drivers),
    })),
    total: count.rows[0]?.n ?? 0,
  }
}

function gapOf(drivers: readonly { driverType: string; valid: boolean }[]): string | null {
  const driving = drivers.filter((one) => drivingTypes.includes(one.driverType))
  if (driving.some((one) => one.valid)) return null
  return driving.length === 0 ? '没有登记司机' : '司机未审核通过或证书已到期'
}

const shownDays = 14
const shownAlarms = 50
export async function readDriver(ctx: Context, id: string): Promise<DriverDetail> {
  const [row] = await readDrivers(ctx, allOf(...equals('d.id', id), ...inProjects('d.projectCode', projectsFor(ctx))), {})
  const shown = found(row, driverKind.noun)
  const driver = await readDriverRow(ctx, id)
  const worker = await sql<{ realName: boolean }>`select coalesce(w.real_name_state = '1', false) as real_name from worker w
    where w.id = ${driver.workerId}`.execute(ctx.db)
  const machineState = await standingOf(ctx, driver)
  const { driverType, certType, certValidEnd } = driver
  const from = new Date(ctx.clock.now() - shownDays * dayMs)
  const days = await sql<
    DriverDetail['days'][number]
  >`select to_char(r.ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, v.id as device_id,
      v.name as device_name, count(*)::int as cycles
    from machine_driver_device m join device v on v.id = m.device_id join device_record r on r.device_id = v.id and r.record = 'workingCycle'
    where m.driver_id = ${id} and r.ts > ${from} and r.data ->> 'driverId' = ${driver.workerId} group by 1, 2, 3 order by 1 desc, 3`.execute(
    ctx.db,
  )
  type Alarm = { id: string; at: Date; deviceName: string; label: string; level: number }
  const alarms = await sql<Alarm>`select a.id, a.start_time as at, a.device_name, a.label, a.level::int as level
    from machine_driver_device m join alarm a on a.device_id = m.device_id
    where m.driver_id = ${id} and a.start_time > ${from} and not a.simulated and not a.historical and exists (
      select from device_record r where r.device_id = a.device_id and r.record = 'workingCycle' and r.data ->> 'driverId' = ${driver.workerId}
        and r.ts between a.start_time - interval '10 minutes' and a.start_time + interval '10 minutes')
    order by a.start_time desc limit ${shownAlarms}`.execute(ctx.db)
  return {
    ...shown,
    certFiles: linksOf(ctx, driver.certFiles),
    checks: checksOf({ driverType, certType, certValidEnd, realName: worker.rows[0]?.realName ?? false, ...machineState }, today(ctx)),
    days: days.rows,
    alarms: alarms.rows.map(({ at, ...one }) => ({ ...one, at: formatInstant(at) })),
    timeline: await historyOf(ctx, driverKindName, id, driverLabels),
    actions: offersFor(ctx, driverKind, driver),
  }
}

const mostWorkers = 500
export const readSetup: HandlerOf<typeof driverSetup> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const day = today(ctx)
  type Cert = { id: string; certNo: string; certType: string; validEnd: string | null }
  type Raw = { workerId: string; name: string; idCardNumber: string; teamName: string | null; faceConsent: boolean; certs: Cert[] }
  const { rows } = await sql<Raw>`select pw.worker_id, pw.worker_name as name, pw.id_card_mask as id_card_number, t.team_name,
      coalesce(w.consents @> '[{"kind":"face","state":"同意"}]', false) as face_consent,
      jsonb_agg(jsonb_build_object('id', c.id, 'certNo', c.cert_no, 'certType', c.special_type, 'validEnd', c.valid_end) order by c.valid_end desc nulls first, c.id) as certs
    from project_worker pw join worker w on w.id = pw.worker_id join worker_cert c on c.worker_id = pw.worker_id and c.special_type is not null
      and c.cert_type in ('7', '8') left join team t on t.id = pw.team_id
    where pw.project_code = ${projectCode} and pw.exit_time is null and not pw.black_hit
    group by 1, 2, 3, 4, 5 order by 2, 1 limit ${mostWorkers}`.execute(ctx.db)
  const devices = await sql<{ id: string; name: string; family: string }>`select id, name, family from device
    where project_code = ${projectCode} and status = '1' and family = any (${[...driverFamilies]}) order by name, id`.execute(ctx.db)
  return {
    workers: rows.map(({ certs, ...one }) => ({
      ...one,
      certs: certs.map(({ validEnd, ...cert }) => ({
        ...cert,
        certTypeName: dictName('specialCertType', cert.certType) ?? cert.certType,
        validEnd: validEnd ?? '长期',
        ended: validEnd !== null && validEnd < day,
      })),
    })),
    devices: devices.rows,
  }
}
