import { findPours, formworkMarks } from '@zhugong/contract/monitoring/formwork/formwork'
import { formworkInfo, formworkLine } from '@zhugong/contract/monitoring/formwork/formwork-live'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, findingColumn, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, Pairs, Tag } from '#kit/feedback.tsx'
import { measure, span, time, timeOfDay } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { FamilyAlarmPage, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import { RecordCurve } from '../family-record.tsx'
import { replayText } from '../replay.ts'
import type { Pour } from './formwork-state.ts'

const family = 'highFormwork'
const doubts = { keys: ['batteryLow', 'offline'], label: '含离线与电量' }
/** Points of the bay are shown from this long before the alarm. */
const beforeMs = 5 * 60_000
const afterMs = 10 * 60_000
const neighbours = 3

const pourAt = (pours: readonly Pour[], deviceId: string, at: number): Pour | undefined =>
  pours.find((one) => one.deviceIds.includes(deviceId) && at >= one.startTime && at <= one.endTime)

/** What happened in which pour, and was the pump stopped in time? */
export default function FormworkWarningPage() {
  const projectCode = useProjectCode()
  const month = useDaysBack(30)
  const pours = useCall(findPours, { query: { projectCode, groupBy: 'pour', kind: 'pour', size: 200 } }, { quiet: true, staleMs: 60_000 })
  const list = useMemo(() => pours.data?.list ?? [], [pours.data])
  const grave = useAlarmCount(family, { level: '1', startTime: month })
  const unclosed = useAlarmCount(family, { state: 'open,acknowledged', startTime: month })
  const lost = useAlarmCount(family, { alarmKey: 'offline', active: true })
  const stops = list.flatMap((one) => (one.stopSeconds === null ? [] : [one.stopSeconds]))
  const columns: AlarmColumn[] = [
    {
      key: 'family',
      title: '浇筑',
      width: 176,
      value: (row) => pourAt(list, row.deviceId, row.startTime)?.pourName ?? <Tag tone="neutral">浇筑之外</Tag>,
    },
    { key: 'peakValue', width: 104, align: 'right', value: (row) => peakWords(row) },
    findingColumn(family),
    { key: 'thresholdText', width: 170, value: (row) => row.thresholdText },
    {
      key: 'duration',
      title: '停泵至撤离',
      width: 108,
      align: 'right',
      value: (row) => {
        const seconds = pourAt(list, row.deviceId, row.startTime)?.stopSeconds
        return seconds === null || seconds === undefined ? undefined : `${Math.round(seconds)} 秒`
      },
    },
    { key: 'handleTime', width: 112, value: (row) => (row.handleTime === null ? undefined : `${span(row.handleTime - row.fireTime)}内`) },
    { key: 'clearTime', width: 152, hidden: true, value: (row) => time(row.clearTime) },
  ]
  return (
    <FamilyAlarmPage
      family={family}
      aside={doubts}
      columns={columns}
      drawing={(file) => <AtPour file={file} pour={pourAt(list, file.deviceId, file.startTime)} />}
      strip={() => [
        { label: '一级告警', value: grave, unit: '条', remark: '近 30 日', tone: grave ? 'danger' : undefined },
        { label: '未闭合', value: unclosed, unit: '条', remark: '近 30 日', tone: unclosed ? 'danger' : undefined },
        {
          label: '平均撤离用时',
          value: stops.length === 0 ? undefined : Math.round(stops.reduce((sum, one) => sum + one, 0) / stops.length),
          unit: '秒',
          remark: pours.data && `${stops.length} 次停泵`,
        },
        { label: '失联', value: lost, unit: '个', tone: lost ? 'warning' : undefined },
      ]}
    />
  )
}

/** The point and its neighbours around the alarm: an impact moves one, a failing support moves all. */
function AtPour({ file, pour }: { file: AlarmFile; pour: Pour | undefined }) {
  const around = { from: file.startTime - beforeMs, to: Math.min(Date.now(), (file.clearTime ?? file.startTime) + afterMs) }
  const info = useCall(formworkInfo, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  const others = (info.data?.points ?? []).filter((one) => one.deviceId !== file.deviceId).slice(0, neighbours)
  const metric = file.metric ?? 'axialForcePercent'
  const drawn = [
    { key: metric === 'axialForce' ? 'axialForcePercent' : metric, label: file.alarmLabel, unit: metric.startsWith('axial') ? '%' : 'mm' },
  ]
  return (
    <Card
      title="测点与相邻测点"
      remark={file.alarmKey === 'suddenChange' ? '单点突变而相邻测点不动，多为碰撞，请现场确认' : '报警前 5 分钟起'}
      actions={<Link to={hrefOf('/highFormwork/index', { deviceId: file.deviceId, replay: replayText(around) })}>回放</Link>}
    >
      <RecordCurve
        call={formworkLine}
        deviceId={file.deviceId}
        span={around}
        metrics={drawn}
        limits={info.data?.limits ?? []}
        height={180}
      />
      {others.map((one) => (
        <div key={one.deviceId}>
          <h3>{one.pointCode}</h3>
          <RecordCurve call={formworkLine} deviceId={one.deviceId} span={around} metrics={drawn} limits={[]} height={110} />
        </div>
      ))}
      <Pairs
        items={[
          { label: '浇筑', value: pour?.pourName ?? '浇筑之外' },
          { label: '浇筑时段', value: pour ? `${timeOfDay(pour.startTime)} 至 ${timeOfDay(pour.endTime)}` : null },
          { label: '停泵至撤离', value: pour?.stopSeconds === null || !pour ? '没有停泵' : `${Math.round(pour.stopSeconds)} 秒` },
          { label: '当次最大', value: pour ? `${measure(pour.maxAxialForcePercent, 0)} %（预警 ${formworkMarks.warning} %）` : null },
        ]}
      />
    </Card>
  )
}
