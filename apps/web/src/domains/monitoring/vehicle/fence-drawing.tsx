import { leastPoints, type VehicleFence } from '@zhugong/contract/monitoring/vehicle-fences'
import { Button, InputNumber } from 'antd'
import type { LngLat } from '#kit/geo.ts'
import { SiteMap } from '#kit/map.tsx'
import { useMe } from '#kit/me.ts'
import './vehicle.css'

type Corner = VehicleFence['points'][number]
const precision = 6

/** A line or an area drawn by clicks on the map, or by its coordinates; a control of a form. */
export function FenceDrawing({
  kind,
  around,
  value = [],
  onChange,
}: {
  kind: VehicleFence['kind']
  /** What the map shows while nothing is drawn: the site. */
  around: readonly LngLat[]
  value?: Corner[]
  onChange?: (points: Corner[]) => void
}) {
  const tiles = useMe((me) => me.settings?.map ?? null)
  const round = (n: number) => Number(n.toFixed(precision))
  const add = ([lng, lat]: LngLat) => onChange?.([...value, [round(lng), round(lat)]])
  const put = (at: number, axis: 0 | 1, n: number | null) =>
    n !== null && onChange?.(value.map((one, i): Corner => (i === at ? (axis === 0 ? [n, one[1]] : [one[0], n]) : one)))
  const isLine = kind === 'route'
  const [first] = around
  return (
    <div className="truck-draw">
      <SiteMap
        label={isLine ? `路线，已画 ${value.length} 个点` : `区域，已画 ${value.length} 个角点`}
        height={360}
        tiles={tiles}
        onClick={add}
        {...(first && value.length === 0 ? { focus: first } : {})}
        areas={[
          ...(around.length > 2 ? [{ id: 'site', ring: around, label: '工地', kind: 'fence' as const }] : []),
          ...(!isLine && value.length > 2
            ? [{ id: 'drawn', ring: value, kind: kind === 'forbidden' ? ('danger' as const) : ('zone' as const) }]
            : []),
        ]}
        lines={isLine && value.length > 1 ? [{ id: 'drawn', path: value }] : []}
        points={value.map((at, i) => ({ id: String(i), at, state: 'person', label: String(i + 1), size: 4 }))}
      />
      <div className="side">
        <p className="zg-2">
          在地图上依次点出{isLine ? '路线' : '角点'}，至少 {leastPoints[kind]} 个；坐标为 WGS-84 经纬度
        </p>
        <ol>
          {value.map((point, i) => (
            <li key={`${i}`}>
              {([0, 1] as const).map((axis) => (
                <InputNumber
                  key={axis}
                  aria-label={`第 ${i + 1} 点${axis === 0 ? '经度' : '纬度'}`}
                  controls={false}
                  precision={precision}
                  value={point[axis]}
                  onChange={(n) => put(i, axis, n)}
                />
              ))}
              <button
                type="button"
                className="zg-bare zg-link"
                aria-label={`删除第 ${i + 1} 点`}
                onClick={() => onChange?.(value.filter((_, n) => n !== i))}
              >
                删除
              </button>
            </li>
          ))}
        </ol>
        {value.length > 0 && <Button onClick={() => onChange?.([])}>重画</Button>}
      </div>
    </div>
  )
}
