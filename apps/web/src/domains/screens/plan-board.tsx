import { pickDevices } from '@zhugong/contract/equipment/endpoints'
import { getMainPage } from '@zhugong/contract/home/endpoints'
import { planLayers } from '@zhugong/contract/screens/catalogue'
import type { ScreenSetting } from '@zhugong/contract/screens/model'
import { Button } from 'antd'
import { type PointerEvent, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { markOf } from './panels/marks.ts'
import { frameOf, placeOf, shareOf } from './panels/plane.ts'

type Placed = ScreenSetting['placed']
const width = 920
const height = 640
/** Distance in metres that an arrow key moves a device. */
const stepM = 2
const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Places the devices of a site on its plan by dragging or arrow keys; those without a position are in a tray. */
export function PlanBoard({ code, placed, onChange }: { code: string; placed: Placed; onChange: (placed: Placed) => void }) {
  const devices = useCall(pickDevices, { query: { projectCode: code, size: 500 } }, { quiet: true })
  const home = useCall(getMainPage, { query: { projectCode: code } }, { quiet: true })
  const board = useRef<SVGSVGElement>(null)
  const [selected, setSelected] = useState<string>()
  const shown = (devices.data?.list ?? []).filter((one) => Object.hasOwn(planLayers, one.family))
  const plan = home.data?.site?.sitePlan
  const fence = plan?.fence ?? []
  const corners = [placeOf(fence, { x: 0, y: 0 }), placeOf(fence, { x: 1, y: 1 })]
  const { at, left, top, k } = frameOf(corners, width, height)
  const [atLeft, atTop] = at(left, top)
  const known = new Map(home.data?.site?.machines.map((one) => [one.id, one]))
  const putAt = (id: string) => placed.find((one) => one.deviceId === id)
  const tray = shown.filter((one) => !putAt(one.id) && !known.has(one.id))
  const put = (deviceId: string, place: { x: number; y: number }) =>
    onChange([...placed.filter((one) => one.deviceId !== deviceId), { deviceId, ...place }])
  const drag = (event: PointerEvent) => {
    const box = board.current?.getBoundingClientRect()
    if (!selected || !box) return
    const x = ((event.clientX - box.left) / box.width) * width
    const y = ((event.clientY - box.top) / box.height) * height
    put(selected, shareOf(fence, [left + (x - atLeft) / k, top - (y - atTop) / k]))
  }
  return (
    <Card title="设备摆放" remark={`已摆放 ${placed.length} 台，拖动或用方向键移动`}>
      <div className="screen-board">
        <svg
          ref={board}
          viewBox={`0 0 ${width} ${height}`}
          role="application"
          aria-label="工地平面图"
          onPointerMove={drag}
          onPointerUp={() => setSelected(undefined)}
          onPointerLeave={() => setSelected(undefined)}
        >
          <rect className="screen-board-ground" width={width} height={height} />
          {plan && (
            <>
              <polygon className="screen-board-fence" points={plan.fence.map(([x, y]) => at(x, y).join(',')).join(' ')} />
              {plan.buildings.map((one) => (
                <polygon
                  key={one.name}
                  className="screen-board-building"
                  points={one.points.map(([x, y]) => at(x, y).join(',')).join(' ')}
                />
              ))}
            </>
          )}
          {shown.map((one) => {
            const own = putAt(one.id)
            const fixed = known.get(one.id)
            if (!own && !fixed) return null
            const place = own ? placeOf(fence, own) : ([fixed?.x ?? 0, fixed?.y ?? 0] as const)
            const [x, y] = at(...place)
            return (
              <g
                key={one.id}
                className={own ? 'screen-mark' : 'screen-mark screen-mark-own'}
                tabIndex={0}
                role="button"
                aria-label={`${one.name}，${own ? '已摆放' : '按设备坐标'}`}
                onPointerDown={() => setSelected(one.id)}
                onKeyDown={(event) => {
                  const way = ways[event.key]
                  if (!way) return
                  event.preventDefault()
                  put(one.id, shareOf(fence, [place[0] + way[0] * stepM, place[1] - way[1] * stepM]))
                }}
              >
                <circle cx={x} cy={y} r="13" />
                <text x={x} y={y + 5}>
                  {markOf(one.family)[0]}
                </text>
                <text className="screen-mark-name" x={x} y={y + 30}>
                  {one.name}
                </text>
              </g>
            )
          })}
        </svg>
        <div className="screen-tray">
          <b>没有位置的设备 {tray.length}</b>
          {tray.map((one) => (
            <Button key={one.id} size="small" onClick={() => put(one.id, { x: 0.5, y: 0.5 })}>
              {one.name}
            </Button>
          ))}
          {devices.data && tray.length === 0 && <Empty small text="都有位置" />}
          {placed.length > 0 && (
            <Button type="link" size="small" onClick={() => onChange([])}>
              全部恢复为设备坐标
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}
