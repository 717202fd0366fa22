import { listTrips } from '@zhugong/contract/experts/activities'
import { dayMs } from '@zhugong/contract/kit/time'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, Known } from '#kit/feedback.tsx'
import { inDays } from './days.ts'

/** Days before and after today. */
const [before, after] = [30, 60]
const most = 100
const whole = before + after

/** Who is away when: one line per expert, from a month ago to two months ahead. */
export function TripLine({ toolbar }: { toolbar: ReactNode }) {
  const from = inDays(-before)
  const read = useCall(
    listTrips,
    { query: { projectCode: '*', state: '0,1,3', startDate: `${inDays(-before - 30)},${inDays(after)}`, size: most } },
    { quiet: true },
  )
  const rows = (read.data?.list ?? []).filter((one) => one.endDate >= from)
  const names = [...new Map(rows.map((one) => [one.expertId, one.expertName]))]
  const at = (day: string) => (Math.min(whole, Math.max(0, (Date.parse(day) - Date.parse(from)) / dayMs)) / whole) * 100
  return (
    <Card title={toolbar} remark={`${from} 至 ${inDays(after)}，橙色为待审批`}>
      <Known of={read} rows={6}>
        {names.length === 0 && <p className="zg-2">这段时间没有外出</p>}
        {names.map(([id, name]) => (
          <div key={id} className="expert-line">
            <b>{name}</b>
            <svg className="expert-line-track" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={`${name} 的外出`}>
              {rows
                .filter((one) => one.expertId === id)
                .map((one) => (
                  <rect
                    key={one.id}
                    data-state={one.state}
                    x={at(one.startDate)}
                    width={Math.max(1, at(one.endDate) - at(one.startDate) + 100 / whole)}
                    y={1}
                    height={8}
                  >
                    <title>{`${one.inviter} ${one.startDate} 至 ${one.endDate} ${one.stateName}`}</title>
                  </rect>
                ))}
            </svg>
          </div>
        ))}
      </Known>
    </Card>
  )
}
