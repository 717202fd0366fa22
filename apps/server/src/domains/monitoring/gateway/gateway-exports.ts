import { coverNames, directionNames, plateColors, vehicleTypeNames, washNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { passageList } from '@zhugong/contract/monitoring/gateway/passages'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf } from '../../exports/registry.ts'
import { registerGateShareExport } from './gate-shares.ts'
import { passagePage } from './passages.ts'
import { registerRegistryExport } from './vehicle-registry.ts'

const named = (names: Readonly<Record<string, string>>, code: string | null) => (code === null ? null : (names[code] ?? code))

/** Exports of vehicle passages, with the rows of their pages. */
export function registerGatewayExports(): void {
  registerRegistryExport()
  registerGateShareExport()
  exportOf(
    passageList,
    {
      title: '车辆出入记录',
      widths: { projectName: 28, time: 20 },
      ...byPages(passagePage),
    },
    {
      plateColor: (r) => named(plateColors, r.plateColor),
      vehicleType: (r) => named(vehicleTypeNames, r.vehicleType),
      direction: (r) => named(directionNames, r.direction),
      time: (r) => formatInstant(r.time),
      washState: (r) => named(washNames, r.washState) ?? '未识别',
      coverState: (r) => named(coverNames, r.coverState) ?? '未识别',
      registered: (r) => (r.barred ? '黑名单' : r.registered === null ? null : r.registered ? '是' : '否'),
      alarms: (r) => r.alarms.join('、'),
      corrected: (r) => (r.corrected ? '已更正' : null),
    },
  )
}
