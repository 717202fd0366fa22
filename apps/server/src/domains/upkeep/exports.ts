import { machineCheckList } from '@zhugong/contract/upkeep/inspections'
import { maintenanceList } from '@zhugong/contract/upkeep/maintenance'
import { listExportOf, registerExport } from '../exports/registry.ts'
import { countInspections, inspectConditions, readInspections, toInspection } from './inspect-rows.ts'
import { countMaintenance, maintainConditions, readMaintenance, toMaintenance } from './maintain-rows.ts'

export const machineCheckExport = listExportOf(
  machineCheckList,
  {
    title: '设备检查',
    widths: { code: 26, projectName: 28, machineName: 20, checkDate: 20, checkOrg: 28, failItems: 40 },
    async *rows(ctx, query) {
      for (const row of await readInspections(ctx, inspectConditions(ctx, query), { sort: query.sort })) yield toInspection(ctx, row)
    },
    count: (ctx, query) => countInspections(ctx, inspectConditions(ctx, query)),
  },
  {
    deviceType: (r) => r.deviceTypeName,
    type: (r) => r.typeName,
    checkers: (r) => r.checkers.join('、'),
    result: (r) => r.resultName,
    failItems: (r) => r.failItems.join('、'),
    state: (r) => r.stateName,
  },
)

export const maintenanceExport = listExportOf(
  maintenanceList,
  {
    title: '设备维保',
    widths: { code: 26, projectName: 28, machineName: 20, maintainCorp: 28, content: 40, parts: 30 },
    async *rows(ctx, query) {
      for (const row of await readMaintenance(ctx, maintainConditions(ctx, query), { sort: query.sort })) yield toMaintenance(ctx, row)
    },
    count: (ctx, query) => countMaintenance(ctx, maintainConditions(ctx, query)),
  },
  {
    type: (r) => r.typeName,
    maintainers: (r) => r.maintainers.map(({ name, certNo }) => (certNo ? `${name}（${certNo}）` : name)).join('、'),
    parts: (r) => r.parts.map(({ name, number, count }) => `${name}${number ? ` ${number}` : ''} ×${count}`).join('、'),
    result: (r) => r.resultName,
    doubts: (r) => r.doubts.join('；'),
  },
)

export function registerUpkeepExports(): void {
  registerExport(machineCheckExport)
  registerExport(maintenanceExport)
}
