import type { workingCycleOf } from '@zhugong/contract/telemetry/known-records'
import { formatInstant } from '#kit/clock'

export const yesNo = (value: boolean) => (value ? '是' : '否')

interface CycleRow {
  cycle: ReturnType<typeof workingCycleOf>
}

/** Cells of an exported list of cycles that all families have. */
export const cycleCells = {
  startTime: (r: CycleRow) => formatInstant(r.cycle.startTime),
  durationSeconds: (r: CycleRow) => r.cycle.durationSeconds,
  maxLoadPercent: (r: CycleRow) => r.cycle.maxLoadPercent,
  illegal: (r: CycleRow) => yesNo(r.cycle.illegal),
  illegalReason: (r: CycleRow) => r.cycle.illegalReason,
  driverName: (r: CycleRow) => r.cycle.driverName ?? '未识别',
  source: (r: CycleRow) => (r.cycle.byPlatform ? '平台识别' : '设备上报'),
}
