import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { liftDevice } from '@zhugong/contract/monitoring/lift-live'
import { stoppingAlarms } from '@zhugong/contract/monitoring/lift-stops'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Panel } from '#kit/feedback.tsx'
import { span, time, timeOfDay } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { hrefOf } from '#kit/page.tsx'
import { FamilyAlarmPage, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import '../monitoring.css'
import { aroundAlarm, replayText } from '../replay.ts'
import { cageThen } from './cage-then.ts'
import './lift.css'
import { liftParams } from './lift-state.ts'
import { LiftStopButton, StopNotice } from './lift-stop.tsx'
import { Shaft } from './shaft.tsx'

const family = 'lifter'
/** A cage touches its limit switches at normal stops: shown only on demand. */
const limits = { keys: ['topLimit', 'bottomLimit'], label: '含限位动作' }

const columns: AlarmColumn[] = [
  { key: 'peakValue', width: 96, align: 'right', value: (row) => peakWords(row) },
  { key: 'thresholdText', width: 168, value: (row) => row.thresholdText },
  { key: 'peakTime', width: 92, hidden: true, value: (row) => (row.peakTime === null ? undefined : timeOfDay(row.peakTime)) },
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
  { key: 'clearTime', width: 152, value: (row) => time(row.clearTime), hidden: true },
]

/** Which alarms the lifts raised, and what was done about them. */
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
        { label: '未恢复', value: counts?.active, unit: '条', tone: counts?.active ? 'danger' : undefined },
        { label: '未处理一二级', value: counts?.urgent, unit: '条', tone: counts?.urgent ? 'danger' : undefined },
        { label: '近 7 日超员超载', value: persons, unit: '次', remark: '限载人数与额定载重' },
        { label: '近 7 日开门运行', value: doors, unit: '次', remark: '一级，须停用检查', tone: doors ? 'danger' : undefined },
      ]}
    />
  )
}

/** The cage as it stood when it was worst: its floor, who was in it, which door stood open. */
function AtPeak({ file }: { file: AlarmFile }) {
  const device = useCall(liftDevice, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  const at = file.peakTime ?? file.startTime
  const reading = file.evidence.reduce<AlarmFile['evidence'][number] | undefined>(
    (best, one) => (!best || Math.abs(one.time - at) < Math.abs(best.time - at) ? one : best),
    undefined,
  )
  if (!reading) return <Stopping file={file} lift={device.data} />
  const params = liftParams(device.data?.params)
  const replay = hrefOf('/equipment/lifter', {
    deviceId: file.deviceId,
    replay: replayText(aroundAlarm(file.startTime, file.clearTime, Date.now())),
  })
  return (
    <>
      <Stopping file={file} lift={device.data} />
      <div className="mon lift-then">
        <Panel
          title="峰值时的吊笼"
          actions={
            <span className="mon-legend">
              {timeOfDay(reading.time)}
              <Link to={replay}>回放</Link>
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

/** After what must not go on, the lift is proposed to be taken out of use; where it is, what it takes to use it again. */
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
