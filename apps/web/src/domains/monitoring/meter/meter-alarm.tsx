import type { Limit } from '@zhugong/contract/telemetry/model'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, peakWords } from '#domains/alarms/public.tsx'
import { Card } from '#kit/feedback.tsx'
import { time, timeOfDay } from '#kit/format.ts'
import { RecordCurve } from '../family-record.tsx'
import type { Drawn } from '../limit-chart.ts'
import type { LineCall } from '../metric-trend.tsx'
import { aroundAlarm } from '../replay.ts'

/** Meters are polled every one or two minutes. */
const seldomSeconds = 240

/** Columns common to electricity and water meters, with one of the family's own. */
export const meterColumnsWith = (own: AlarmColumn): AlarmColumn[] => [
  { key: 'peakValue', width: 104, align: 'right', value: (row) => peakWords(row) },
  own,
  { key: 'thresholdText', width: 170, value: (row) => row.thresholdText },
  { key: 'peakTime', width: 92, hidden: true, value: (row) => (row.peakTime === null ? undefined : timeOfDay(row.peakTime)) },
  { key: 'handleTime', width: 128, weak: true, value: (row) => (row.handleTime === null ? undefined : time(row.handleTime).slice(5)) },
  { key: 'clearTime', width: 152, hidden: true, value: (row) => time(row.clearTime) },
  { key: 'maxLevel', width: 64, hidden: true, value: (row) => `${row.maxLevel} 级` },
]

/** Curves of a meter around an alarm. */
export function AroundMeter({
  file,
  call,
  limits,
  groups,
  to,
}: {
  file: AlarmFile
  call: LineCall
  limits: readonly Limit[]
  groups: readonly { title: string; metrics: readonly Drawn[] }[]
  to: string
}) {
  const span = aroundAlarm(file.startTime, file.clearTime, Date.now())
  return (
    <>
      {groups.map(({ title, metrics }, i) => (
        <Card key={title} title={title} actions={i === 0 && <Link to={to}>实时</Link>}>
          <RecordCurve
            call={call}
            deviceId={file.deviceId}
            span={span}
            metrics={metrics}
            limits={limits}
            height={160}
            everySeconds={seldomSeconds}
          />
        </Card>
      ))}
    </>
  )
}
