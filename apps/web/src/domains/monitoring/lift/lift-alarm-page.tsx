import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { liftDevice } from '@zhugong/contract/monitoring/lift/lift-live'
import { stoppingAlarms } from '@zhugong/contract/monitoring/lift/lift-stops'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Panel } from '#kit/feedback.tsx'
import { span, time, timeOfDay } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { clearTime, peakTime } from '../cycles/columns.tsx'
import { FamilyAlarmPage, openFigures, readingAtPeak, replayLink, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import '../monitoring.css'
import { cageThen } from './cage-then.ts'
import './lift.css'
import { liftParams } from './lift-state.ts'
import { LiftStopButton, StopNotice } from './lift-stop.tsx'
import { Shaft } from './shaft.tsx'

const family = 'lifter'
/** Limit switches act at normal stops and are hidden by default. */
const limits = { keys: ['topLimit', 'bottomLimit'], label: '含限位动作' }

const columns: AlarmColumn[] = [
  { key: 'peakValue', width: 96, align: 'right', value: (row) => peakWords(row) },
  { key: 'thresholdText', width: 168, value: (row) => row.thresholdText },
  peakTime,
  {
    key: 'stop',
    width: 104,
    when: (row) => row.stop !== null,
    value: ({ stop }) =>
      stop && (
        <span
          className={stop.to === null ? 'tone-danger' : ''}
          title={`自 ${time(stop.from)}${stop.to === null ? '' : ` 至 ${time(stop.to)}`}`}
        >
          {stop.to === null ? '停用中' : span(stop.to - stop.from)}
        </span>
      ),
  },
  clearTime,
]

/** Alarms of lifts. */
export default function LiftAlarmPage() {
  const week = useDaysBack(7)
  const persons = useAlarmCount(family, { alarmKey: 'personOver,loadAlarm,overload', startTime: week })
  const doors = useAlarmCount(family, { alarmKey: 'doorOpenRunning', startTime: week })
  return (
    <FamilyAlarmPage
      family={family}
      aside={limits}
      columns={columns}
      drawing={(file) => <AtPeak file={file} />}
      strip={(counts) => [
        ...openFigures(counts),
        { label: '近 7 日超员超载', value: persons, unit: '次', remark: '限载人数与额定载重' },
        { label: '近 7 日开门运行', value: doors, unit: '次', remark: '一级，须停用检查', tone: doors ? 'danger' : undefined },
      ]}
    />
  )
}

/** The cage at the peak of the alarm: floor, persons, doors. */
function AtPeak({ file }: { file: AlarmFile }) {
  const device = useCall(liftDevice, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  const reading = readingAtPeak(file)
  if (!reading) return <Stopping file={file} lift={device.data} />
  const params = liftParams(device.data?.params)
  return (
    <>
      <Stopping file={file} lift={device.data} />
      <div className="mon lift-then">
        <Panel
          title="峰值时的吊笼"
          actions={
            <span className="mon-legend">
              {timeOfDay(reading.time)}
              <Link to={replayLink('/equipment/lifter', file)}>回放</Link>
            </span>
          }
        >
          <Shaft
            name={file.deviceName}
            params={params}
            cages={[cageThen({ deviceId: file.deviceId, deviceName: file.deviceName, values: reading.values }, params)]}
            selected={file.deviceId}
          />
        </Panel>
      </div>
    </>
  )
}

/** After a serious alarm: proposes to take the lift out of use, or shows how to return it to use. */
function Stopping({ file, lift }: { file: AlarmFile; lift: OutputFor<typeof liftDevice> | undefined }) {
  const now = useNow(60_000)
  if (!lift || file.simulated) return null
  const proposed = stoppingAlarms.includes(file.alarmKey) && file.stop === null
  if (!lift.stop && !proposed) return null
  return (
    <div className="lift-stopping">
      {lift.stop ? <StopNotice stop={lift.stop} now={now} /> : <span>{file.alarmLabel}后应停用检查，合格再恢复使用</span>}
      <LiftStopButton lift={lift} alarm={{ id: file.id, label: file.alarmLabel }} />
    </div>
  )
}
