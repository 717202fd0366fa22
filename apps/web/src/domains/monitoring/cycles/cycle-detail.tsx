import type { RecordView } from '@zhugong/contract/telemetry/model'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { Pairs } from '#kit/feedback.tsx'
import { timeOfDay } from '#kit/format.ts'
import { AlarmLines, RecordCurve, RecordPanel, useAlarmsWithin } from '../family-record.tsx'
import { replayText, type Span } from '../replay.ts'
import type { Cycle } from './columns.tsx'

/** The time of a cycle for the replay, with half a minute at each end. */
export const replayOf = ({ startTime, endTime }: Cycle) => replayText({ from: startTime - 30_000, to: endTime + 30_000 })
/** The time of a cycle as the period of the list of readings; at least a minute. */
export const periodOf = ({ startTime, endTime }: Cycle) => replayText({ from: startTime, to: Math.max(endTime, startTime + 60_000) })

interface CycleDetailProps {
  family: string
  row: RecordView
  cycle: Cycle
  /** What a cycle is called: 吊装, 运行; and one of them: 一吊, 一次. */
  called: string
  one: string
  /** Milliseconds shown before and after the cycle. */
  marginMs?: number
  facts: Parameters<typeof Pairs>[0]['items']
  /** Curves with their titles; the machine, the time and the alarms are filled in. */
  curves: readonly ({ title: string } & Omit<Parameters<typeof RecordCurve>[0], 'deviceId' | 'span' | 'alarms'>)[]
  onClose: () => void
  onWatch: () => void
  /** After the curves. */
  children?: ReactNode
}

/** A cycle beside its list: facts, curves, and the alarms during it. */
export function CycleDetail({
  family,
  row,
  cycle,
  called,
  one,
  marginMs = 0,
  facts,
  curves,
  onClose,
  onWatch,
  children,
}: CycleDetailProps) {
  const { startTime, endTime } = cycle
  const span: Span = useMemo(
    () => ({ from: startTime - marginMs, to: Math.max(endTime, startTime + 10_000) + marginMs }),
    [startTime, endTime, marginMs],
  )
  const alarms = useAlarmsWithin(family, row.projectCode, row.deviceId, span).data?.list ?? []
  const [alarmId, setAlarmId] = useState<string>()
  return (
    <RecordPanel
      title={`${row.deviceName} ${timeOfDay(startTime)}`}
      remark={cycle.cut ? `${called}中数据中断，结束时间为最后一次上报` : undefined}
      onClose={onClose}
    >
      <Pairs items={facts} />
      {curves.map(({ title, ...curve }) => (
        <Fragment key={title}>
          <h3>{title}</h3>
          <RecordCurve {...curve} deviceId={row.deviceId} span={span} alarms={alarms} />
        </Fragment>
      ))}
      {children}
      <h3>期间告警</h3>
      <AlarmLines alarms={alarms} onOpen={setAlarmId} />
      <button type="button" className="zg-bare zg-link" onClick={onWatch}>
        在实时画面回放这{one}
      </button>
      <AlarmDrawer id={alarmId} onClose={() => setAlarmId(undefined)} />
    </RecordPanel>
  )
}
