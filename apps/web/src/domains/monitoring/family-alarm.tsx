import { findAlarms } from '@zhugong/contract/alarms/lists'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { Checkbox } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { type AlarmColumn, type AlarmFile, FamilyAlarm, type FamilyAlarmProps } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import type { FigureProps } from '#kit/feedback.tsx'
import { day, time } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { aroundAlarm, replayText } from './replay.ts'

interface FamilyAlarmPageProps {
  family: string
  /** Alarms hidden by default: limit switches in normal operation, doubts about the data. */
  aside: { keys: readonly string[]; label: string }
  /** Columns of the family, in addition to the common ones. */
  columns: readonly AlarmColumn[]
  strip: FamilyAlarmProps['strip']
  drawing: (file: AlarmFile) => ReactNode
  /** Controls of the family, before the switch for hidden alarms. */
  toolbar?: ReactNode
}

/** The alarm page of one family. */
export function FamilyAlarmPage({ family, aside, columns, strip, drawing, toolbar }: FamilyAlarmPageProps) {
  const [all, setAll] = useState(false)
  const kind = useFamily(family)
  const kinds = useMemo(() => (kind.data?.alarms ?? []).map((one) => ({ value: one.key, label: one.label })), [kind.data])
  const { keys } = aside
  const scope = useMemo(
    () =>
      all || kinds.length === 0
        ? {}
        : {
            alarmKey: kinds
              .map((one) => one.value)
              .filter((key) => !keys.includes(key))
              .join(','),
          },
    [kinds, all, keys],
  )
  return (
    <FamilyAlarm
      family={family}
      columns={columns}
      kinds={kinds}
      scope={scope}
      ready={kind.data !== undefined || kind.isError}
      drawing={drawing}
      toolbar={
        <>
          {toolbar}
          <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>
            {aside.label}
          </Checkbox>
        </>
      }
      strip={strip}
    />
  )
}

/** Start of the day `days - 1` days ago. Constant while the page is open, so that answers are cached. */
export function useDaysBack(days: number): string {
  const [since] = useState(() => time(Date.parse(`${day(Date.now())}T00:00:00+08:00`) - (days - 1) * dayMs))
  return since
}

/** Number of alarms of a family that match the query, without drills. */
export function useAlarmCount(family: string, query: InputFor<typeof findAlarms>['query']): number | undefined {
  const projectCode = useProjectCode()
  const { data } = useCall(findAlarms, { query: { projectCode, family, size: 1, simulated: false, ...query } }, { quiet: true })
  return data?.total
}

/** The reading of an alarm's evidence that is closest to its peak. */
export function readingAtPeak({ peakTime, startTime, evidence }: AlarmFile): AlarmFile['evidence'][number] | undefined {
  const at = peakTime ?? startTime
  const farOf = (one: AlarmFile['evidence'][number]) => Math.abs(one.time - at)
  return evidence.reduce<AlarmFile['evidence'][number] | undefined>(
    (best, one) => (!best || farOf(one) < farOf(best) ? one : best),
    undefined,
  )
}

/** The link that replays an alarm on the family's live page. */
export const replayLink = (path: string, { deviceId, startTime, clearTime }: AlarmFile): string =>
  hrefOf(path, { deviceId, replay: replayText(aroundAlarm(startTime, clearTime, Date.now())) })

/** Figures that every alarm page shows first. */
export const openFigures = (counts: { active: number; urgent: number } | undefined): FigureProps[] => [
  { label: '未恢复', value: counts?.active, unit: '条', tone: counts?.active ? 'danger' : undefined },
  { label: '未处理一二级', value: counts?.urgent, unit: '条', tone: counts?.urgent ? 'danger' : undefined },
]
