import { meterEntryKinds } from '@zhugong/contract/monitoring/meter-entries'
import { meterReadingList, settlementList } from '@zhugong/contract/monitoring/meter-lists'
import { coverNames, directionNames, plateColors, vehicleTypeNames, washNames } from '@zhugong/contract/monitoring/passage-codes'
import { loadDayList, loadList, loadTeamList } from '@zhugong/contract/monitoring/unloading-lists'
import { passageList } from '@zhugong/contract/monitoring/vehicles'
import { deviationNames, ticketStatusNames, weighTypeNames } from '@zhugong/contract/monitoring/weigh-codes'
import { ticketGroupList, ticketList } from '@zhugong/contract/monitoring/weigh-lists'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf } from '../exports/registry.ts'
import { registerGateShareExport } from './gate-shares.ts'
import { registerIntensityExport } from './meter-intensity.ts'
import { registerMeterPrint } from './meter-print.ts'
import { settlementPage } from './meter-sheets.ts'
import { meterReadingPage } from './meters.ts'
import { passagePage } from './passages.ts'
import { loadGroupPage, loadPage } from './platforms.ts'
import { ticketGroupPage, ticketPage } from './ticket-store.ts'
import { registerTruckEvidence } from './truck-evidence.ts'
import { registerRegistryExport } from './vehicle-registry.ts'
import { registerWeighPrint } from './weigh-print.ts'

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

/** Lists of weighing, meters, platforms and gates as files: the rows that their pages show. */
export function registerYardExports(): void {
  registerWeighing()
  registerWeighPrint()
  registerTruckEvidence()
  registerMeterPrint()
  registerMeters()
  registerPlatforms()
  registerPassages()
  registerRegistryExport()
  registerGateShareExport()
}

function registerWeighing(): void {
  exportOf(
    ticketList,
    {
      title: '过磅记录',
      widths: { projectName: 28, supplier: 24, grossTime: 20, tareTime: 20 },
      ...byPages(ticketPage),
    },
    {
      weighType: (r) => weighTypeNames[r.weighType] ?? r.weighType,
      deviationState: (r) => deviationNames[r.deviationState],
      grossTime: (r) => instant(r.grossTime),
      tareTime: (r) => instant(r.tareTime),
      isManual: (r) => (r.isManual ? '手工补录' : null),
      corrected: (r) => (r.corrected ? '已改动' : null),
      status: (r) => ticketStatusNames[r.status] ?? r.status,
    },
  )
  exportOf(
    ticketGroupList,
    {
      title: '过磅按供应商汇总',
      widths: { supplier: 28 },
      ...byPages(ticketGroupPage),
    },
    {},
  )
}

const yes = (value: boolean) => (value ? '是' : null)

function registerMeters(): void {
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

const textIn = (data: Readonly<Record<string, unknown>>, key: string) => (typeof data[key] === 'string' ? (data[key] as string) : null)
const numberIn = (data: Readonly<Record<string, unknown>>, key: string) => (typeof data[key] === 'number' ? (data[key] as number) : null)
const instantIn = (data: Readonly<Record<string, unknown>>, key: string) => {
  const at = Date.parse(textIn(data, key) ?? '')
  return Number.isNaN(at) ? null : formatInstant(at)
}

type LoadQuery = Parameters<typeof loadGroupPage>[1]

function registerPlatforms(): void {
  exportOf(
    loadList,
    {
      title: '卸料平台装卸记录',
      widths: { projectName: 28, startTime: 20, endTime: 20 },
      ...byPages(loadPage),
    },
    {
      startTime: (r) => instantIn(r.data, 'startTime'),
      endTime: (r) => instantIn(r.data, 'endTime'),
      maxWeight: (r) => numberIn(r.data, 'maxWeight'),
      maxWeightPercent: (r) => numberIn(r.data, 'maxWeightPercent'),
      durationSeconds: (r) => numberIn(r.data, 'durationSeconds'),
      overload: (r) => (r.data.overload === true ? '超载' : null),
      teamName: (r) => textIn(r.data, 'teamName'),
      source: (r) => (r.data.detectedBy === 'platform' ? '平台识别' : '设备上报'),
    },
  )
  exportOf(
    loadDayList,
    {
      title: '卸料平台逐日汇总',
      widths: { projectName: 28 },
      ...byPages((ctx, query: LoadQuery) => loadGroupPage(ctx, query, 'day')),
    },
    {},
  )
  exportOf(
    loadTeamList,
    {
      title: '卸料平台按班组汇总',
      ...byPages((ctx, query: LoadQuery) => loadGroupPage(ctx, query, 'team')),
    },
    {},
  )
}

const named = (names: Readonly<Record<string, string>>, code: string | null) => (code === null ? null : (names[code] ?? code))

function registerPassages(): void {
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
