import { towerDevice, towerInfo, towerLine } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { findTowerReadings } from '@zhugong/contract/monitoring/crane/crane-lists'
import { useEffect, useMemo, useRef } from 'react'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { Empty, ErrorPanel, Panel } from '#kit/feedback.tsx'
import { Swatch } from '#kit/filled.tsx'
import { span, timeOfDay } from '#kit/format.ts'
import { isStale } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { carried, closest, type Pose } from '../crane-geometry.ts'
import { motionIn, numberIn, poseIn, shapeOf, shortName, status, toneColors } from '../crane-state.ts'
import { EventList, eventsOf } from '../family-events.tsx'
import { takeReading } from '../family-live.ts'
import {
  type Desk,
  FamilyMonitor,
  MonitorFrame,
  RailPanel,
  type Readings,
  railOf,
  ScenePanel,
  useEveryMs,
  useReadings,
  workCounts,
} from '../family-monitor.tsx'
import { MetricTrend, trendLimits } from '../metric-trend.tsx'
import { CraneActions } from './crane-actions.tsx'
import { CraneCamera } from './crane-cameras.tsx'
import { CraneInstruments } from './crane-instruments.tsx'
import { CranePlan, type DrawnCrane } from './crane-plan.tsx'
import { CraneSide } from './crane-side.tsx'
import '../monitoring.css'
import { ReplayBar } from '../replay-bar.tsx'
import { useGlide } from '../use-glide.ts'
import { useReplay } from '../use-replay.ts'

const trendMs = 10 * 60_000
const tickMs = 1000
/** Clearance is computed only from readings younger than this. */
const freshMs = 15_000
/** Load in tonnes from which a crane counts as working; less is the hook itself. */
const hangsFrom = 0.3
const sentence = '平台画面用于监督与取证，防碰撞与限位保护由机载装置执行'

export default function TowerMonitorPage() {
  return (
    <FamilyMonitor family="towerCrane" module="tower-crane" unit="塔机" emptyHint="登记后这里显示实时画面">
      {(desk) => <Cranes desk={desk} />}
    </FamilyMonitor>
  )
}

function Cranes({ desk: today }: { desk: Desk }) {
  const { selected } = today
  const often = useEveryMs()
  const file = useCall(towerDevice, { params: { id: selected } }, { quiet: true, keepPrevious: true, staleMs: 300_000 })
  const info = useCall(towerInfo, { params: { id: selected } }, { quiet: true, ...often })
  // Zones that the site drew are shown together with those of its registered plan.
  const drawn = file.data?.zones
  const site = useMemo(
    () =>
      drawn
        ? { ...today.site, zones: drawn.map((zone) => ({ ...zone, points: zone.points.map(({ x, y }) => [x, y] as const) })) }
        : today.site,
    [today.site, drawn],
  )
  const present = useReadings(today, info.data)
  const replay = useReplay(today, present, findTowerReadings)
  const { desk, seen } = replay ?? { desk: today, seen: present }
  const { live } = desk
  const { readings, now, intervalMs } = seen
  useEffect(() => {
    for (const one of file.data?.cranes ?? []) takeReading(one.deviceId, one.latest)
  }, [file.data])

  const params = file.data?.deviceId === selected ? file.data.params : undefined
  const latest = useRef(readings)
  latest.current = readings
  const second = Math.floor(now / tickMs) * tickMs
  const { cranes, instant } = useMemo(
    () => gather(file.data?.cranes ?? [], params, selected, latest.current, live, second, intervalMs),
    [file.data, params, selected, live, second, intervalMs],
  )
  const targets = useMemo(() => new Map(cranes.flatMap((one) => (one.pose ? [[one.shape.id, one.pose] as const] : []))), [cranes])
  const poses = useGlide(targets, tickMs)

  const warnM = seen.limits.find((one) => one.alarmKey === 'collisionWarning')?.value ?? 5
  const swinging = cranes.filter((one) => one.pose && one.shown.tone !== 'offline' && one.shown.tone !== 'none')
  const ageOf = (one: DrawnCrane) => second - (readings.get(one.shape.id)?.at ?? 0)
  const old = swinging.find((one) => ageOf(one) > freshMs)
  const encounter = closest(
    swinging.filter((one) => ageOf(one) <= freshMs).map(({ shape, pose, motion }) => ({ shape, pose: pose as Pose, motion })),
  )
  const chosen = cranes.find((one) => one.shape.id === selected)
  const pairId = encounter && (encounter.a === selected ? encounter.b : encounter.b === selected ? encounter.a : undefined)
  const neighbour = chosen && besideOf(chosen, cranes, pairId)
  const rail = railOf(desk, seen, (row, reading) => {
    const percent = numberIn(reading?.values, 'momentPercent')
    return {
      label: shortName(row.name),
      note: [row.modelName, row.installPlace].filter(Boolean).join(' · ') || row.deviceSn,
      fine: percent === undefined ? '在线' : `力矩 ${percent.toFixed(0)} %`,
    }
  })

  return (
    <MonitorFrame
      className="mon-tower"
      said={sentence}
      actions={<CraneActions desk={today} file={file.data} />}
      foot={replay && <ReplayBar replay={replay} desk={today} feature="readings.towerCrane" />}
    >
      <div className="mon-left">
        <RailPanel
          desk={desk}
          unit={`塔机 ${live.devices.length} 台`}
          items={rail}
          counts={workCounts(desk, seen, { working: '作业', waiting: '待机' }, (values) => (numberIn(values, 'load') ?? 0) >= hangsFrom)}
        >
          <EventList events={eventsOf(live, shortName)} onAlarm={desk.openAlarm} />
        </RailPanel>
      </div>
      <div className="mon-plan-panel">
        <ScenePanel
          legend={
            <>
              <span className="optional">
                <Swatch color={dark.warning} />
                告警
              </span>
              <span className="optional">
                <Swatch color={dark.fine} />
                正常
              </span>
              <span className="optional">- - - 预测轨迹</span>
              {instant === undefined ? '等待数据' : `全部换算至 ${timeOfDay(instant)}`}
            </>
          }
        >
          {file.error && !file.data ? (
            <ErrorPanel error={file.error} retry={file.refetch} />
          ) : (
            <CranePlan
              site={site}
              cranes={cranes}
              poses={poses}
              selected={selected}
              encounter={encounter}
              warnM={warnM}
              degraded={old && `碰撞监测降级：${old.shape.label} 数据 ${span(ageOf(old))}前`}
              onSelect={desk.select}
            />
          )}
        </ScenePanel>
      </div>
      <div className="mon-right">
        <CraneInstruments
          key={selected}
          desk={desk}
          seen={seen}
          record={replay ? undefined : (info.data?.lastRecord ?? undefined)}
          params={params}
        />
      </div>
      <div className="mon-low">
        <Panel
          title="立面"
          actions={
            <span className="mon-legend">
              {chosen && neighbour
                ? `${neighbour.shape.label} 与 ${chosen.shape.label}，塔心距 ${Math.hypot(neighbour.shape.x - chosen.shape.x, neighbour.shape.y - chosen.shape.y).toFixed(1)} m`
                : '沿起重臂方向'}
            </span>
          }
        >
          {chosen ? (
            <CraneSide
              main={{ shape: chosen.shape, pose: poses.get(selected) ?? chosen.pose, color: dark.accent }}
              other={
                neighbour && {
                  shape: neighbour.shape,
                  pose: poses.get(neighbour.shape.id) ?? neighbour.pose,
                  color: neighbour.stale ? toneColors.offline : toneColors[neighbour.shown.tone],
                }
              }
            />
          ) : (
            <Empty small text="尚未收到数据" hint="设备上报后显示立面" />
          )}
        </Panel>
        <MomentTrend deviceId={selected} seen={seen} />
        {!replay && <CraneCamera deviceId={selected} />}
      </div>
    </MonitorFrame>
  )
}

/** The crane shown beside the selected one: the one it approaches, else the nearest within reach. */
function besideOf(chosen: DrawnCrane, cranes: readonly DrawnCrane[], pairId: string | undefined): DrawnCrane | undefined {
  const far = (one: DrawnCrane) => Math.hypot(one.shape.x - chosen.shape.x, one.shape.y - chosen.shape.y)
  const others = cranes.filter((one) => one !== chosen && one.pose && far(one) < one.shape.jibLength + chosen.shape.jibLength)
  return others.find((one) => one.shape.id === pairId) ?? others.sort((a, b) => far(a) - far(b))[0]
}

type FileCrane = Parameters<typeof shapeOf>[0] & { online: boolean }

/** All cranes at the instant of the newest reading, extrapolated by their own speeds for at most one interval. */
function gather(
  list: readonly FileCrane[],
  params: Readonly<Record<string, unknown>> | undefined,
  selected: string,
  readings: ReadonlyMap<string, Reading>,
  live: Desk['live'],
  now: number,
  intervalMs: number,
): { cranes: DrawnCrane[]; instant: number | undefined } {
  const times = list.filter((one) => live.online.get(one.deviceId) ?? one.online).flatMap((one) => readings.get(one.deviceId)?.at ?? [])
  const instant = times.length > 0 ? Math.max(...times) : undefined
  const cranes = list.map((one): DrawnCrane => {
    const reading = readings.get(one.deviceId)
    const shape = shapeOf(one, one.deviceId === selected ? params : undefined)
    const stale = isStale(reading, now, intervalMs)
    const pose = poseIn(reading?.values)
    const motion = stale ? { slew: 0, trolley: 0, hoist: 0 } : motionIn(reading?.values)
    const seconds = reading && instant !== undefined ? Math.min(Math.max(0, instant - reading.at), intervalMs) / 1000 : 0
    return {
      shape,
      pose: pose && (stale ? pose : carried(shape, pose, motion, seconds)),
      motion,
      stale,
      shown: status({
        online: live.online.get(one.deviceId) ?? one.online,
        reading,
        lastTime: undefined,
        intervalMs,
        now,
        alarm: live.openAlarm(one.deviceId),
        fine: '正常',
      }),
    }
  })
  return { cranes, instant }
}

const MomentTrend = ({ deviceId, seen }: { deviceId: string; seen: Readings }) => (
  <MetricTrend
    call={towerLine}
    deviceId={deviceId}
    metric="momentPercent"
    title="力矩 近 10 分钟"
    legend={(bucket) => `每 ${bucket} s 一点，%`}
    spanMs={trendMs}
    points={600}
    readings={seen}
    high={112}
    room={6}
    drawn={{
      ticks: [0, 30, 60, 90],
      peak: true,
      limits: trendLimits(seen.limits, 'momentPercent', 125, ' %').filter((one) => one.at <= 105),
    }}
  />
)
