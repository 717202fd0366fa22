import { findLoads } from '@zhugong/contract/monitoring/unloading/unloading-lists'
import { unloadingInfo, unloadingLine } from '@zhugong/contract/monitoring/unloading/unloading-live'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, Tag } from '#kit/feedback.tsx'
import { span as spanWords, time, timeOfDay } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { FamilyAlarmPage, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import { RecordCurve } from '../family-record.tsx'
import { aroundAlarm, replayText } from '../replay.ts'
import { loadOf } from './load-words.ts'

const family = 'unloadingPlatform'
const upkeep = { keys: ['batteryLow', 'offline'], label: '含电量与离线' }
/** A shorter load is a hook resting on the platform. */
const momentMs = 10_000

const columns: AlarmColumn[] = [
  {
    key: 'peakValue',
    width: 132,
    align: 'right',
    value: (row) => {
      const moment = row.alarmKey === 'weightAlarm' && row.clearTime !== null && row.clearTime - row.startTime < momentMs
      return (
        <span>
          {moment && <Tag>瞬时</Tag>} {peakWords(row)}
        </span>
      )
    },
  },
  { key: 'thresholdText', width: 160, value: (row) => row.thresholdText },
  { key: 'clearTime', width: 128, weak: true, value: (row) => (row.clearTime === null ? undefined : time(row.clearTime).slice(5)) },
  { key: 'peakTime', width: 92, hidden: true, value: (row) => (row.peakTime === null ? undefined : timeOfDay(row.peakTime)) },
  { key: 'maxLevel', width: 64, hidden: true, value: (row) => `${row.maxLevel} 级` },
]

/** How often were platforms overloaded, by which team, and how fast were they cleared? */
export default function UnloadingAlarmPage() {
  const today = useDaysBack(1)
  const month = useDaysBack(30)
  const open = useAlarmCount(family, { active: true, alarmKey: 'weightAlarm' })
  const since = useAlarmCount(family, { startTime: today, alarmKey: 'weightAlarm' })
  const tilt = useAlarmCount(family, { startTime: month, alarmKey: 'tiltWarning,tiltAlarm' })
  const stay = useAlarmCount(family, { startTime: month, alarmKey: 'stayTooLong' })
  return (
    <FamilyAlarmPage
      family={family}
      aside={upkeep}
      columns={columns}
      drawing={(file) => <AtLoad file={file} />}
      strip={() => [
        { label: '超载未清', value: open, unit: '个', tone: open ? 'danger' : undefined },
        { label: '今日超载', value: since, unit: '次', tone: since ? 'danger' : undefined },
        { label: '倾角', value: tilt, unit: '次', remark: '近 30 日' },
        { label: '物料滞留', value: stay, unit: '次', remark: '近 30 日，超过 2 小时' },
      ]}
    />
  )
}

/** Weight and tilt around the alarm, and its load. */
function AtLoad({ file }: { file: AlarmFile }) {
  const span = aroundAlarm(file.startTime, file.clearTime, Date.now())
  const info = useCall(unloadingInfo, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  const loads = useCall(
    findLoads,
    {
      query: {
        projectCode: file.projectCode,
        deviceId: file.deviceId,
        startTime: String(Math.round(file.startTime)),
        endTime: String(Math.round(file.startTime + 12 * 3_600_000)),
        size: 1,
        sort: 'time',
      },
    },
    { quiet: true },
  )
  const [row] = loads.data?.list ?? []
  const load = row && loadOf(row)
  const own = load && load.startTime <= file.startTime ? load : undefined
  const curve = { everySeconds: 120, call: unloadingLine, deviceId: file.deviceId, span, limits: info.data?.limits ?? [] }
  return (
    <Card
      title="载重与倾角"
      remark={
        own
          ? `${own.teamName ?? '未登记班组'}，最大 ${own.maxWeight?.toFixed(2) ?? '--'} t，告警后 ${spanWords(own.endTime - file.startTime)}清空`
          : '这次上料还没有清空，或没有记录'
      }
      actions={<Link to={hrefOf('/unloading', { deviceId: file.deviceId, replay: replayText(span) })}>回放</Link>}
    >
      <RecordCurve {...curve} metrics={[{ key: 'weightPercent', label: '载重', unit: '%' }]} height={170} />
      <RecordCurve {...curve} metrics={[{ key: 'tilt', label: '合成倾角', unit: '°' }]} height={140} />
    </Card>
  )
}
