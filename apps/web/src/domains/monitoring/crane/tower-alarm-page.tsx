import { towerDevice } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { Panel } from '#kit/feedback.tsx'
import { measure, timeOfDay } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { poseIn, shapeOf } from '../crane-state.ts'
import { clearTime, peakTime } from '../cycles/columns.tsx'
import { FamilyAlarmPage, openFigures, readingAtPeak, replayLink, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import { CraneSide } from './crane-side.tsx'
import '../monitoring.css'

const family = 'towerCrane'
/** Limit switches act in normal operation and are hidden by default. */
const limits = { keys: ['upperLimit', 'lowerLimit', 'outerLimit', 'innerLimit', 'leftLimit', 'rightLimit'], label: '含限位动作' }

/** Half the period of the list of cycles opened from an alarm. */
const aroundLiftMs = 6 * 3_600_000
const aroundLift = (at: number) => `${at - aroundLiftMs}-${at + aroundLiftMs}`

const columns: AlarmColumn[] = [
  { key: 'peakValue', width: 96, align: 'right', value: (row) => peakWords(row) },
  { key: 'thresholdText', width: 156, value: (row) => row.thresholdText },
  peakTime,
  { key: 'driverName', width: 84, filter: 'text', value: (row) => row.crane?.driverName },
  {
    key: 'otherCrane',
    width: 100,
    filter: 'text',
    when: (row) => Boolean(row.crane?.otherCrane),
    value: (row) => row.crane?.otherCrane,
  },
  {
    key: 'clearance',
    width: 92,
    align: 'right',
    filter: 'numeric-range',
    when: (row) => row.crane?.clearance !== null && row.crane?.clearance !== undefined,
    value: (row) => measure(row.crane?.clearance, 1),
  },
  { key: 'zoneName', width: 100, filter: 'text', when: (row) => Boolean(row.crane?.zoneName), value: (row) => row.crane?.zoneName },
  {
    key: 'cycleNo',
    width: 104,
    weak: true,
    filter: 'text',
    value: (row) =>
      row.crane?.cycleNo && (
        <Link to={hrefOf('/tower/handling', { deviceId: row.deviceId, cycleNo: row.crane.cycleNo, period: aroundLift(row.startTime) })}>
          {row.crane.cycleNo}
        </Link>
      ),
  },
  { key: 'maxLevel', width: 64, value: (row) => `${row.maxLevel} 级`, hidden: true },
  clearTime,
]

/** Alarms of cranes. */
export default function TowerAlarmPage() {
  const week = useDaysBack(7)
  const month = useDaysBack(30)
  const moments = useAlarmCount(family, { alarmKey: 'momentAlarm,momentOverload', startTime: week })
  const all = useAlarmCount(family, { startTime: month })
  const wrong = useAlarmCount(family, { startTime: month, state: 'false' })
  const share = all !== undefined && wrong !== undefined && all > 0 ? (wrong / all) * 100 : undefined
  return (
    <FamilyAlarmPage
      family={family}
      aside={limits}
      columns={columns}
      drawing={(file) => <AtPeak file={file} />}
      strip={(counts) => [
        ...openFigures(counts),
        { label: '近 7 日超力矩', value: moments, unit: '次', remark: '达到或超过额定力矩' },
        { label: '误报率', value: share === undefined ? '--' : share.toFixed(1), unit: '%', remark: '近 30 日' },
      ]}
    />
  )
}

/** The crane's position at the peak of the alarm. */
function AtPeak({ file }: { file: AlarmFile }) {
  const device = useCall(towerDevice, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  const reading = readingAtPeak(file)
  const crane = device.data?.cranes.find((one) => one.deviceId === file.deviceId)
  const pose = poseIn(reading?.values)
  if (!crane || !pose) return null
  return (
    <div className="mon mon-drawn mon-drawn-low">
      <Panel
        title="峰值时的姿态"
        grows
        actions={
          <span className="mon-legend">
            {timeOfDay(reading?.time)}，幅度 {pose.radius.toFixed(1)} m，回转 {pose.angle.toFixed(1)}°
            <Link to={replayLink('/tower/monitor', file)}>回放</Link>
          </span>
        }
      >
        <CraneSide main={{ shape: shapeOf(crane, device.data?.params), pose, color: dark.accent }} other={undefined} />
      </Panel>
    </div>
  )
}
