import { CloseOutlined } from '@ant-design/icons'
import type { AlarmRow } from '@zhugong/contract/alarms/endpoints'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import type { Limit, RecordView } from '@zhugong/contract/telemetry/model'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { Empty, ErrorPanel, type FigureProps, FigureStrip, RiskBadge } from '#kit/feedback.tsx'
import { time, timeOfDay } from '#kit/format.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { usePageQuery } from '#kit/page.tsx'
import './family.css'
import { type FamilyScope, ScopeBar } from './family-scope.tsx'
import { type Drawn, limitOption } from './limit-chart.ts'
import type { LineCall } from './metric-trend.tsx'
import type { Span } from './replay.ts'

interface FamilyRecordProps {
  scope: FamilyScope
  /** Name of one machine: 塔机, 监测站. */
  unit: string
  /** Periods offered, as `periodIn` reads them. */
  periods: readonly string[]
  figures?: readonly FigureProps[]
  loading?: boolean
  titleActions?: ReactNode
  /** Chart between figures and table. */
  above?: ReactNode
  /** Panel on the right while a record is open. */
  detail?: ReactNode
  children: ReactNode
}

/** Record page of a family: machine, period, figures, list, and the selected record beside it. */
export function FamilyRecord({ scope, unit, periods, figures, loading = false, titleActions, above, detail, children }: FamilyRecordProps) {
  return (
    <ListShell
      strip={figures && <FigureStrip items={figures} loading={loading} />}
      actions={<ScopeBar scope={scope} periods={periods} unit={unit} />}
      titleActions={titleActions}
      above={above}
      right={detail}
    >
      {children}
    </ListShell>
  )
}

/** Id of a record from device, time and the device's own id. */
export const recordId = (row: Pick<RecordView, 'id' | 'deviceId' | 'time'>): string => `${row.deviceId}.${row.time}.${row.id}`

/** The selected record is a URL parameter, removed when the machine or period changes. */
export function useRecord<Row>(scope: FamilyScope, rows: readonly Row[], idOf: (row: Row) => string) {
  const wanted = usePageQuery().get('record')
  return {
    record: rows.find((row) => idOf(row) === wanted),
    open: (row: Row) => scope.put({ record: idOf(row) }),
    close: () => scope.put({ record: undefined }),
  }
}

/** Panel with a record, right of its list. */
export function RecordPanel({
  title,
  remark,
  onClose,
  children,
}: {
  title: ReactNode
  remark?: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  return (
    <aside className="zg-card fam-record" aria-label="记录详情">
      <div className="zg-card-head">
        <h2>{title}</h2>
        <div className="right">
          <Button type="text" icon={<CloseOutlined />} aria-label="关闭" onClick={onClose} />
        </div>
      </div>
      <div className="body">
        {remark && <p className="zg-2">{remark}</p>}
        {children}
      </div>
    </aside>
  )
}

interface RecordCurveProps {
  call: LineCall
  deviceId: string
  span: Span
  metrics: readonly Drawn[]
  limits: readonly Limit[]
  alarms?: readonly AlarmRow[]
  blocks?: readonly (Span & { text: string })[]
  /** Query parameters beside the metrics: cage, point. */
  ask?: Readonly<Record<string, string>> | undefined
  height?: number
  /** For a machine that reports rarely: least seconds per point, so that the points are connected. */
  everySeconds?: number
}
const curvePoints = 400
const fewestPoints = 10

/** Curve of a machine's readings in a span, with limits in force and alarms. */
export function RecordCurve({
  call,
  deviceId,
  span,
  metrics,
  limits,
  alarms = [],
  blocks = [],
  ask,
  height = 190,
  everySeconds = 0,
}: RecordCurveProps) {
  const keys = metrics.map((one) => one.key).join(',')
  const line = useCall(
    call,
    {
      query: {
        ...ask,
        deviceId,
        startTime: String(Math.round(span.from)),
        endTime: String(Math.round(span.to)),
        metrics: keys,
        points:
          everySeconds > 0
            ? Math.round(Math.min(curvePoints, Math.max(fewestPoints, (span.to - span.from) / 1000 / everySeconds)))
            : curvePoints,
      },
    },
    { quiet: true, keepPrevious: true },
  )
  if (line.error && !line.data) return <ErrorPanel error={line.error} retry={line.refetch} />
  const points = line.data?.list ?? []
  if (line.data && !points.some((one) => metrics.some(({ key }) => one.v[key] !== undefined)))
    return <Empty small text="这段时间没有读数" hint="读数已过保留期，或设备当时没有上报" />
  const shown = alarms.map((one) => ({ startTime: one.startTime, clearTime: one.clearTime, level: one.level, label: one.alarmLabel }))
  return (
    <Chart
      height={height}
      label={`${metrics.map((one) => one.label).join('、')} ${time(span.from)} 至 ${time(span.to)}`}
      option={limitOption({ points, bucketSeconds: line.data?.bucketSeconds ?? 5, metrics, limits, alarms: shown, blocks, span })}
    />
  )
}

/** Alarms of one machine that started in a span or shortly before. */
export function useAlarmsWithin(family: string, projectCode: string, deviceId: string | undefined, span: Span | undefined) {
  return useCall(
    findAlarms,
    {
      query: {
        projectCode,
        family,
        deviceId,
        startTime: String(Math.round(span?.from ?? 0)),
        endTime: String(Math.round(span?.to ?? 1)),
        simulated: false,
        size: 50,
        sort: 'startTime',
      },
    },
    { quiet: true, enabled: deviceId !== undefined && span !== undefined },
  )
}

export function AlarmLines({ alarms, onOpen }: { alarms: readonly AlarmRow[]; onOpen: (id: string) => void }) {
  if (alarms.length === 0) return <p className="zg-2">这段时间没有告警</p>
  return (
    <ul className="fam-alarms">
      {alarms.map((one) => (
        <li key={one.id}>
          <RiskBadge level={one.level} word={false} />
          <button type="button" className="zg-bare zg-link" onClick={() => onOpen(one.id)}>
            {timeOfDay(one.startTime)} {one.alarmLabel}
          </button>
          <span className="zg-2">{one.thresholdText}</span>
        </li>
      ))}
    </ul>
  )
}
