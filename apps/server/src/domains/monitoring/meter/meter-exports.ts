import { meterEntryKinds } from '@zhugong/contract/monitoring/meter/meter-entries'
import { meterReadingList, settlementList } from '@zhugong/contract/monitoring/meter/meter-lists'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf } from '../../exports/registry.ts'
import { registerIntensityExport } from './meter-intensity.ts'
import { registerMeterPrint } from './meter-print.ts'
import { settlementPage } from './meter-sheets.ts'
import { meterReadingPage } from './meters.ts'

const yes = (value: boolean) => (value ? '是' : null)

/** Exports of meter readings and settlements, with the rows of their pages. */
export function registerMeterExports(): void {
  registerMeterPrint()
  registerIntensityExport()
  exportOf(
    meterReadingList,
    {
      title: '表计读数',
      widths: { time: 20 },
      ...byPages(meterReadingPage),
    },
    {
      time: (r) => formatInstant(r.time),
      estimated: (r) => yes(r.estimated),
      rollback: (r) => yes(r.rollback),
      entered: (r) => r.entered && meterEntryKinds[r.entered],
      activePower: (r) => r.values.activePower,
      voltageA: (r) => r.values.voltageA,
      voltageB: (r) => r.values.voltageB,
      voltageC: (r) => r.values.voltageC,
      currentA: (r) => r.values.currentA,
      currentB: (r) => r.values.currentB,
      currentC: (r) => r.values.currentC,
      powerFactor: (r) => r.values.powerFactor,
      residualCurrent: (r) => r.values.residualCurrent,
      cableTemperature: (r) => r.values.cableTemperature,
      flowRate: (r) => r.values.flowRate,
      pressure: (r) => r.values.pressure,
    },
  )
  exportOf(
    settlementList,
    {
      title: '水电结算',
      widths: { projectName: 28, corpName: 24 },
      ...byPages(settlementPage),
    },
    {
      manualReads: (r) => r.manualReads || null,
      locked: (r) => (r.locked ? '已月结' : null),
    },
  )
}
