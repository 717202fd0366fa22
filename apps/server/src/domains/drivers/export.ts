import { driverList } from '@zhugong/contract/drivers/calls'
import { exportOf } from '../exports/registry.ts'
import { countDrivers, driverConditions, readDrivers } from './rows.ts'

export function registerDriverExport(): void {
  exportOf(
    driverList,
    {
      title: '司机名册',
      widths: { projectName: 28, idCardNumber: 22, certNo: 24, certType: 24, devices: 36, lastRecognised: 20 },
      async *rows(ctx, query) {
        yield* await readDrivers(ctx, driverConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countDrivers(ctx, driverConditions(ctx, query)),
    },
    {
      driverType: (d) => d.driverTypeName,
      certType: (d) => d.certTypeName,
      devices: (d) => d.devices.map((one) => one.name).join('、'),
      auditStatus: (d) => d.auditStatusName,
    },
  )
}
