import { crossesItself } from '@zhugong/contract/monitoring/crane/crane-zones'
import type { Site } from '@zhugong/contract/monitoring/site'
import { dark } from '#kit/colors.ts'
import type { Control } from '#kit/control.ts'
import type { Point } from './crane-geometry.ts'
import { DrawnCorners } from './drawn-corners.tsx'
import './family.css'
import './monitoring.css'
import { Ground, PlanView, type Projection, pathOf } from './plan-view.tsx'
import { boundsOf } from './site.ts'

type Corner = [number, number]
const tidy = (n: number) => Math.round(n * 10) / 10

/** Site coordinates of a pointer position, metres. */
export function metresAt({ at, k }: Pick<Projection, 'at' | 'k'>, [px, py]: Point): Corner {
  const [ox, oy] = at([0, 0])
  return [tidy((px - ox) / k), tidy((oy - py) / k)]
}

/** A ring drawn on the site plan corner by corner; corners can also be entered as numbers. */
export function ZoneDrawing({ site, value, onChange, ...rest }: Control<Corner[]> & { site: Site }) {
  const ring = value ?? []
  const bounds = boundsOf([...site.fence, ...ring]) ?? { left: -100, right: 100, bottom: -100, top: 100 }
  const crossed = crossesItself(ring)
  return (
    <div className="fam-zone" id={rest.id}>
      <div className="mon mon-drawn mon-drawn-high">
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
              {/* Pointers add corners; keyboard users have the numbers beside. */}
              <rect
                data-hit
                width={projection.width}
                height={projection.height}
                fill="transparent"
                className="mon-draw"
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
        <DrawnCorners
          value={ring}
          onChange={onChange}
          nameOf={(no) => [`角点 ${no} X`, `角点 ${no} Y`]}
          next={() => ring.at(-1) ?? [0, 0]}
        />
      </div>
    </div>
  )
}
