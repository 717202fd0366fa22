import { leastPoints, type VehicleFence } from '@zhugong/contract/monitoring/vehicle/vehicle-fences'
import type { LngLat } from '#kit/geo.ts'
import { SiteMap } from '#kit/map.tsx'
import { DrawnCorners } from '../drawn-corners.tsx'
import './vehicle.css'

type Corner = VehicleFence['points'][number]
const precision = 6

/** Form control: a line or area drawn by clicks on the map or entered as coordinates. */
export function FenceDrawing({
  kind,
  around,
  value = [],
  onChange,
}: {
  kind: VehicleFence['kind']
  /** Map extent while nothing is drawn: the site. */
  around: readonly LngLat[]
  value?: Corner[]
  onChange?: (points: Corner[]) => void
}) {
  const round = (n: number) => Number(n.toFixed(precision))
  const add = ([lng, lat]: LngLat) => onChange?.([...value, [round(lng), round(lat)]])
  const isLine = kind === 'route'
  const [first] = around
  return (
    <div className="truck-draw">
      <SiteMap
        label={isLine ? `路线，已画 ${value.length} 个点` : `区域，已画 ${value.length} 个角点`}
        height={360}
        onClick={add}
        focus={value.length === 0 ? first : undefined}
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
        <DrawnCorners value={value} onChange={onChange} nameOf={(no) => [`第 ${no} 点经度`, `第 ${no} 点纬度`]} precision={precision} />
      </div>
    </div>
  )
}
