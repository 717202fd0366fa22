import type { getMachine, MachineDetail, MachineStage } from '@zhugong/contract/machines/calls'
import type { MachineAction } from '@zhugong/contract/machines/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { livePageFor } from '@zhugong/contract/telemetry/live-pages'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { noticesFrom } from '../rectify/public.ts'
import { crewOf } from './crew.ts'
import { machineKind, readMachine, source, stepLabels } from './kind.ts'
import { type Machine, missingFor } from './missing.ts'
import { rowFor, toRow } from './rows.ts'

const mostAlarms = 10

export const readDetail: HandlerOf<typeof getMachine> = async ({ params: { id }, query }, ctx) => {
  const listed = found(await rowFor(ctx, id, query.projectCode), '设备')
  const row = await readMachine(ctx, id)
  const { manufactureNo, manufacturer, manufactureDate, ratedMoment, hoistClass, retireDate, appraisedUntil, machineId } = row
  const { installCorp, installDate, maxHeight, licensed, inspectOrg, acceptDate, useRegDate, suspendReason, deviceId, version } = row
  return {
    ...toRow(listed),
    ...(await deviceOf(ctx, deviceId)),
    machineId,
    manufactureNo,
    manufacturer,
    manufactureDate,
    ratedMoment,
    hoistClass,
    retireDate,
    appraisedUntil,
    appraisalFiles: linksOf(ctx, row.appraisalFiles),
    useCorp: row.corpCode,
    useName: listed.useName,
    installCorp,
    installDate,
    maxHeight,
    licensed,
    inspectOrg,
    inspectReport: linksOf(ctx, row.inspectReport),
    acceptDate,
    useRegDate,
    suspendReason,
    dismantleName: await nameOf(ctx, row.dismantleCorp),
    operators: await crewOf(ctx, id, 'operator'),
    installers: await crewOf(ctx, id, 'installer'),
    deviceId,
    notices: (await noticesFrom(ctx, source, id)).map((one) => ({
      ...pick(one, 'id', 'code', 'deadline', 'open'),
      stateName: dictName('rectifyState', one.state) ?? one.state,
      link:
        ctx.group.type === groupTypes.government
          ? `/jgt/project/project_detail?id=${one.id}`
          : `/safetySupervisionRectification/details?id=${one.id}`,
    })),
    stages: await stagesOf(ctx, id),
    former: await formerOf(ctx, row),
    version,
    timeline: await historyOf(ctx, source, id, stepLabels),
    signatures: await signaturesOf(ctx, machineKind, row),
    actions: offersFor(ctx, machineKind, row),
    blocked: blockedFor(ctx, row),
  }
}

/** Actions that are the caller's turn in this state, with what they still lack. */
function blockedFor(ctx: Context, row: Machine): MachineDetail['blocked'] {
  // What has been confirmed is neither confirmed nor returned again.
  const settled = (action: string) => row.confirmedAt !== null && (action === 'confirm' || action === 'sendBack')
  return offersFor(ctx, { ...machineKind, hinder: () => undefined }, row).flatMap(({ action, label }) => {
    const missing = missingFor(row, action as MachineAction)
    return missing.length === 0 || settled(action) ? [] : [{ action, label, missing }]
  })
}

const nameOf = async (ctx: Pick<Context, 'db'>, code: string | null) =>
  code === null
    ? null
    : ((await sql<{ name: string }>`select corp_name as name from corporation where corp_code = ${code}`.execute(ctx.db)).rows[0]?.name ??
      code)

async function deviceOf(
  ctx: Pick<Context, 'db' | 'codes'>,
  id: string | null,
): Promise<Pick<MachineDetail, 'deviceName' | 'liveLink' | 'lastAt' | 'alarms'>> {
  const { rows } = await sql<{ name: string; family: string; ts: Date | null }>`select d.name, d.family, l.ts from device d
    left join device_latest l on l.device_id = d.id where d.id = ${id}`.execute(ctx.db)
  const device = rows[0]
  if (!device) return { deviceName: null, liveLink: null, lastAt: null, alarms: [] }
  const alarms = await sql<{ label: string; at: Date; active: boolean }>`select a.label, a.start_time as at, a.active from alarm a
    where a.device_id = ${id} and not a.simulated and not a.historical order by a.active desc, a.start_time desc limit ${mostAlarms}`.execute(
    ctx.db,
  )
  const page = livePageFor(device.family, ctx.codes)
  return {
    deviceName: device.name,
    liveLink: page ? `${page}?deviceId=${id}` : null,
    lastAt: device.ts?.getTime() ?? null,
    alarms: alarms.rows.map(({ at, ...one }) => ({ ...one, at: formatInstant(at) })),
  }
}

async function stagesOf(ctx: Pick<Context, 'db' | 'secrets' | 'clock'>, id: string): Promise<MachineStage[]> {
  const { rows } = await sql<Row<'machineStage'>>`select * from machine_stage where stay_id = ${id} order by at, id`.execute(ctx.db)
  return rows.map((one) => ({
    key: one.id,
    title: stepLabels[one.stage] ?? one.stage,
    ...pick(one, 'date', 'unit', 'note'),
    person: one.byName,
    at: formatInstant(one.at),
    files: linksOf(ctx, one.files),
  }))
}

/** Former sites of the machine that the caller sees. */
async function formerOf(ctx: Pick<Context, 'db'>, row: Machine): Promise<MachineDetail['former']> {
  type Raw = { projectName: string; position: string; from: Date; until: Date | null; useRegNo: string | null }
  const { rows } = await sql<Raw>`select p.name as project_name, s.position, s.create_time as from, s.use_reg_no,
      case when s.state = '9' then s.update_time end as until
    from machine_stay s join project p using (project_code) where s.machine_id = ${row.machineId} and s.id <> ${row.id}
    order by s.create_time desc`.execute(ctx.db)
  return rows.map(({ from, until, ...one }) => ({
    ...one,
    from: formatInstant(from).slice(0, 10),
    until: until && formatInstant(until).slice(0, 10),
  }))
}
