import * as inspections from '@zhugong/contract/upkeep/inspections'
import * as maintenance from '@zhugong/contract/upkeep/maintenance'
import { formatDay } from '#kit/clock'
import { oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { workbook } from '../exports/public.ts'
import { sign } from '../process/public.ts'
import { readBoard } from './board.ts'
import { machineCheckExport, maintenanceExport } from './exports.ts'
import { readInspection } from './inspect-detail.ts'
import { inspectKind } from './inspect-kind.ts'
import { countInspections, inspectConditions, inspectCounts, readInspections, toInspection } from './inspect-rows.ts'
import { submitInspection } from './inspect-writes.ts'
import { readMaintenanceRecord } from './maintain-detail.ts'
import { countMaintenance, maintainConditions, maintainCounts, readMaintenance, toMaintenance } from './maintain-rows.ts'
import { certificatesOf, registerMaintenance } from './maintain-writes.ts'

export function upkeepRoutes(serve: Serve): void {
  serve(inspections.listMachineChecks, listMachineChecks)
  serve(inspections.machineBoard, readBoard)
  serve(inspections.exportMachineChecks, ({ query }, ctx) => workbook(ctx, machineCheckExport, query))
  serve(inspections.getMachineCheck, readInspection)
  serve(inspections.createMachineCheck, ({ query, body }, ctx) => submitInspection(ctx, query.projectCode, body))
  serve(inspections.signMachineCheck, ({ params, body }, ctx) => sign(ctx, inspectKind, params.id, body).then(() => undefined))
  serve(maintenance.listMaintenance, listMaintenance)
  serve(maintenance.maintenancePeople, maintenancePeople)
  serve(maintenance.exportMaintenance, ({ query }, ctx) => workbook(ctx, maintenanceExport, query))
  serve(maintenance.getMaintenance, readMaintenanceRecord)
  serve(maintenance.createMaintenance, ({ query, body }, ctx) => registerMaintenance(ctx, query.projectCode, body))
}

const listMachineChecks: HandlerOf<typeof inspections.listMachineChecks> = async ({ query }, ctx) => {
  const where = inspectConditions(ctx, query)
  const rows = await readInspections(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return {
    list: rows.map((row) => toInspection(ctx, row)),
    total: await countInspections(ctx, where),
    counts: await inspectCounts(ctx, query.projectCode),
  }
}

const listMaintenance: HandlerOf<typeof maintenance.listMaintenance> = async ({ query }, ctx) => {
  const where = maintainConditions(ctx, query)
  const rows = await readMaintenance(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return {
    list: rows.map((row) => toMaintenance(ctx, row)),
    total: await countMaintenance(ctx, where),
    counts: await maintainCounts(ctx, query.projectCode),
  }
}

const maintenancePeople: HandlerOf<typeof maintenance.maintenancePeople> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const people = await certificatesOf(ctx, oneProject(ctx, query.projectCode))
  return { people: people.map(({ ends, ...one }) => ({ ...one, certEnd: ends, valid: ends === null || ends >= today })) }
}
