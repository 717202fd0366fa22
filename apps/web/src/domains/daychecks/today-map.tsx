import { type DayCheckRow, listDayChecks } from '@zhugong/contract/daychecks/calls'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { isPlaced } from '@zhugong/contract/organisation/place'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { SiteMap } from '#kit/map.tsx'
import { hrefOf } from '#kit/page.tsx'
import { DayStateTag } from './day-words.tsx'
import { lengthOf, visitOrder } from './visit-order.ts'
import './daychecks.css'

/** Checks that a group has for one day at most. */
const mostChecks = 200
const path = '/jgt/daycheck'

/** The sites of today with an order in which to visit them, and the notices that are still open there. */
export function TodayMap({ projectCode, onList }: { projectCode: string; onList: () => void }) {
  const read = useCall(listDayChecks, { query: { projectCode, tab: 'today', size: mostChecks } }, { quiet: true })
  const [chosen, setChosen] = useState<string>()
  const rows = read.data?.list ?? []
  const route = visitOrder(rows.filter(isPlaced).map((row) => ({ ...row, begun: row.state === dayCheckStates.running })))
  const unplaced = rows.filter((row) => !isPlaced(row))
  return (
    <Card
      title="今日检查路线"
      remark={`${rows.length} 次${route.length > 1 ? `，沿途约 ${(lengthOf(route) / 1_000).toFixed(1)} 公里（直线）` : ''}`}
      actions={<Button onClick={onList}>列表</Button>}
    >
      <Known of={read} rows={6}>
        {rows.length === 0 ? (
          <Empty small text="今日没有检查任务" hint="从“新建检查”安排，或由监督计划生成" />
        ) : (
          <div className="day-map">
            <div className="day-map-ground">
              <SiteMap
                label={`今日检查 ${route.length} 个工地，按建议顺序相连`}
                height="100%"
                selected={chosen}
                points={route.map((row, i) => ({
                  id: row.id,
                  at: [row.lng, row.lat],
                  state: row.siteRectify ? 'warning' : 'normal',
                  label: `${i + 1} ${row.projectName}`,
                  size: row.id === chosen ? 10 : 7,
                }))}
                lines={route.length > 1 ? [{ id: 'route', path: route.map((row) => [row.lng, row.lat] as const), dash: [2, 2] }] : []}
                onPoint={setChosen}
              />
            </div>
            <ol className="day-route">
              {route.map((row, i) => (
                <Stop key={row.id} row={row} no={String(i + 1)} chosen={row.id === chosen} />
              ))}
              {unplaced.map((row) => (
                <Stop key={row.id} row={row} no="–" chosen={false} />
              ))}
            </ol>
          </div>
        )}
      </Known>
    </Card>
  )
}

function Stop({ row, no, chosen }: { row: DayCheckRow; no: string; chosen: boolean }) {
  return (
    <li aria-current={chosen ? 'true' : undefined}>
      <b>
        {no}. <Link to={hrefOf(`${path}/details`, { id: row.id })}>{row.projectName}</Link>
      </b>{' '}
      <DayStateTag row={row} />
      <p className="zg-2">
        {row.inspectTypeName}，{row.checkers.join('、')}
        {!isPlaced(row) && '，项目没有坐标'}
      </p>
      {row.siteRectify > 0 && (
        <p>
          <Link className="tone-danger" to={hrefOf('/jgt/project/tgzg_index', { projectCode: row.projectCode })}>
            未闭合整改 {row.siteRectify} 份
          </Link>
        </p>
      )}
    </li>
  )
}
