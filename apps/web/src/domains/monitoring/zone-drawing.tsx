import { crossesItself } from '@zhugong/contract/monitoring/crane-zones'
import { Button, InputNumber } from 'antd'
import { dark } from '#kit/colors.ts'
import type { Control } from '#kit/control.ts'
import type { Point } from './crane-geometry.ts'
import './family.css'
import './monitoring.css'
import { Ground, PlanView, type Projection, pathOf } from './plan-view.tsx'
import { boundsOf, type Site } from './site.ts'

type Corner = [number, number]
const tidy = (n: number) => Math.round(n * 10) / 10

/** Metres of the site where the drawing was pressed. */
export function metresAt({ at, k }: Pick<Projection, 'at' | 'k'>, [px, py]: Point): Corner {
  const [ox, oy] = at([0, 0])
  return [tidy((px - ox) / k), tidy((oy - py) / k)]
}

/** A ring drawn on the site's plan, corner by corner; every corner stands beside it as numbers, for whoever has them from a survey. */
export function ZoneDrawing({ site, value, onChange, ...rest }: Control<Corner[]> & { site: Site }) {
  const ring = value ?? []
  const bounds = boundsOf([...site.fence, ...ring]) ?? { left: -100, right: 100, bottom: -100, top: 100 }
  const crossed = crossesItself(ring)
  const put = (index: number, axis: 0 | 1, n: number | null) =>
    onChange?.(ring.map((corner, i): Corner => (i !== index ? corner : axis === 0 ? [n ?? 0, corner[1]] : [corner[0], n ?? 0])))
  return (
    <div className="fam-zone" id={rest.id}>
      <div className="mon" style={{ height: 320, display: 'flex' }}>
        <PlanView bounds={bounds} label={`区域，已画 ${ring.length} 个角点`}>
          {(projection) => (
            <>
              <Ground site={site} projection={projection} />
              {ring.length > 1 && (
                <path
                  d={pathOf(ring.map(projection.at), ring.length > 2)}
                  fill={dark.alarm}
                  fillOpacity={0.2}
                  stroke={crossed ? dark.warning : dark.alarm}
                  strokeWidth={2}
                />
              )}
              {ring.map((corner, i) => {
                const [x, y] = projection.at(corner)
                return <circle key={`${i}${corner.join()}`} cx={x} cy={y} r={4} fill={dark.accent} />
              })}
              {/* Corners are put by pressing; keys have the numbers beside. */}
              <rect
                data-hit
                width={projection.width}
                height={projection.height}
                fill="transparent"
                style={{ cursor: 'crosshair' }}
                onPointerUp={(event) => {
                  const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect()
                  if (box) onChange?.([...ring, metresAt(projection, [event.clientX - box.left, event.clientY - box.top])])
                }}
              />
            </>
          )}
        </PlanView>
      </div>
      <div className="side">
        <p className="zg-2">在平面上依次点出角点；坐标以工地原点为准，东为 X、北为 Y（m）</p>
        {crossed && <p className="tone-danger">边线不能互相交叉</p>}
        <ol>
          {ring.map((corner, i) => (
            <li key={`${i}`}>
              {([0, 1] as const).map((axis) => (
                <InputNumber
                  key={axis}
                  aria-label={`角点 ${i + 1} ${axis === 0 ? 'X' : 'Y'}`}
                  controls={false}
                  value={corner[axis]}
                  onChange={(n) => put(i, axis, n)}
                />
              ))}
              <button
                type="button"
                className="zg-bare zg-link"
                aria-label={`删除角点 ${i + 1}`}
                onClick={() => onChange?.(ring.filter((_, n) => n !== i))}
              >
                删除
              </button>
            </li>
          ))}
        </ol>
        <Button onClick={() => onChange?.([...ring, ring.at(-1) ?? [0, 0]])}>加一个角点</Button>{' '}
        {ring.length > 0 && <Button onClick={() => onChange?.([])}>重画</Button>}
      </div>
    </div>
  )
}
