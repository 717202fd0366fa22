import { findAlarms } from '@zhugong/contract/alarms/lists'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { Checkbox } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { type AlarmColumn, type AlarmFile, FamilyAlarm, type FamilyAlarmProps } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { day, time } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'

interface FamilyAlarmPageProps {
  family: string
  /** Alarms that stand aside, shown on demand: limit switches at work, doubts about the data. */
  aside: { keys: readonly string[]; label: string }
  /** The family's own, beside the common ones. */
  columns: readonly AlarmColumn[]
  strip: FamilyAlarmProps['strip']
  drawing: (file: AlarmFile) => ReactNode
  /** The family's own, before what stands aside. */
  toolbar?: ReactNode
}

/** The alarms of one family: which there were, whether they were real, who dealt with them. */
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

/** Midnight so many days ago, today being one: answers are kept while the day lasts. */
export function useDaysBack(days: number): string {
  const [since] = useState(() => time(Date.parse(`${day(Date.now())}T00:00:00+08:00`) - (days - 1) * dayMs))
  return since
}

/** How many alarms of a family there are of a kind; drills are none. */
export function useAlarmCount(family: string, query: InputFor<typeof findAlarms>['query']): number | undefined {
  const projectCode = useProjectCode()
  const { data } = useCall(findAlarms, { query: { projectCode, family, size: 1, simulated: false, ...query } }, { quiet: true })
  return data?.total
}
