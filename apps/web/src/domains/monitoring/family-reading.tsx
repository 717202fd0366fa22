import type { AlarmRow } from '@zhugong/contract/alarms/endpoints'
import { minuteMs } from '@zhugong/contract/kit/time'
import type { Limit } from '@zhugong/contract/telemetry/model'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { measure, time, timeOfDay } from '#kit/format.ts'
import { usePageQuery } from '#kit/page.tsx'
import { AttachReadings } from './attach-readings.tsx'
import { numberIn } from './crane-state.ts'
import { AlarmLines, FamilyRecord, RecordCurve, RecordPanel, useAlarmsWithin } from './family-record.tsx'
import type { FamilyScope } from './family-scope.tsx'
import { qualityNames } from './gauge.tsx'
import type { Drawn } from './limit-chart.ts'
import type { LineCall } from './metric-trend.tsx'
import { replayText } from './replay.ts'

/** Curves by their name in the address; the first is the default. */
export type CurvePresets = Readonly<Record<string, { label: string; metrics: readonly Drawn[] }>>

interface FamilyReadingProps {
  scope: FamilyScope
  unit: string
  presets: CurvePresets
  call: LineCall
  limits: readonly Limit[] | undefined
  /** Selects the alarms drawn on the curve; by default all. */
  drawn?: (alarm: AlarmRow) => boolean
  remark?: string
  /** The open reading. */
  detail: ReactNode
  /** The table. */
  children: ReactNode
}

/** Readings of one machine: the curve with limits and alarms above, the list below. */
export function FamilyReading({ scope, unit, presets, call, limits, drawn, remark, detail, children }: FamilyReadingProps) {
  const keys = Object.keys(presets)
  const wanted = usePageQuery().get('by')
  const by = wanted && wanted in presets ? wanted : keys[0]
  const preset = by === undefined ? undefined : presets[by]
  const alarms = useAlarmsWithin(scope.family, scope.projectCode, scope.deviceId, scope.period)
  const reported = alarms.data?.list ?? []
  return (
    <FamilyRecord
      scope={scope}
      unit={unit}
      periods={['1', '7', '30']}
      above={
        <Card
          title={scope.deviceName ?? '曲线'}
          remark={remark ?? scope.words}
          actions={
            <>
              <AttachReadings scope={scope} />
              <Segmented
                aria-label="曲线"
                value={by ?? ''}
                options={keys.map((value) => ({ value, label: presets[value]?.label ?? value }))}
                onChange={(value) => scope.put({ by: String(value) })}
              />
            </>
          }
        >
          {scope.deviceId && preset ? (
            <RecordCurve
              call={call}
              deviceId={scope.deviceId}
              span={scope.period}
              metrics={preset.metrics}
              limits={limits ?? []}
              alarms={drawn ? reported.filter(drawn) : reported}
              height={180}
            />
          ) : (
            <Known of={scope.requested}>
              <Empty small text={`没有在用的${unit}`} />
            </Known>
          )}
        </Card>
      }
      detail={detail}
    >
      {children}
    </FamilyRecord>
  )
}

interface ReadingRow {
  deviceId: string
  time: number
  receivedAt: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

/** Column of a numeric metric, marked where the device itself reports a bad quality. */
export const readingNumber = <Key extends string>(key: Key, width: number, decimals: number) =>
  ({
    key,
    width,
    align: 'right',
    filter: 'numeric-range',
    value: ({ values, quality }: Pick<ReadingRow, 'values' | 'quality'>) => {
      const doubt = quality?.[key]
      const text = measure(numberIn(values, key), decimals)
      return doubt ? (
        <span className="tone-warning" title={qualityNames[doubt] ?? doubt}>
          {text}
        </span>
      ) : (
        text
      )
    },
  }) as const

/** Properties of a table of readings, with the open one selected. */
export const readingTable = <Row extends { time: number }>(record: Row | undefined, open: (row: Row) => void) => ({
  rowKey: (row: Row) => String(row.time),
  unit: '条',
  onRow: open,
  rowClass: (row: Row) => (row.time === record?.time ? 'ant-table-row-selected' : ''),
  emptyHint: '这段时间没有读数',
})

/** The minutes around a reading, for the replay. */
export const aroundReading = (row: Pick<ReadingRow, 'time'>): string =>
  replayText({ from: row.time - minuteMs, to: row.time + 5 * minuteMs })

interface ReadingPanelProps {
  row: ReadingRow
  family: string
  projectCode: string
  /** Follows the times in the remark. */
  remark?: string
  onClose: () => void
  /** The machine's position. */
  children: ReactNode
}

/** An open reading: the machine's position, and the alarms of the ten minutes before. */
export function ReadingPanel({ row, family, projectCode, remark = '', onClose, children }: ReadingPanelProps) {
  const [span] = useState(() => ({ from: row.time - 10 * minuteMs, to: row.time + minuteMs }))
  const alarms = useAlarmsWithin(family, projectCode, row.deviceId, span)
  const [alarmId, setAlarmId] = useState<string>()
  const delay = ((row.receivedAt - row.time) / 1000).toFixed(1)
  return (
    <RecordPanel
      title={timeOfDay(row.time)}
      remark={`设备时间 ${time(row.time)}，接收 ${time(row.receivedAt)}，延迟 ${delay} 秒${remark}`}
      onClose={onClose}
    >
      {children}
      <h3>前 10 分钟内的告警</h3>
      <AlarmLines alarms={alarms.data?.list ?? []} onOpen={setAlarmId} />
      <AlarmDrawer id={alarmId} onClose={() => setAlarmId(undefined)} />
    </RecordPanel>
  )
}
