import { envInfo, envLine } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { findSprayRuns, findStations } from '@zhugong/contract/monitoring/environment/environment-lists'
import { causeSources } from '@zhugong/contract/monitoring/exceed-causes'
import { sprayRunOf } from '@zhugong/contract/telemetry/known-records'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, Tag } from '#kit/feedback.tsx'
import { span as spanWords, time, timeOfDay } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { FamilyAlarmPage, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import { RecordCurve } from '../family-record.tsx'
import { aroundAlarm, replayText } from '../replay.ts'

const family = 'environment'
/** Alarms about data quality, not pollution, in a group of their own. */
const doubts = { keys: ['constantValue', 'offline'], label: '含数据存疑' }
/** Time within which an exceedance must be answered. */
const answerMs = 30 * 60_000
/** Dust counts as regional if the district reaches this share of the site's value. */
const regionalShare = 0.8

const columns: AlarmColumn[] = [
  { key: 'peakValue', width: 104, align: 'right', value: (row) => peakWords(row) },
  { key: 'thresholdText', width: 170, value: (row) => row.thresholdText },
  { key: 'peakTime', width: 92, hidden: true, value: (row) => (row.peakTime === null ? undefined : timeOfDay(row.peakTime)) },
  {
    key: 'handleTime',
    width: 112,
    value: (row) => {
      if (row.handleTime === null) return undefined
      const took = row.handleTime - row.fireTime
      return <span className={took > answerMs ? 'tone-warning' : ''} title={time(row.handleTime)}>{`${spanWords(took)}内`}</span>
    },
  },
  {
    key: 'cause',
    width: 116,
    filter: 'checkbox-empty',
    options: Object.entries(causeSources).map(([value, label]) => ({ value, label })),
    value: ({ cause }) => cause && <span title={`${cause.text}（${cause.byName} ${time(cause.at)}）`}>{causeSources[cause.source]}</span>,
  },
  {
    key: 'permitted',
    width: 116,
    filter: 'single',
    options: [
      { value: '1', label: '许可期内' },
      { value: '0', label: '没有许可' },
    ],
    value: (row) => row.permitNo && <Tag>{row.permitNo}</Tag>,
  },
  { key: 'maxLevel', width: 64, hidden: true, value: (row) => `${row.maxLevel} 级` },
  { key: 'clearTime', width: 152, hidden: true, value: (row) => time(row.clearTime) },
]

export default function EnvironmentAlarmPage() {
  const today = useDaysBack(1)
  const month = useDaysBack(30)
  const since = useAlarmCount(family, {
    startTime: today,
    alarmKey: 'pm10Warning,pm10Alarm,pm10Site,pm25Alarm,tspHourly,tsp5min,noiseDay,noiseNight',
  })
  const old = useAlarmCount(family, { state: 'open,acknowledged', startTime: month, endTime: today })
  const nights = { startTime: month, alarmKey: 'noiseNight' } as const
  const loud = useAlarmCount(family, { ...nights, permitted: '0' })
  const allowed = useAlarmCount(family, { ...nights, permitted: '1' })
  const doubt = useAlarmCount(family, { active: true, alarmKey: doubts.keys.join(',') })
  return (
    <FamilyAlarmPage
      family={family}
      aside={doubts}
      columns={columns}
      drawing={(file) => <AtExceedance file={file} />}
      toolbar={
        <span className="zg-2 env-nights" title="近 30 日夜间噪声超标，许可期内的单独计数">
          夜间噪声：无许可 <span>{loud ?? '--'}</span>，许可期内 <span>{allowed ?? '--'}</span>
        </span>
      }
      strip={(counts) => [
        { label: '超标中', value: counts?.active, unit: '条', tone: counts?.active ? 'danger' : undefined },
        { label: '今日超标', value: since, unit: '次', remark: '扬尘与噪声' },
        { label: '往日未处置', value: old, unit: '条', remark: '近 30 日', tone: old ? 'danger' : undefined },
        { label: '恒值、离线', value: doubt, unit: '个', remark: '数据存疑', tone: doubt ? 'warning' : undefined },
      ]}
    />
  )
}

const units: Readonly<Record<string, string>> = { noise: 'dB', leq: 'dB', temperature: '℃', windSpeed: 'm/s' }

/** The exceedance with its limits and spray runs, and whether the whole district was dusty. */
function AtExceedance({ file }: { file: AlarmFile }) {
  const span = aroundAlarm(file.startTime, file.clearTime, Date.now())
  const info = useCall(envInfo, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  const station = useCall(
    findStations,
    { query: { projectCode: file.projectCode, deviceId: file.deviceId, size: 1 } },
    { quiet: true, staleMs: 300_000 },
  )
  const runs = useCall(
    findSprayRuns,
    { query: { projectCode: file.projectCode, startTime: time(span.from), endTime: time(span.to), size: 50, sort: 'startTime' } },
    { quiet: true },
  )
  const metric = file.metric ?? 'pm10'
  const shown = (runs.data?.list ?? []).map((row) => ({ name: row.deviceName, ...sprayRunOf(row) }))
  const [first] = shown.filter((one) => one.startTime >= file.startTime)
  const now = station.data?.list[0]
  const pm10 = now?.latest?.values.pm10
  const district = typeof pm10 === 'number' && now?.delta !== null && now?.delta !== undefined ? pm10 - now.delta : undefined
  const regional = metric === 'pm10' && district !== undefined && file.peakValue !== null && district >= file.peakValue * regionalShare
  return (
    <Card
      title="超标时段与喷淋"
      remark={
        first ? `喷淋在超标 ${spanWords(first.startTime - file.startTime)}后启动` : shown.length > 0 ? '超标前已在喷淋' : '期间没有喷淋'
      }
      actions={<Link to={hrefOf('/monitor/environmental', { deviceId: file.deviceId, replay: replayText(span) })}>回放</Link>}
    >
      {regional && (
        <p>
          <Tag tone="warning">区域性污染</Tag> 区域站 {district?.toFixed(0)} μg/m³，与本站相当
        </p>
      )}
      <RecordCurve
        call={envLine}
        deviceId={file.deviceId}
        span={span}
        metrics={[{ key: metric, label: file.alarmLabel, unit: units[metric] ?? 'μg/m³' }]}
        limits={info.data?.limits ?? []}
        blocks={shown.map((one) => ({ from: one.startTime, to: one.endTime, text: '喷淋' }))}
        height={200}
      />
    </Card>
  )
}
