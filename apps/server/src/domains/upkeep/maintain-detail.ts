import { dictName } from '@zhugong/contract/settings/dictionaries'
import { createMaintenance, type getMaintenance, type MaintenanceDetail } from '@zhugong/contract/upkeep/maintenance'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { formatInstant, startOfDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { codesWithin } from '#kit/reach'
import type { HandlerOf } from '#kit/serve'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { signaturesOf } from '../process/public.ts'
import { maintainKind } from './maintain-kind.ts'
import { maintenanceFor, type RawMaintenance, toMaintenance } from './maintain-rows.ts'
import { jobStage } from './maintain-writes.ts'
import { hoursRun } from './telemetry.ts'

const mostJobs = 12

export const readMaintenanceRecord: HandlerOf<typeof getMaintenance> = async ({ params: { id }, query }, ctx) => {
  const row = found(await maintenanceFor(ctx, id, query.projectCode), '设备维保')
  const machine = await shownMachine(ctx, row.stayId)
  const notes = await photoNotesOf(ctx, id)
  const { projectCode, corpCode } = row
  return {
    ...toMaintenance(ctx, row),
    position: machine?.position ?? '',
    model: machine?.model ?? '',
    recordNo: machine?.recordNo ?? null,
    machineState: machine?.state ?? '',
    machineStateName: dictName('deviceLifecycle', machine?.state ?? null) ?? '',
    photos: linksOf(ctx, row.photos),
    photoNotes: row.photos.map((file) => notes.get(`${jobStage} ${file}`) ?? null),
    createdBy: row.createName,
    createdAt: formatInstant(row.createTime),
    hoursSinceLast: await hoursSinceLast(ctx, row),
    cyclesDuring: await cyclesDuring(ctx, row),
    line: await lineOf(ctx, row.stayId),
    inspection: await inspectionOf(ctx, row.rectifyId),
    signatures: await signaturesOf(ctx, maintainKind, row),
    mayCorrect:
      row.correctedBy === null &&
      codesWithin(ctx.principal, [projectCode]).has(createMaintenance.needs as string) &&
      mayAct(ctx, createMaintenance.acts, { projectCode, corpCode }),
  }
}

/** The machine, unless the caller sees only the job that his company did. */
async function shownMachine(ctx: Pick<Context, 'db'>, stayId: string) {
  const { rows } = await sql<{ position: string; model: string; recordNo: string | null; state: string }>`
    select s.position, m.model, m.record_no, s.state from machine_stay s join special_machine m on m.id = s.machine_id where s.id = ${stayId}`.execute(
    ctx.db,
  )
  return rows[0]
}

async function hoursSinceLast(ctx: Pick<Context, 'db'>, row: RawMaintenance): Promise<number | null> {
  if (row.deviceId === null) return null
  const { rows } = await sql<{ day: string }>`select maintain_date as day from device_maintain where stay_id = ${row.stayId}
    and (maintain_date, id) < (${row.maintainDate}::date, ${row.id}) order by maintain_date desc, id desc limit 1`.execute(ctx.db)
  const before = rows[0]
  return before
    ? hoursRun(ctx, row.deviceId, new Date(startOfDay(before.day)), row.startAt ?? new Date(startOfDay(row.maintainDate)))
    : null
}

async function cyclesDuring(ctx: Pick<Context, 'db'>, { deviceId, startAt, endAt }: RawMaintenance): Promise<number> {
  if (deviceId === null || startAt === null) return 0
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from device_record where device_id = ${deviceId} and record = 'workingCycle'
    and ts > ${startAt} and ts < ${endAt ?? startAt}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function lineOf(ctx: Pick<Context, 'db'>, stayId: string): Promise<MaintenanceDetail['line']> {
  type Raw = Omit<MaintenanceDetail['line'][number], 'typeName'> & { type: string }
  const { rows } =
    await sql<Raw>`select id, code, maintain_date, type, content, jsonb_array_length(parts)::int as parts from device_maintain
    where stay_id = ${stayId} order by maintain_date desc, id desc limit ${mostJobs}`.execute(ctx.db)
  return rows.map(({ type, ...one }) => ({ ...one, typeName: dictName('deviceMaintainType', type) ?? type }))
}

async function inspectionOf(ctx: Pick<Context, 'db'>, rectifyId: string | null): Promise<MaintenanceDetail['inspection']> {
  const { rows } = await sql<{ id: string; code: string }>`select c.id, c.code from rectify r join site_check c on c.id = r.source_id
    where r.id = ${rectifyId}`.execute(ctx.db)
  return rows[0] ?? null
}
