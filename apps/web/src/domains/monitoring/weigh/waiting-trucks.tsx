import { listPassages } from '@zhugong/contract/monitoring/gateway/passages'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { shortTime, span } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { useEveryMs } from '../family-monitor.tsx'

const shown = 6

/** Trucks that have entered and not left: candidates for the next weighing. */
export function WaitingTrucks({ projectCode }: { projectCode: string }) {
  const maySee = useCan('vehicle-access.view')
  const inside = useCall(
    listPassages,
    { query: { projectCode, tab: 'inside', size: shown } },
    { quiet: true, keepPrevious: true, enabled: maySee, ...useEveryMs(60_000) },
  )
  if (!maySee) return null
  const rows = inside.data?.list ?? []
  return (
    <>
      <div className="mon-sub">
        场内车辆 <span className="mon-legend">{inside.data?.total ?? '--'} 辆</span>
      </div>
      <ul className="yard-list">
        {rows.length === 0 && <li className="yard-note">没有未离场的车辆</li>}
        {rows.map((row) => (
          <li key={row.id}>
            <time>{shortTime(row.time)}</time>
            <Link className="grow" to={hrefOf('/vehicleAccessRecord/details', { id: row.id })}>
              {row.plateNo}
            </Link>
            <span>{row.stayMinutes === null ? '' : `${span(row.stayMinutes * 60_000)}`}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
