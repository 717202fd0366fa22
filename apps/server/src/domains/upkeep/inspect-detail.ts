import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { getMachineCheck, InspectionDetail } from '@zhugong/contract/upkeep/inspections'
import { inspectionDetail } from '@zhugong/contract/upkeep/inspections'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { problemsOf } from '../checks/public.ts'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { signaturesOf } from '../process/public.ts'
import { deviceInspect, inspectKind } from './inspect-kind.ts'
import { inspectionFor, previousOf, type RawInspection, toInspection } from './inspect-rows.ts'
import { checkStage } from './inspect-writes.ts'
import { machineOf } from './machine-of.ts'
import { repairsOf } from './maintain-rows.ts'
import { telemetryOf } from './telemetry.ts'

export const readInspection: HandlerOf<typeof getMachineCheck> = async ({ params: { id }, query }, ctx) => {
  const row = found(await inspectionFor(ctx, id, query.projectCode), '设备检查')
  const machine = await machineOf(ctx, row.stayId)
  const previous = await previousOf(ctx, row)
  const notes = await photoNotesOf(ctx, id)
  return rowOf(inspectionDetail, machine, {
    ...toInspection(ctx, row),
    machineState: machine.state,
    machineStateName: dictName('deviceLifecycle', machine.state) ?? machine.state,
    scrapped: machine.scrappedAt !== null,
    items: row.items.map((item) => ({
      ...item,
      photos: linksOf(ctx, item.photos),
      before: previous?.items.find((one) => one.code === item.code)?.result ?? null,
    })),
    previous: previous
      ? {
          id: previous.id,
          checkDate: formatInstant(previous.checkTime),
          resultName: dictName('deviceInspectResult', previous.result) ?? previous.result,
        }
      : null,
    remark: row.remark,
    photos: linksOf(ctx, row.photos),
    photoNotes: row.photos.map((file) => notes.get(`${checkStage} ${file}`) ?? null),
    reports: linksOf(ctx, row.reports),
    problems: await problemsOf(ctx, id),
    notices: await noticesOf(ctx, id),
    suspendedAt: row.suspendedAt && formatInstant(row.suspendedAt),
    releasedAt: row.releasedAt && formatInstant(row.releasedAt),
    stoppedDays: stoppedDays(ctx, row),
    telemetry: await telemetryOf(ctx, machine.deviceId, row.checkTime, { from: row.suspendedAt, until: row.releasedAt }),
    repairs: await repairsOf(ctx, id),
    signatures: await signaturesOf(ctx, inspectKind, row),
  })
}

function stoppedDays(ctx: Pick<Context, 'clock'>, { suspendedAt, releasedAt }: RawInspection): number | null {
  return suspendedAt === null ? null : Math.floor(((releasedAt?.getTime() ?? ctx.clock.now()) - suspendedAt.getTime()) / dayMs)
}

async function noticesOf(ctx: Pick<Context, 'db'>, id: string): Promise<InspectionDetail['notices']> {
  type Raw = Omit<InspectionDetail['notices'][number], 'stateName'>
  const { rows } = await sql<Raw>`select r.id, r.code, k.corp_name, r.state, r.deadline from rectify r join corporation k using (corp_code)
    where r.source_kind = ${deviceInspect} and r.source_id = ${id} order by r.state = '7', r.deadline, r.id`.execute(ctx.db)
  return rows.map((one) => ({ ...one, stateName: dictName('rectifyState', one.state) ?? one.state }))
}
