import type { workingCycleOf } from '@zhugong/contract/telemetry/known-records'
import { Tag } from '#kit/feedback.tsx'
import { measure, time, timeOfDay } from '#kit/format.ts'
import type { FamilyScope } from '../family-scope.tsx'

/** Columns that lists of cranes and of lifts share; rows need only the fields that a column reads. */

interface OfMachine {
  projectName: string
  deviceName: string
}
/** The project, in lists across sites only. */
export const projectColumn = (scope: FamilyScope, width: number) =>
  scope.projectCode === '*' ? [{ key: 'projectName', width, filter: 'text', value: (r: OfMachine) => r.projectName } as const] : []
export const deviceColumn = (width: number) =>
  ({ key: 'deviceName', width, locked: true, filter: 'text', value: (r: OfMachine) => r.deviceName }) as const

export const nobody = '未识别'
/** A driver, or the words for a driver who was not recognised. */
export const driverWords = (name: string | null) =>
  name === null || name === nobody ? <span className="tone-warning">{nobody}</span> : name
/** A count that should be zero. */
export const badCount = (value: number) => (value > 0 ? <span className="tone-danger">{value}</span> : 0)

export const noDriverMinutes = {
  key: 'noDriverMinutes',
  width: 128,
  align: 'right',
  filter: 'numeric-range',
  value: (r: { noDriverMinutes: number }) =>
    r.noDriverMinutes > 0 ? <span className="tone-warning">{r.noDriverMinutes.toFixed(0)}</span> : 0,
} as const

export type Cycle = ReturnType<typeof workingCycleOf>
interface Recorded {
  time: number
  data: Readonly<Record<string, unknown>>
}
/** Columns of lists of cycles. `of` reads a record, in the family's own way. */
export const cycleColumns = (of: (row: Recorded) => Cycle) => ({
  startTime: { key: 'startTime', width: 132, locked: true, sort: true, value: (r: Recorded) => time(of(r).startTime).slice(5) } as const,
  durationSeconds: (width: number) =>
    ({
      key: 'durationSeconds',
      width,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r: Recorded) => of(r).durationSeconds,
    }) as const,
  illegal: (width: number, words: (row: Recorded) => string | undefined) =>
    ({
      key: 'illegal',
      width,
      filter: 'single',
      options: [
        { value: '1', label: '违章' },
        { value: '0', label: '未违章' },
      ],
      value: (r: Recorded) => {
        const said = words(r)
        return said === undefined ? '否' : <Tag tone="danger">{said}</Tag>
      },
    }) as const,
  illegalReason: { key: 'illegalReason', width: 160, hidden: true, weak: true, value: (r: Recorded) => of(r).illegalReason } as const,
  driverName: { key: 'driverName', width: 88, filter: 'text', value: (r: Recorded) => driverWords(of(r).driverName) } as const,
  sourceOf: (r: Recorded) => (of(r).cut ? <Tag tone="warning">数据中断</Tag> : of(r).byPlatform ? '平台识别' : '设备上报'),
})

interface Reading {
  time: number
  receivedAt: number
  flag: number
  values: Readonly<Record<string, unknown>>
}
/** Columns of lists of readings. */
export const readingColumns = {
  time: {
    key: 'time',
    width: 140,
    locked: true,
    sort: true,
    value: (r: Reading) => <span title={`接收 ${time(r.receivedAt)}`}>{time(r.time).slice(5)}</span>,
  },
  driverName: {
    key: 'driverName',
    width: 84,
    value: (r: Reading) => (typeof r.values.driverName === 'string' ? r.values.driverName : null),
  },
  late: { key: 'late', width: 64, value: (r: Reading) => (r.flag === 1 ? <Tag>补传</Tag> : null) },
  receivedAt: { key: 'receivedAt', width: 140, hidden: true, value: (r: Reading) => time(r.receivedAt) },
} as const

interface Handled {
  areaName: string | null
  ownerCorpName: string | null
  modelName: string | null
  handledHours: number | null
  onlinePercent: number
}
/** Columns of rankings. */
export const rankColumns = {
  areaCode: { key: 'areaCode', width: 92, filter: 'area-cascader', weak: true, value: (r: Handled) => r.areaName },
  onlinePercent: {
    key: 'onlinePercent',
    width: 104,
    align: 'right',
    sort: true,
    filter: 'numeric-range',
    value: (r: Handled) => r.onlinePercent.toFixed(1),
  },
  ownerCorpName: { key: 'ownerCorpName', width: 132, filter: 'text', hidden: true, value: (r: Handled) => r.ownerCorpName },
  modelName: { key: 'modelName', width: 104, filter: 'text', hidden: true, value: (r: Handled) => r.modelName },
  handledHours: (width: number) =>
    ({ key: 'handledHours', width, align: 'right', sort: true, weak: true, value: (r: Handled) => measure(r.handledHours, 1) }) as const,
} as const

/** Columns of lists of alarms. */
export const peakTime = {
  key: 'peakTime',
  width: 92,
  hidden: true,
  value: (r: { peakTime: number | null }) => (r.peakTime === null ? undefined : timeOfDay(r.peakTime)),
} as const
export const clearTime = {
  key: 'clearTime',
  width: 152,
  value: (r: { clearTime: number | null }) => time(r.clearTime),
  hidden: true,
} as const
