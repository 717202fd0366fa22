import { pointResults } from '@zhugong/contract/measuring/judge'
import type { MeasureFilters } from '@zhugong/contract/measuring/records'
import { findMeasureHeat, findMeasurePlan, type Heat } from '@zhugong/contract/measuring/records'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { PlanBoard } from '../places/public.tsx'
import { heatLegend, heatOf, Rate, resultWord } from './words.tsx'

/** The building as it stands: floors from the top down, a cell for every room with its rate. */
export function HeatMap({ query, projectCode }: { query: MeasureFilters; projectCode: string }) {
  const read = useCall(findMeasureHeat, { query: { ...query, view: 'heat' } }, { quiet: true, keepPrevious: true })
  const [at, setAt] = useState(0)
  const [floor, setFloor] = useState<{ id: string; name: string }>()
  const building = read.data?.list[Math.min(at, read.data.list.length - 1)]
  return (
    <div className="measuring-scroll">
      <Known of={read} rows={8}>
        {!building ? (
          <Empty text="没有测点" hint="换一组筛选，或先完成一个实测实量任务" />
        ) : (
          <Card
            title={
              (read.data?.list.length ?? 0) > 1 ? (
                <Segmented
                  options={(read.data?.list ?? []).map((one, i) => ({ value: i, label: one.name }))}
                  value={at}
                  onChange={(next) => setAt(Number(next))}
                />
              ) : (
                building.name
              )
            }
            remark={`合格率 ${building.passRate ?? '--'}%，首次 ${building.firstRate ?? '--'}%，${building.measured} 点，爆点 ${building.burst} 个；点楼层看平面图`}
            actions={
              <span className="measuring-legend">
                {heatLegend.map(({ kind, label }) => (
                  <span key={kind}>
                    <i data-heat={kind} /> {label}
                  </span>
                ))}
              </span>
            }
          >
            <Tower building={building} cells={read.data?.cells ?? []} onFloor={setFloor} />
          </Card>
        )}
      </Known>
      {floor && <FloorPlan query={{ ...query, projectCode, place: floor.id }} name={floor.name} onClose={() => setFloor(undefined)} />}
    </div>
  )
}

function Tower({
  building,
  cells,
  onFloor,
}: {
  building: Heat['list'][number]
  cells: Heat['cells']
  onFloor: (floor: { id: string; name: string }) => void
}) {
  const of = new Map(cells.map((one) => [one.placeId, one]))
  return (
    <ul className="measuring-tower" aria-label={`${building.name}各层合格率`}>
      {building.floors.map((floor) => (
        <li key={floor.floorId}>
          <button
            type="button"
            className="zg-bare zg-link"
            onClick={() => onFloor({ id: floor.floorId, name: `${building.name} ${floor.floorName}` })}
          >
            {floor.floorName}
          </button>
          {floor.cells.map((room) => {
            const cell = of.get(room.id)
            return (
              <button
                key={room.id}
                type="button"
                data-heat={heatOf(cell?.passRate ?? null)}
                title={
                  cell
                    ? `${room.name}：合格率 ${cell.passRate}%，首次 ${cell.firstRate}%，${cell.measured} 点，爆点 ${cell.burst} 个`
                    : `${room.name}：未测`
                }
                onClick={() => onFloor({ id: floor.floorId, name: `${building.name} ${floor.floorName}` })}
              >
                <small>{room.name}</small> {cell ? `${cell.passRate}%` : '未测'}
              </button>
            )
          })}
        </li>
      ))}
    </ul>
  )
}

/** The areas of a floor on its plan; failed ones in front. */
function FloorPlan({ query, name, onClose }: { query: MeasureFilters; name: string; onClose: () => void }) {
  const read = useCall(findMeasurePlan, { query: { ...query, view: 'plan' } }, { quiet: true })
  const areas = read.data?.list ?? []
  return (
    <PageDrawer open size={760} title={`${name} 测区`} onClose={onClose}>
      <Known of={read} rows={6}>
        {areas.length === 0 && <Empty text="本层没有标在平面图上的测区" hint="录入测点时点平面图标出测区位置" />}
        {(read.data?.plans ?? []).map((plan) => (
          <PlanBoard
            key={plan.id}
            plan={plan}
            marks={areas
              .filter((one) => one.planId === plan.id)
              .map((one) => ({
                key: one.id,
                label: one.worst === pointResults.passed ? '✓' : one.worst === pointResults.burst ? '爆' : '×',
                x: one.x,
                y: one.y,
                title: `${one.placeName} ${one.itemName} 测区 ${one.areaNo}：${one.passed}/${one.measured} 合格，${resultWord(one.worst)}`,
                closed: one.worst === pointResults.passed,
              }))}
          />
        ))}
        {areas.some((one) => one.worst !== pointResults.passed) && (
          <table className="measuring-table">
            <thead>
              <tr>
                <th>部位</th>
                <th>测项</th>
                <th>测区</th>
                <th className="num">合格</th>
                <th>最差</th>
              </tr>
            </thead>
            <tbody>
              {areas
                .filter((one) => one.worst !== pointResults.passed)
                .map((one) => (
                  <tr key={one.id}>
                    <td>{one.placeName}</td>
                    <td>{one.itemName}</td>
                    <td>{one.areaNo}</td>
                    <td className="num">
                      <Rate value={one.measured === 0 ? null : Math.round((one.passed / one.measured) * 1000) / 10} />
                    </td>
                    <td>{resultWord(one.worst)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        )}
      </Known>
    </PageDrawer>
  )
}
