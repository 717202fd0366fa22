import { listMyChecks, type MyCheck } from '@zhugong/contract/campaigns/checks'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { distanceM, type LngLat } from '#kit/geo.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { CheckTag } from './campaign-words.tsx'

/** The position of the device, once; undefined until it is known, and when it is refused. */
function usePosition(): LngLat | undefined {
  const [place, setPlace] = useState<LngLat>()
  useEffect(() => {
    navigator.geolocation?.getCurrentPosition(
      ({ coords }) => setPlace([coords.longitude, coords.latitude]),
      () => undefined,
      { maximumAge: 60_000, timeout: 10_000 },
    )
  }, [])
  return place
}

const metresPerKm = 1000

/** What waits for my groups, the nearest first. */
export function MyChecks() {
  const read = useCall(listMyChecks, { query: { projectCode: '*' } }, { quiet: true, offline: true })
  const here = usePosition()
  const away = ({ lng, lat }: MyCheck) => (here ? distanceM(here, [lng, lat]) : undefined)
  const rows = [...(read.data?.list ?? [])].sort((a, b) => (away(a) ?? 0) - (away(b) ?? 0))
  return (
    <Card title="我的待检项目" remark={here ? '由近到远' : '未取得定位，按计划日期排列'} flush>
      <Known of={read}>
        {rows.length === 0 ? (
          <Empty small text="没有待检项目" />
        ) : (
          <ul className="campaign-mine">
            {rows.map((one) => (
              <Mine key={one.taskId} row={one} metres={away(one)} />
            ))}
          </ul>
        )}
      </Known>
    </Card>
  )
}

function Mine({ row, metres }: { row: MyCheck; metres: number | undefined }) {
  const go = useGo()
  return (
    <li>
      <div className="zg-shrink">
        <Link to={hrefOf('/jgt/provinces/project/projectDetails', { taskId: row.taskId })}>{row.projectName}</Link> <CheckTag row={row} />
        <p className="zg-2">
          {row.address} · 计划 <span className="zg-num">{row.plannedDate}</span> · {row.campaignName}
        </p>
      </div>
      {metres !== undefined && <span className="zg-num zg-nowrap">{(metres / metresPerKm).toFixed(1)} km</span>}
      <Button type="primary" onClick={() => go('/jgt/provinces/project/momomerCheck', { taskId: row.taskId })}>
        {row.state === dayCheckStates.planned ? '签到检查' : '继续检查'}
      </Button>
    </li>
  )
}
