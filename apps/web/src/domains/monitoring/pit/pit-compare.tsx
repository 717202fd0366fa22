import { dayMs } from '@zhugong/contract/kit/time'
import { findPitDays } from '@zhugong/contract/monitoring/pit/pits'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, Known } from '#kit/feedback.tsx'
import { day as dayOf, measure } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { comparedDays, shareWords } from './pit-state.ts'

/** More points than any pit has. */
const most = 1_000

interface PitCompareProps {
  projectCode: string
  pitName: string
  day: string | undefined
  before: string | undefined
  onClose: () => void
}

/** All points of a pit on two days, with their displacement in between. */
export function PitCompare({ projectCode, pitName, onClose, ...given }: PitCompareProps) {
  const [last] = useState(() => dayOf(Date.now()))
  const [to, setTo] = useState(given.day ?? last)
  const [from, setFrom] = useState(given.before ?? dayOf(Date.parse(`${given.day ?? last}T00:00:00+08:00`) - 7 * dayMs))
  const requested = (day: string) => ({
    query: { projectCode, pitName, startTime: `${day} 00:00:00`, endTime: `${day} 23:59:59`, groupBy: 'day' as const, size: most },
  })
  const earlier = useCall(findPitDays, requested(from), { quiet: true, keepPrevious: true })
  const later = useCall(findPitDays, requested(to), { quiet: true, keepPrevious: true })
  const rows = comparedDays(earlier.data?.list ?? [], later.data?.list ?? [])
  const error = earlier.error ?? later.error
  return (
    <PageDrawer open size={720} title={`两日对比　${pitName}`} onClose={onClose}>
      <p className="pit-compare-days">
        <DayInput aria-label="前一日" value={from} onChange={(value) => value && value < to && setFrom(value)} />
        与
        <DayInput aria-label="后一日" value={to} onChange={(value) => value && value > from && value <= last && setTo(value)} />
        <span className="zg-2">取各日末次有效读数，按变化从大到小</span>
      </p>
      {error ? (
        <ErrorPanel error={error} retry={() => void Promise.all([earlier.refetch(), later.refetch()])} />
      ) : rows.length === 0 ? (
        <Known of={[earlier, later]}>
          <Empty text="这两天没有测点数据" />
        </Known>
      ) : (
        <table className="fam-table">
          <thead>
            <tr>
              <th>测点</th>
              <th className="word">监测项目</th>
              <th>{from.slice(5)}</th>
              <th>{to.slice(5)}</th>
              <th>变化</th>
              <th>每日</th>
              <th>占控制值</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={`${one.deviceId} ${one.pointCode}`}>
                <td>{one.pointCode}</td>
                <td className="word">{one.pointTypeName}</td>
                <td>{measure(one.earlier, 2)}</td>
                <td>{measure(one.later, 2)}</td>
                <td>{one.change === null ? '--' : `${measure(one.change, 2)} ${one.unit}`}</td>
                <td>{measure(one.perDay, 2)}</td>
                <td>{one.later === null ? '缺测' : shareWords(one.share)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PageDrawer>
  )
}
