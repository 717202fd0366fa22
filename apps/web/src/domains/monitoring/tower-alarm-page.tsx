import { findAlarms } from '@zhugong/contract/alarms/lists'
import { getFamily, towerDevice } from '@zhugong/contract/telemetry/endpoints'
import { Checkbox } from 'antd'
import { useMemo, useState } from 'react'
import { type AlarmColumn, type AlarmFile, FamilyAlarm, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { Panel } from '#kit/feedback.tsx'
import { time, timeOfDay } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { CraneSide } from './crane-side.tsx'
import { poseIn, shapeOf } from './crane-state.ts'
import './monitoring.css'

const family = 'towerCrane'
/** Limit switches act at work every day: shown only on demand. */
const limitKeys = new Set(['upperLimit', 'lowerLimit', 'outerLimit', 'innerLimit', 'leftLimit', 'rightLimit'])
const dayMs = 86_400_000

const columns: AlarmColumn[] = [
  { key: 'peakValue', width: 96, align: 'right', value: (row) => peakWords(row) },
  { key: 'thresholdText', width: 156, value: (row) => row.thresholdText },
  {
    key: 'peakTime',
    width: 92,
    hidden: true,
    value: (row) => (row.peakTime === null ? undefined : timeOfDay(row.peakTime)),
  },
  { key: 'maxLevel', width: 64, value: (row) => `${row.maxLevel} 级`, hidden: true },
  { key: 'clearTime', width: 152, value: (row) => time(row.clearTime), hidden: true },
]

/** Which alarms the cranes raised, whether they were real, who dealt with them. */
export default function TowerAlarmPage() {
  const projectCode = useProjectCode()
  const [withLimits, setWithLimits] = useState(false)
  const kind = useCall(getFamily, { params: { key: family } }, { staleMs: 3_600_000, quiet: true })
  const kinds = useMemo(() => (kind.data?.alarms ?? []).map((one) => ({ value: one.key, label: one.label })), [kind.data])
  const scope = useMemo(
    () =>
      withLimits || kinds.length === 0
        ? {}
        : {
            alarmKey: kinds
              .map((one) => one.value)
              .filter((key) => !limitKeys.has(key))
              .join(','),
          },
    [kinds, withLimits],
  )
  // Midnights, so that the answers are kept while the day lasts.
  const [from] = useState(() => ({
    week: time(Math.floor((Date.now() + 8 * 3_600_000) / dayMs) * dayMs - 8 * 3_600_000 - 6 * dayMs),
    month: time(Math.floor((Date.now() + 8 * 3_600_000) / dayMs) * dayMs - 8 * 3_600_000 - 29 * dayMs),
  }))
  const count = (query: Record<string, string>) => ({ query: { projectCode, family, size: 1, simulated: false, ...query } })
  const moments = useCall(findAlarms, count({ alarmKey: 'momentAlarm,momentOverload', startTime: from.week }), { quiet: true })
  const month = useCall(findAlarms, count({ startTime: from.month }), { quiet: true })
  const wrong = useCall(findAlarms, count({ startTime: from.month, state: 'false' }), { quiet: true })
  const share = month.data && wrong.data && month.data.total > 0 ? (wrong.data.total / month.data.total) * 100 : undefined
  return (
    <FamilyAlarm
      family={family}
      columns={columns}
      kinds={kinds}
      scope={scope}
      ready={kind.data !== undefined || kind.isError}
      drawing={(file) => <AtPeak file={file} />}
      toolbar={
        <Checkbox checked={withLimits} onChange={(event) => setWithLimits(event.target.checked)}>
          含限位动作
        </Checkbox>
      }
      strip={(counts) => [
        { label: '未恢复', value: counts?.active, unit: '条', tone: counts?.active ? 'danger' : undefined },
        { label: '未处理一二级', value: counts?.urgent, unit: '条', tone: counts?.urgent ? 'danger' : undefined },
        { label: '近 7 日超力矩', value: moments.data?.total, unit: '次', remark: '达到或超过额定力矩' },
        { label: '误报率', value: share === undefined ? '--' : share.toFixed(1), unit: '%', remark: '近 30 日' },
      ]}
    />
  )
}

/** The crane as it stood when it was worst. */
function AtPeak({ file }: { file: AlarmFile }) {
  const device = useCall(towerDevice, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  const at = file.peakTime ?? file.startTime
  const reading = file.evidence.reduce<AlarmFile['evidence'][number] | undefined>(
    (best, one) => (!best || Math.abs(one.time - at) < Math.abs(best.time - at) ? one : best),
    undefined,
  )
  const crane = device.data?.cranes.find((one) => one.deviceId === file.deviceId)
  const pose = poseIn(reading?.values)
  if (!crane || !pose) return null
  return (
    <div className="mon" style={{ height: 220, display: 'flex' }}>
      <Panel
        title="峰值时的姿态"
        style={{ flex: 1 }}
        actions={
          <span className="mon-legend">
            {timeOfDay(reading?.time)}，幅度 {pose.radius.toFixed(1)} m，回转 {pose.angle.toFixed(1)}°
          </span>
        }
      >
        <CraneSide main={{ shape: shapeOf(crane, device.data?.params), pose, color: dark.accent }} other={undefined} />
      </Panel>
    </div>
  )
}
