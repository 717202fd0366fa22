import { towerDevice } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { findTowerReadings } from '@zhugong/contract/monitoring/crane/crane-lists'
import { cycleOf } from '@zhugong/contract/telemetry/known-records'
import type { RecordView } from '@zhugong/contract/telemetry/model'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Notice } from '#kit/feedback.tsx'
import { shortTime } from '#kit/format.ts'
import { PageModal } from '#kit/overlay.tsx'
import type { Point } from '../crane-geometry.ts'
import { crosses, endsOfLoad, pathOfLoad } from './cycle-path.ts'
import '../family.css'
import { recordId } from '../family-record.tsx'
import { pathOf } from '../plan-view.tsx'
import { boundsOf } from '../site.ts'

/** Margin around the drawing, in metres. */
const room = 8
const dot = 1.6
const mostReadings = 1_000

interface Zone {
  name: string
  ring: readonly Point[]
}
/** North is up. */
const flat = ([x, y]: Point): Point => [x, -y]

/** The site around a crane: masts, jibs and the zones in force. */
function useGround(deviceId: string) {
  const { data } = useCall(towerDevice, { params: { id: deviceId } }, { quiet: true, staleMs: 300_000 })
  return (
    data && {
      cranes: data.cranes,
      zones: data.zones.map((zone): Zone => ({ name: zone.name, ring: zone.points.map((one) => [one.x, one.y]) })),
    }
  )
}

/** Path of a load: one point per reading, or its two ends if there are no readings. */
function useLoadPath(row: RecordView, mast: { x: number; y: number } | undefined) {
  const cycle = cycleOf(row)
  const { data } = useCall(
    findTowerReadings,
    {
      query: {
        deviceId: row.deviceId,
        startTime: String(cycle.startTime),
        endTime: String(cycle.endTime + 1),
        sort: 'time',
        size: mostReadings,
      },
    },
    { quiet: true, staleMs: 300_000 },
  )
  if (!mast) return { path: [], readings: 0 }
  const steps = pathOfLoad(data?.list ?? [], mast).map((one) => one.at)
  return { path: steps.length > 1 ? steps : endsOfLoad(cycle.from, cycle.to, mast), readings: steps.length }
}

function Zones({ zones }: { zones: readonly Zone[] }) {
  return zones.map((zone) => (
    <path key={zone.name} d={pathOf(zone.ring.map(flat), true)} fill={colors.dangerSoft} stroke={colors.danger} strokeWidth={0.6}>
      <title>{zone.name}</title>
    </path>
  ))
}

function Drawn({ path, measured, over }: { path: readonly Point[]; measured: boolean; over: boolean }) {
  const [from, to] = [path[0], path.at(-1)].map((one) => one && flat(one))
  if (path.length < 2 || !from || !to) return null
  return (
    <>
      <path
        d={pathOf(path.map(flat))}
        fill="none"
        stroke={over ? colors.danger : colors.primary}
        strokeWidth={1.2}
        strokeOpacity={0.8}
        {...(measured ? {} : { strokeDasharray: '3 2' })}
      />
      <circle cx={from[0]} cy={from[1]} r={dot} fill={colors.fine} />
      <circle cx={to[0]} cy={to[1]} r={dot} fill={colors.orange} />
    </>
  )
}

/** Path of one load on the plan; red where it crossed a forbidden zone, whether or not there was an alarm. */
export function LoadPath({ row }: { row: RecordView }) {
  const ground = useGround(row.deviceId)
  const crane = ground?.cranes.find((one) => one.deviceId === row.deviceId)
  const { path, readings } = useLoadPath(row, crane)
  if (!ground || !crane) return null
  const over = ground.zones.filter((zone) => crosses(path, zone.ring))
  const r = crane.jibLength + room
  return (
    <>
      <h3>路径（平面）</h3>
      {over.length > 0 && <Notice tone="danger">吊物经过 {over.map((zone) => zone.name).join('、')} 上方</Notice>}
      <svg
        className="fam-path"
        viewBox={`${crane.x - r} ${-crane.y - r} ${2 * r} ${2 * r}`}
        role="img"
        aria-label={`吊物路径，${over.length > 0 ? '经过禁吊区' : '未经过禁吊区'}`}
      >
        <circle cx={crane.x} cy={-crane.y} r={crane.jibLength} fill="none" stroke={colors.border} strokeDasharray="2 2" strokeWidth={0.6} />
        <Zones zones={ground.zones} />
        <circle cx={crane.x} cy={-crane.y} r={dot} fill={colors.text2} />
        <Drawn path={path} measured={readings > 1} over={over.length > 0} />
      </svg>
      <p className="zg-2">
        绿点起吊，橙点卸吊{readings > 1 ? `，${readings} 个读数` : '，读数已过保留期，仅连起止两点'}；虚线圆为起重臂长 {crane.jibLength} m
      </p>
    </>
  )
}

/** Most paths in one drawing. */
export const mostPaths = 20

/** Paths of several cycles in one drawing. */
export function LaidPaths({ rows, onClose }: { rows: readonly RecordView[]; onClose: () => void }) {
  const ground = useGround(rows[0]?.deviceId ?? '')
  const around = (ground?.cranes ?? []).filter((one) => rows.some((row) => row.deviceId === one.deviceId))
  const bounds = boundsOf(
    around.flatMap((one): Point[] => [
      [one.x - one.jibLength, one.y - one.jibLength],
      [one.x + one.jibLength, one.y + one.jibLength],
    ]),
  )
  return (
    <PageModal open width={760} title={`${rows.length} 吊的路径`} footer={null} onCancel={onClose}>
      {ground && bounds && (
        <svg
          width="100%"
          height={520}
          viewBox={`${bounds.left - room} ${-bounds.top - room} ${bounds.right - bounds.left + 2 * room} ${bounds.top - bounds.bottom + 2 * room}`}
          role="img"
          aria-label={`${rows.length} 吊的路径，红色经过禁吊区`}
        >
          {around.map((one) => (
            <g key={one.deviceId}>
              <circle cx={one.x} cy={-one.y} r={one.jibLength} fill="none" stroke={colors.border} strokeDasharray="2 2" strokeWidth={0.6} />
              <circle cx={one.x} cy={-one.y} r={dot} fill={colors.text2} />
            </g>
          ))}
          <Zones zones={ground.zones} />
          {rows.map((row) => (
            <OnePath key={recordId(row)} row={row} mast={around.find((one) => one.deviceId === row.deviceId)} zones={ground.zones} />
          ))}
        </svg>
      )}
      <p className="zg-2">绿点起吊，橙点卸吊；红色经过禁吊区；虚线只知起止两点</p>
    </PageModal>
  )
}

function OnePath({ row, mast, zones }: { row: RecordView; mast: { x: number; y: number } | undefined; zones: readonly Zone[] }) {
  const { path, readings } = useLoadPath(row, mast)
  return (
    <g>
      <title>
        {row.deviceName} {shortTime(cycleOf(row).startTime)}
      </title>
      <Drawn path={path} measured={readings > 1} over={zones.some((zone) => crosses(path, zone.ring))} />
    </g>
  )
}
