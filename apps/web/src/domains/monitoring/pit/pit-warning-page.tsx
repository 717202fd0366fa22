import { dayMs } from '@zhugong/contract/kit/time'
import { pitStates } from '@zhugong/contract/monitoring/pit/pit-live'
import { findPitDays, findPitPoints, listPitStages } from '@zhugong/contract/monitoring/pit/pits'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, findingColumn, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { day as dayOf, measure, time } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { FamilyAlarmPage, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import { DayChart } from './day-chart.tsx'
import './pit.css'
import { besidePoints, marks, placedOf, shareWords, stateTones, valueWords, wallWords } from './pit-state.ts'

const family = 'foundationPit'
const doubts = { keys: ['offline'], label: '含离线' }
/** Days shown before and after the alarm: to tell a jump from creep, and whether it stopped. */
const around = { before: 20, after: 7 }

/** Which points exceeded, what was decided, and did the movement stop? */
export default function PitWarningPage() {
  const projectCode = useProjectCode()
  const month = useDaysBack(30)
  const points = useCall(findPitPoints, { query: { projectCode, groupBy: 'point', size: 1000 } }, { quiet: true, everyMs: 60_000 })
  const byDevice = useMemo(() => new Map((points.data?.list ?? []).map((one) => [one.deviceId, one])), [points.data])
  const unclosed = useAlarmCount(family, { state: 'open,acknowledged', startTime: month })
  const rates = useAlarmCount(family, { startTime: month, alarmKey: 'displacementRate,displacementRateSustained,waterLevelRate' })
  const columns: AlarmColumn[] = [
    { key: 'peakValue', width: 104, align: 'right', value: (row) => peakWords(row) },
    findingColumn(family),
    { key: 'thresholdText', width: 170, value: (row) => row.thresholdText },
    {
      key: 'family',
      title: '测点现状',
      width: 196,
      value: (row) => {
        const point = byDevice.get(row.deviceId)
        if (!point) return undefined
        return (
          <>
            <Tag tone={stateTones[point.state]}>{pitStates[point.state]}</Tag> {valueWords(point.cumulative, point.unit)}，
            {shareWords(point.share)}
          </>
        )
      },
    },
    { key: 'maxLevel', width: 84, value: (row) => `${row.maxLevel} 级` },
    { key: 'handleTime', width: 152, hidden: true, value: (row) => time(row.handleTime) },
    { key: 'clearTime', width: 152, hidden: true, value: (row) => time(row.clearTime) },
  ]
  return (
    <FamilyAlarmPage
      family={family}
      aside={doubts}
      columns={columns}
      drawing={(file) => <AtPoint file={file} />}
      strip={(counts) => [
        {
          label: '仍在超限',
          value: counts?.active,
          unit: '条',
          tone: counts?.active ? 'danger' : undefined,
          remark: '累计值一般不会自行恢复',
        },
        { label: '未闭合', value: unclosed, unit: '条', remark: '近 30 日', tone: unclosed ? 'danger' : undefined },
        { label: '速率告警', value: rates, unit: '次', remark: '近 30 日', tone: rates ? 'warning' : undefined },
        {
          label: '现超控制值',
          value: points.data ? points.data.list.filter((one) => one.state === 'over').length : undefined,
          unit: '点',
          tone: points.data?.list.some((one) => one.state === 'over') ? 'danger' : undefined,
        },
      ]}
    />
  )
}

/** The point's curve around the alarm with limits and excavation, and whether its neighbours moved too. */
function AtPoint({ file }: { file: AlarmFile }) {
  const from = file.startTime - around.before * dayMs
  const to = Math.min(Date.now(), (file.clearTime ?? Date.now()) + around.after * dayMs)
  const days = useCall(
    findPitDays,
    {
      query: { deviceId: file.deviceId, groupBy: 'day', startTime: `${dayOf(from)} 00:00:00`, endTime: time(to), sort: 'time', size: 200 },
    },
    { quiet: true },
  )
  const points = useCall(
    findPitPoints,
    { query: { projectCode: file.projectCode, groupBy: 'point', size: 1000 } },
    { quiet: true, staleMs: 60_000 },
  )
  const point = points.data?.list.find((one) => one.deviceId === file.deviceId)
  const stages = useCall(
    listPitStages,
    { query: { projectCode: file.projectCode, pitName: point?.pitName, size: 100 } },
    { quiet: true, enabled: point !== undefined },
  )
  const placed = placedOf(points.data?.list ?? [], [point?.lng ?? 0, point?.lat ?? 0])
  const chosen = placed.find((one) => one.point.deviceId === file.deviceId)
  const beside = chosen ? besidePoints(placed, chosen) : []
  const rows = days.data?.list ?? []
  const then = rows.find((one) => one.day === dayOf(file.startTime))
  const stage = stages.data?.list.find((one) => one.at <= file.startTime)
  if (days.error && !days.data)
    return (
      <Card title="测点曲线">
        <ErrorPanel error={days.error} retry={days.refetch} />
      </Card>
    )
  return (
    <Card
      title="测点曲线与周边"
      remark={point ? `${point.pointTypeName}，${wallWords(then?.ratePerDay ?? point.ratePerDay, beside)}` : undefined}
      actions={<Link to={hrefOf('/foundationPit/monitor', { deviceId: file.deviceId })}>看剖面</Link>}
    >
      <div className="pit-evidence zg-dark">
        <DayChart
          label={`${file.deviceName} 累计`}
          days={rows.map((one) => ({ day: one.day, value: one.value }))}
          decimals={1}
          chosen={dayOf(file.startTime)}
          stages={[...(stages.data?.list ?? [])].reverse().map((one) => ({ day: dayOf(one.at), text: `挖至 −${measure(one.depth, 1)}` }))}
          limits={
            point?.control ? marks.map((mark) => ({ at: ((point.control ?? 0) * mark) / 100, text: `${mark} %`, grave: mark === 100 })) : []
          }
        />
      </div>
      <Pairs
        items={[
          { label: '当日累计', value: then ? `${valueWords(then.value, then.unit)}，${shareWords(then.share)}` : null },
          {
            label: '当日速率',
            value: then?.ratePerDay === null || !then ? '速率不足以计算' : `${measure(then.ratePerDay, 2)} ${then.unit}/d`,
          },
          { label: '控制值', value: point?.control === null || !point ? '未设控制值' : valueWords(point.control, point.unit) },
          { label: '当时工况', value: stage ? `挖至 ${stage.depth} m` : '未上报' },
          {
            label: '附近同类测点',
            wide: true,
            value:
              beside
                .map((one) => `${one.point.pointCode}（${measure(one.metres, 0)} m）${measure(one.point.ratePerDay, 2)}/d`)
                .join('，') || '没有',
          },
        ]}
      />
    </Card>
  )
}
