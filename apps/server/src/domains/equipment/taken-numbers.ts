import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { recordEvent } from '../access/public.ts'

/**
 * Serial numbers, MNs, card numbers and camera numbers are unique across the product, so a refused registration reveals that a number is in
 * use somewhere. The refusal names nobody, is audited, and appears to the platform in the list of unregistered devices. A group that
 * collects this many refusals in a day can register nothing more that day and learns nothing further.
 */
export const mostTakenADay = 20

/** The reason of a conflict in the list of unregistered devices. */
export const takenReason = 'taken'

export const serialTaken = '该序列号已登记过，不能重复登记；请核对铭牌，确为本项目设备的，请联系平台处理'
export const cameraNumberTaken = '该国标编号和通道已登记在其他设备上，请核对；确为本项目设备的，请联系平台处理'
const accessTaken = '已有设备使用相同的接入标识（MN、手机号、从站号或网关内序列号）'

type Registrar = Pick<Context, 'system' | 'clock' | 'group' | 'user' | 'scope' | 'ip'>

/** The unique identifiers of a device. */
export interface Numbers {
  deviceSn: string
  protocol: string
  accessKey: string
  camera: string | null
}

async function takenToday(ctx: Registrar): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from taken_number where group_id = ${ctx.group.id} and day = ${formatDay(ctx.clock.now())}`.execute(
    ctx.system,
  )
  return rows[0]?.n ?? 0
}

/** Call before registering a device or changing its number. Throws AppError `refused` once the group has reached its daily limit. */
export async function requireFewTaken(ctx: Registrar): Promise<void> {
  if (!ctx.scope.all && (await takenToday(ctx)) >= mostTakenADay) throw tooManyTaken()
}

const tooManyTaken = () =>
  new AppError(
    'refused',
    `今天已有 ${mostTakenADay} 个编号因与已登记的冲突被拒，今日不再受理设备登记和改号；请核对后明天再试，或联系平台处理`,
  )

export interface Taken {
  number: string
  protocol: string
}

/**
 * Records refused numbers, outside the caller's transaction because that one is rolled back.
 * Throws AppError `refused` when the group reaches its daily limit.
 */
export async function noteTaken(ctx: Registrar, numbers: readonly Taken[]): Promise<void> {
  if (numbers.length === 0) return
  const now = new Date(ctx.clock.now())
  const day = formatDay(ctx.clock.now())
  await sql`delete from taken_number where day < ${day}::date - 30`.execute(ctx.system)
  const had = await takenToday(ctx)
  const noted = numbers.slice(0, mostTakenADay)
  const names = noted.map(({ number }) => number)
  await sql`insert into taken_number (group_id, day, number, at)
    select ${ctx.group.id}, ${day}, number, ${now} from unnest(${names}::text[]) number on conflict do nothing`.execute(ctx.system)
  await sql`insert into unregistered_device as u (identifier, protocol, address, reason, count, first_time, last_time)
    select number, protocol, ${`${ctx.group.name} · ${ctx.user.name}`}, ${takenReason}, 1, ${now}, ${now}
    from unnest(${names}::text[], ${noted.map(({ protocol }) => protocol)}::text[]) as n (number, protocol)
    on conflict (identifier, reason) do update set protocol = excluded.protocol, address = excluded.address, count = u.count + 1, last_time = excluded.last_time`.execute(
    ctx.system,
  )
  await recordEvent(ctx.system, ctx.clock, {
    userId: ctx.user.id,
    account: ctx.user.account,
    userName: ctx.user.name,
    groupId: ctx.group.id,
    groupName: ctx.group.name,
    action: 'device.taken',
    summary: `登记设备被拒：编号已被登记 ${names.slice(0, 5).join('、')}${numbers.length > 5 ? ` 等 ${numbers.length} 个` : ''}`,
    result: 'refused',
    ip: ctx.ip,
  })
  if (had + numbers.length > mostTakenADay && (await takenToday(ctx)) >= mostTakenADay) throw tooManyTaken()
}

/**
 * Runs a write of a device and turns a unique violation into a refusal at its field; counts it when the existing device is not visible to
 * the caller.
 */
export async function guarded<T>(ctx: Registrar, numbers: Numbers, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const reported = whichOf(error, numbers)
    if (!reported) throw error
    const isOwn = await ownHas(ctx, reported)
    if (!isOwn && reported.number) await noteTaken(ctx, [{ number: reported.number, protocol: reported.protocol }])
    throw new AppError(reported.kind, reported.column === 'serial' && isOwn ? '设备序列号已存在' : reported.text, { field: reported.field })
  }
}

interface NumberRefusal {
  column: 'camera' | 'access' | 'serial'
  number: string | null
  protocol: string
  kind: 'invalidInput' | 'refused'
  text: string
  field: string
}

function whichOf(error: unknown, { deviceSn, protocol, accessKey, camera }: Numbers): NumberRefusal | undefined {
  // Does not say by whom: a national camera number gives access to pictures.
  if (isUniqueViolation(error, 'device_camera_number'))
    return { column: 'camera', number: camera, protocol, kind: 'invalidInput', text: cameraNumberTaken, field: 'params.gbDeviceId' }
  if (isUniqueViolation(error, 'device_access') || isUniqueViolation(error, 'poll_device_gateway_id_address_key'))
    return { column: 'access', number: accessKey, protocol, kind: 'refused', text: accessTaken, field: 'access' }
  if (isUniqueViolation(error))
    return { column: 'serial', number: deviceSn, protocol, kind: 'refused', text: serialTaken, field: 'deviceSn' }
  return undefined
}

/**
 * Whether a device with the number is in one of the caller's projects. Queried outside the caller's transaction, which the violation has
 * aborted.
 */
async function ownHas(ctx: Registrar, { column, number, protocol }: NumberRefusal): Promise<boolean> {
  if (ctx.scope.all || number === null) return true
  const which =
    column === 'serial'
      ? sql`device_sn = ${number}`
      : column === 'access'
        ? sql`protocol = ${protocol} and access_key = ${number}`
        : sql`params ->> 'gbDeviceId' = ${number}`
  const { rows } = await sql`select 1 from device where ${which} and project_code = any (${[...ctx.scope.projects]}) limit 1`.execute(
    ctx.system,
  )
  return rows.length > 0
}
