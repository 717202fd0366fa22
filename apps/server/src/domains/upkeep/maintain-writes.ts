import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { RepairInput } from '@zhugong/contract/rectify/repair'
import { nextMaintenance, plannedMaintenance } from '@zhugong/contract/upkeep/due'
import { results } from '@zhugong/contract/upkeep/inspections'
import type { createMaintenance } from '@zhugong/contract/upkeep/maintenance'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pick } from '#kit/pick'
import { siteNumber } from '../checks/public.ts'
import { fileIdsOf, findingLeadMs, keptFiles, usePhotos } from '../files/public.ts'
import { fillSeat } from '../process/public.ts'
import { machineOf, requireStanding } from './machine-of.ts'
import { deviceMaintain, maintainKind } from './maintain-kind.ts'
import type { KeptMaintainer, KeptPart } from './tables.ts'

type Body = ParsedFor<typeof createMaintenance>['body']

/** Letters of the series of numbers of a site's maintenance. */
const series = 'WB'
export const jobStage = 'job'
const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** Registers a job with the signature of whoever accepts it. */
export async function registerMaintenance(ctx: Context, given: string, body: Body) {
  const projectCode = oneProject(ctx, given)
  const { rows } = await sql<{
    code: string
  }>`select code from device_maintain where id = ${body.id} and create_by = ${ctx.user.id}`.execute(ctx.db)
  if (rows[0]) return { id: body.id, code: rows[0].code }
  const machine = await machineOf(ctx, body.machineId, projectCode)
  requireStanding(machine)
  const today = formatDay(ctx.clock.now())
  if (body.maintainDate > today) throw wrong('maintainDate', '维保日期不能晚于今天')
  if (body.nextDate !== null && body.nextDate <= body.maintainDate) throw wrong('nextDate', '下次维保须晚于维保日期')
  const [startAt, endAt] = hoursOf(body)
  await requireCorrectable(ctx, body, machine.id)
  const row = {
    ...pick(body, 'id', 'type', 'maintainDate', 'maintainCorp', 'content', 'result', 'acceptor', 'corrects'),
    stayId: machine.id,
    machineName: machine.name,
    deviceType: machine.deviceType,
    startAt,
    endAt,
    maintainers: await keptPeople(ctx, projectCode, body.maintainers, body.maintainDate, 'maintainers'),
    parts: await keptParts(ctx, body.parts, 'parts'),
    nextDate: body.nextDate ?? (plannedMaintenance.includes(body.type) ? nextMaintenance(body.maintainDate) : null),
    photos: await keptFiles(ctx, fileIdsOf(body.photos), [], 'photos'),
  }
  const code = await insertJob(ctx, { ...row, projectCode, corpCode: machine.corpCode })
  const stored = await maintainKind.lock(ctx, body.id)
  const [seat] = await maintainKind.seats(ctx, stored)
  // The drawing is of whoever is named; it is made on the caller's device.
  if (seat) await fillSeat(ctx, deviceMaintain, stored, seat, { name: body.acceptor, image: body.signature })
  ctx.note('登记设备维保', body.id)
  return { id: body.id, code }
}

/** Midnight counts as the end of the day. @throws AppError at `endTime` */
function hoursOf({ maintainDate, startTime, endTime }: Body): [Date | null, Date | null] {
  if (startTime === null && endTime !== null) throw wrong('startTime', '请填写开始时刻')
  if (startTime === null) return [null, null]
  const at = (clock: string) => new Date(startOfDay(maintainDate) + (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) * 60_000)
  if (endTime !== null && endTime <= startTime) throw wrong('endTime', '结束时刻须晚于开始时刻')
  return [at(startTime), endTime === null ? null : at(endTime)]
}

/** @throws AppError at `corrects` unless it is a job of the same machine that nothing corrects yet */
async function requireCorrectable(ctx: Context, { corrects }: Body, stayId: string): Promise<void> {
  if (corrects === null) return
  const { rows } = await sql<{ corrected: boolean }>`select exists (select from device_maintain j where j.corrects = k.id) as corrected
    from device_maintain k where k.id = ${corrects} and k.stay_id = ${stayId}`.execute(ctx.db)
  if (!rows[0]) throw wrong('corrects', '被更正的维保记录不存在，或不是同一台设备')
  if (rows[0].corrected) throw wrong('corrects', '该记录已有更正，请更正最新的一条')
}

interface Job {
  id: string
  projectCode: string
  corpCode: string
  stayId: string
  machineName: string
  deviceType: string
  type: string
  maintainDate: string
  startAt?: Date | null
  endAt?: Date | null
  maintainCorp: string
  maintainers: KeptMaintainer[]
  content: string
  parts: KeptPart[]
  result: string
  nextDate: string | null
  photos: string[]
  acceptor: string
  corrects?: string | null
  rectifyId?: string
  round?: number
}

async function insertJob(ctx: Context, { maintainers, parts, ...job }: Job): Promise<string> {
  const now = new Date(ctx.clock.now())
  const code = await siteNumber(ctx, job.projectCode, series)
  const groups = [ctx.group.id]
  await ctx.db
    .insertInto('deviceMaintain')
    .values({
      startAt: null,
      endAt: null,
      corrects: null,
      rectifyId: null,
      round: null,
      ...job,
      code,
      shownAt: now,
      groups,
      maintainers: JSON.stringify(maintainers),
      parts: JSON.stringify(parts),
      createBy: ctx.user.id,
      createName: ctx.user.name,
      createTime: now,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该维保记录已经登记', { field: 'id' }) : error
    })
  const { id: objectId, projectCode, corpCode, photos } = job
  const notBefore = new Date(startOfDay(job.maintainDate) - findingLeadMs)
  await usePhotos(ctx, {
    kind: '设备维保',
    objectId,
    stage: jobStage,
    projectCode,
    corpCode,
    shownAt: now,
    groups,
    files: photos,
    notBefore,
  })
  return code
}

async function keptParts(ctx: Context, parts: RepairInput['parts'], field: string): Promise<KeptPart[]> {
  return Promise.all(
    parts.map(async ({ certificates, ...one }, at) => ({
      ...one,
      certificates: await keptFiles(ctx, fileIdsOf(certificates), [], `${field}.${at}.certificates`),
    })),
  )
}

interface Certificate {
  workerId: string
  name: string
  certNo: string
  ends: string | null
}
export async function certificatesOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<(Certificate & { certName: string })[]> {
  const { rows } = await sql<Certificate & { certName: string }>`select * from zg_site_certificates(${projectCode})`.execute(ctx.db)
  return rows
}

/** People with what the register says of their certificates on that day. @throws AppError at the person */
async function keptPeople(
  ctx: Context,
  projectCode: string,
  people: RepairInput['maintainers'],
  day: string,
  field: string,
): Promise<KeptMaintainer[]> {
  const known = people.some((one) => one.workerId !== null) ? await certificatesOf(ctx, projectCode) : []
  return people.map(({ workerId, name, certNo, certEnd }, at) => {
    if (workerId === null) return { workerId, name, certNo, certEnd, verified: null }
    const own = known.filter((one) => one.workerId === workerId)
    const [first] = own
    if (!first) throw wrong(`${field}.${at}.workerId`, `${name}不在本项目，或没有特种作业证，请改为手工填写`)
    const certificate = own.find((one) => one.certNo === certNo) ?? own.find((one) => isValid(one.ends, day)) ?? first
    return { workerId, name: first.name, certNo: certificate.certNo, certEnd: certificate.ends, verified: isValid(certificate.ends, day) }
  })
}
const isValid = (ends: string | null, day: string) => ends === null || ends >= day

/** Whether somebody among the people held a valid certificate on that day; typed ones count by what was typed. */
export const certified = (people: readonly KeptMaintainer[], day: string): boolean =>
  people.some((one) => one.verified ?? (one.certNo !== null && one.certEnd !== null && one.certEnd >= day))

interface FromReply {
  projectCode: string
  /** The company that answered. */
  corpCode: string
  machine: { id: string; name: string; deviceType: string; maintainCorp: string }
  rectifyId: string
  round: number
  content: string
  day: string
  photos: string[]
  /** Replaced parts by the field of the reply they came from. */
  repairs: readonly { field: string; repair: RepairInput; isSafety: boolean; name: string }[]
}

/** Writes the maintenance record of a repair from the answer to its notice. @throws AppError at the answer */
export async function keepRepair(ctx: Context, given: FromReply): Promise<void> {
  const { projectCode, corpCode, machine, rectifyId, round, content, day, photos, repairs } = given
  const people = new Map<string, KeptMaintainer>()
  const parts: KeptPart[] = []
  for (const { field, repair, isSafety, name } of repairs) {
    const own = await keptPeople(ctx, projectCode, repair.maintainers, day, `${field}.repair.maintainers`)
    if (own.length === 0) throw wrong(`${field}.repair.maintainers`, `“${name}”：请填写维修人员`)
    if (isSafety && !certified(own, day)) throw wrong(`${field}.repair.maintainers`, `“${name}”是安全装置，维修人员须持有效证书`)
    for (const one of own) people.set(`${one.name} ${one.certNo ?? ''}`, one)
    parts.push(...(await keptParts(ctx, repair.parts, `${field}.repair.parts`)))
  }
  await insertJob(ctx, {
    id: ctx.newId(),
    projectCode,
    corpCode,
    stayId: machine.id,
    machineName: machine.name,
    deviceType: machine.deviceType,
    // 部件更换 or 故障维修 in dictionary deviceMaintainType.
    type: parts.length > 0 ? '5' : '4',
    maintainDate: day,
    maintainCorp: machine.maintainCorp,
    maintainers: [...people.values()],
    content,
    parts,
    result: results.fit,
    nextDate: null,
    photos,
    acceptor: ctx.user.name,
    rectifyId,
    round,
  })
}
