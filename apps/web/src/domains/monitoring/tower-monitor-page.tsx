import { CheckCircleFilled, SoundOutlined, UserOutlined, WarningFilled } from '@ant-design/icons'
import { towerCycles, towerDevice, towerInfo, towerLine } from '@zhugong/contract/telemetry/endpoints'
import type { Limit } from '@zhugong/contract/telemetry/model'
import { Button } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel, Notice, Panel } from '#kit/feedback.tsx'
import { minuteOfDay, span, time, timeOfDay } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { isStale, useLatest, useLiveState, useNow } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { setSound } from './alarm-sound.ts'
import { carried, closest, type Pose } from './crane-geometry.ts'
import { CranePlan, type DrawnCrane } from './crane-plan.tsx'
import { CraneSide } from './crane-side.tsx'
import { byUrgency, motionIn, numberIn, poseIn, shapeOf, shortName, told, toneColors } from './crane-state.ts'
import { dark } from './dark.ts'
import { DeviceRail } from './device-rail.tsx'
import { soundOn, takeReading, useFamilyLive, useSite } from './family-live.ts'
import { Gauge, qualityNames, type Tick, ticksOf, toneAgainst } from './gauge.tsx'
import './monitoring.css'
import { ProjectChooser } from './project-chooser.tsx'
import { Trend, type TrendPoint } from './trend.tsx'
import { useGlide } from './use-glide.ts'

const family = 'towerCrane'
const trendMs = 10 * 60_000
const tickMs = 1000
/** Clearance needs all its members younger than this. */
const freshMs = 15_000
const sentence = '平台画面用于监督与取证，防碰撞与限位保护由机载装置执行'

export default function TowerMonitorPage() {
  const projectCode = useProjectCode()
  return projectCode === '*' ? <ProjectChooser family={family} unit="塔机" /> : <Monitor key={projectCode} projectCode={projectCode} />
}

function Monitor({ projectCode }: { projectCode: string }) {
  const query = usePageQuery()
  const go = useGo()
  const page = usePage()
  const live = useFamilyLive(projectCode, family)
  const ground = useSite(projectCode)
  const sound = soundOn()
  const wanted = query.get('deviceId') ?? undefined
  // One that is there before one that is away, else the most serious: an offline crane has nothing to show.
  const first = [...live.devices].sort((a, b) => Number(b.online) - Number(a.online) || (a.openLevel ?? 9) - (b.openLevel ?? 9))[0]?.id
  const selected = live.devices.some((one) => one.id === wanted) ? wanted : first
  const select = (deviceId: string) => go(page.path, { deviceId }, { replace: true })
  const actions = (
    <>
      <span className="mon-said">{sentence}</span>
      <Button icon={<SoundOutlined />} aria-pressed={sound.on} onClick={() => setSound(!sound.on)}>
        告警声 {sound.on ? '开' : '关'}
      </Button>
    </>
  )
  return (
    <PageShell fill actions={actions}>
      {live.loading || ground.loading ? (
        <div style={{ flex: 1 }}>
          <DetailSkeleton />
        </div>
      ) : live.error ? (
        <div className="zg-card" style={{ flex: 1 }}>
          <ErrorPanel error={live.error} retry={live.retry} />
        </div>
      ) : live.devices.length === 0 || !selected ? (
        <div className="zg-card" style={{ flex: 1 }}>
          <Empty hint="本项目还没有登记塔机监测设备，登记后这里显示实时画面">
            <Button type="primary" onClick={() => go('/administration')}>
              去登记设备
            </Button>
          </Empty>
        </div>
      ) : (
        <Desk projectCode={projectCode} live={live} site={ground.site} selected={selected} onSelect={select} />
      )}
      <AlarmDrawer id={query.get('alarmId') ?? undefined} onClose={() => go(page.path, { deviceId: selected }, { replace: true })} />
    </PageShell>
  )
}

interface DeskProps {
  projectCode: string
  live: ReturnType<typeof useFamilyLive>
  site: ReturnType<typeof useSite>['site']
  selected: string
  onSelect: (id: string) => void
}

function Desk({ projectCode, live, site, selected, onSelect }: DeskProps) {
  const page = usePage()
  const go = useGo()
  const state = useLiveState()
  const everyMs = page.active && state !== 'online' ? 10_000 : undefined
  const file = useCall(towerDevice, { params: { id: selected } }, { quiet: true, keepPrevious: true, staleMs: 300_000 })
  const info = useCall(towerInfo, { params: { id: selected } }, { quiet: true, ...(everyMs ? { everyMs } : {}) })
  const readings = useLatest(
    useMemo(() => live.devices.map((one) => one.id), [live.devices]),
    projectCode,
  )
  useEffect(() => {
    for (const one of file.data?.cranes ?? []) takeReading(one.deviceId, one.latest)
  }, [file.data])
  useEffect(() => takeReading(selected, info.data?.latest), [info.data, selected])
  // Ages are counted on the server's clock: the desk's own may be minutes off.
  const skew = useMemo(() => (info.data ? info.data.now - Date.now() : 0), [info.data])
  const now = useNow(tickMs) + skew
  const intervalMs = (info.data?.intervalSeconds ?? 10) * 1000

  const params = file.data?.deviceId === selected ? file.data.params : undefined
  const latest = useRef(readings)
  latest.current = readings
  const seconds = Math.floor(now / tickMs)
  const { cranes, instant } = useMemo(
    () => gather(file.data?.cranes ?? [], params, selected, latest.current, live, seconds * tickMs, intervalMs),
    [file.data, params, selected, live, seconds, intervalMs],
  )
  const targets = useMemo(() => new Map(cranes.flatMap((one) => (one.pose ? [[one.shape.id, one.pose] as const] : []))), [cranes])
  const poses = useGlide(targets, tickMs)

  const collision = (info.data?.limits ?? []).find((one) => one.alarmKey === 'collisionWarning')
  const warnM = collision?.value ?? 5
  const swinging = cranes.filter((one) => one.pose && one.told.tone !== 'offline' && one.told.tone !== 'none')
  const ageOf = (one: DrawnCrane) => seconds * tickMs - (readings.get(one.shape.id)?.at ?? 0)
  const old = swinging.find((one) => ageOf(one) > freshMs)
  const encounter = closest(
    swinging.filter((one) => ageOf(one) <= freshMs).map(({ shape, pose, motion }) => ({ shape, pose: pose as Pose, motion })),
  )
  const chosen = cranes.find((one) => one.shape.id === selected)
  const pairId = encounter && (encounter.a === selected ? encounter.b : encounter.b === selected ? encounter.a : undefined)
  const neighbour = chosen && besideOf(chosen, cranes, pairId)

  const rail = live.devices
    .map((row) => {
      const reading = readings.get(row.id)
      const percent = numberIn(reading?.values, 'momentPercent')
      return {
        id: row.id,
        name: row.name,
        label: shortName(row.name),
        note: [row.modelName, row.installPlace].filter(Boolean).join(' · ') || row.deviceSn,
        at: reading?.at ?? row.lastTime ?? undefined,
        told: told({
          online: row.online,
          reading,
          lastTime: row.lastTime,
          intervalMs,
          now,
          alarm: live.openAlarm(row.id),
          activated: row.status === '1',
          fine: percent === undefined ? '在线' : `力矩 ${percent.toFixed(0)} %`,
        }),
      }
    })
    .sort(byUrgency)

  return (
    <div className="mon mon-tower">
      <div className="mon-left" style={{ display: 'flex', minHeight: 0 }}>
        <Panel
          title={`塔机 ${live.devices.length} 台`}
          actions={<span className="mon-legend">在线 {live.devices.filter((one) => one.online).length}</span>}
          style={{ flex: 1 }}
        >
          <DeviceRail items={rail} selected={selected} onSelect={onSelect} />
          <Events live={live} onAlarm={(alarmId) => go(page.path, { deviceId: selected, alarmId }, { replace: true })} />
        </Panel>
      </div>
      <div className="mon-plan-panel" style={{ display: 'flex', minHeight: 0, minWidth: 0 }}>
        <Panel
          title="平面"
          style={{ flex: 1 }}
          actions={
            <span className="mon-legend">
              <span className="optional">
                <i style={{ background: dark.warning }} />
                告警
              </span>
              <span className="optional">
                <i style={{ background: dark.fine }} />
                正常
              </span>
              <span className="optional">- - - 预测轨迹</span>
              {instant === undefined ? '等待数据' : `全部换算至 ${timeOfDay(instant)}`}
            </span>
          }
        >
          {state === 'offline' && <Notice tone="warning">实时通道已断开，正在重连，每 10 秒读取一次</Notice>}
          {file.error && !file.data ? (
            <ErrorPanel error={file.error} retry={file.refetch} />
          ) : (
            <CranePlan
              site={site ?? { origin: [0, 0], fence: [], buildings: [], roads: [], zones: [], gates: [], spray: [] }}
              cranes={cranes}
              poses={poses}
              selected={selected}
              encounter={encounter}
              warnM={warnM}
              degraded={old && `碰撞监测降级：${old.shape.label} 数据 ${span(seconds * tickMs - (readings.get(old.shape.id)?.at ?? 0))}前`}
              onSelect={onSelect}
            />
          )}
        </Panel>
      </div>
      <Instruments
        key={selected}
        projectCode={projectCode}
        deviceId={selected}
        name={live.devices.find((one) => one.id === selected)?.name ?? ''}
        reading={readings.get(selected)}
        alarm={live.openAlarm(selected)}
        limits={info.data?.limits ?? []}
        record={info.data?.lastRecord ?? undefined}
        params={params}
        now={now}
        intervalMs={intervalMs}
      />
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
                  color: neighbour.stale ? toneColors.offline : toneColors[neighbour.told.tone],
                }
              }
            />
          ) : (
            <Empty small text="尚未收到数据" hint="设备上报后显示立面" />
          )}
        </Panel>
        <MomentTrend
          deviceId={selected}
          reading={readings.get(selected)}
          limits={info.data?.limits ?? []}
          now={seconds * tickMs}
          intervalMs={intervalMs}
        />
      </div>
    </div>
  )
}

/** The crane to look at beside the chosen one: the one it comes close to, else the nearest within reach. */
function besideOf(chosen: DrawnCrane, cranes: readonly DrawnCrane[], pairId: string | undefined): DrawnCrane | undefined {
  const far = (one: DrawnCrane) => Math.hypot(one.shape.x - chosen.shape.x, one.shape.y - chosen.shape.y)
  const others = cranes.filter((one) => one !== chosen && one.pose && far(one) < one.shape.jibLength + chosen.shape.jibLength)
  return others.find((one) => one.shape.id === pairId) ?? others.sort((a, b) => far(a) - far(b))[0]
}

type FileCrane = Parameters<typeof shapeOf>[0] & { online: boolean }

/** All cranes at one instant: the newest reading's. Each is carried there by its own speeds, one interval at most. */
function gather(
  list: readonly FileCrane[],
  params: Readonly<Record<string, unknown>> | undefined,
  selected: string,
  readings: ReadonlyMap<string, Reading>,
  live: DeskProps['live'],
  now: number,
  intervalMs: number,
): { cranes: DrawnCrane[]; instant: number | undefined } {
  const times = list.filter((one) => live.online.get(one.deviceId) ?? one.online).flatMap((one) => readings.get(one.deviceId)?.at ?? [])
  const instant = times.length > 0 ? Math.max(...times) : undefined
  const cranes = list.map((one): DrawnCrane => {
    const reading = readings.get(one.deviceId)
    const shape = shapeOf(one, one.deviceId === selected ? params : undefined)
    const stale = isStale(reading?.at, now, intervalMs)
    const pose = poseIn(reading?.values)
    const motion = stale ? { slew: 0, trolley: 0, hoist: 0 } : motionIn(reading?.values)
    const seconds = reading && instant !== undefined ? Math.min(Math.max(0, instant - reading.at), intervalMs) / 1000 : 0
    return {
      shape,
      pose: pose && (stale ? pose : carried(shape, pose, motion, seconds)),
      motion,
      stale,
      told: told({
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

function Events({ live, onAlarm }: { live: DeskProps['live']; onAlarm: (id: string) => void }) {
  const names = new Map(live.devices.map((one) => [one.id, shortName(one.name)]))
  const events = [
    ...live.alarms.flatMap((one) => {
      const who = shortName(one.deviceName)
      const peak = one.peakValue === null ? '' : ` ${Number(one.peakValue.toFixed(1))}${one.unit ? ` ${one.unit}` : ''}`
      const color = one.level === 1 ? dark.limit : dark.limitWarning
      return [
        { at: one.fireTime, text: `${who} ${one.alarmLabel}${peak}`, color, alarmId: one.id },
        ...(one.clearTime === null
          ? []
          : [{ at: one.clearTime, text: `${who} ${one.alarmLabel} 已恢复`, color: dark.fine, alarmId: one.id }]),
      ]
    }),
    ...live.events.flatMap((one) => {
      const who = names.get(one.deviceId)
      return who
        ? [{ at: one.at, text: `${who} ${one.online ? '上线' : '离线'}`, color: one.online ? dark.fine : '#C2CEDC', alarmId: undefined }]
        : []
    }),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, 12)
  return (
    <>
      <div className="mon-sub">最近事件</div>
      <ul className="mon-events">
        {events.length === 0 && <li style={{ color: dark.label }}>近期没有事件</li>}
        {events.map((one) => (
          <li key={`${one.at}${one.text}`}>
            {one.alarmId ? (
              <button type="button" className="zg-bare" title={`${time(one.at)} ${one.text}`} onClick={() => onAlarm(one.alarmId)}>
                <time>{timeOfDay(one.at)}</time>
                <span style={{ color: one.color }}>{one.text}</span>
              </button>
            ) : (
              <>
                <time title={time(one.at)}>{timeOfDay(one.at)}</time>
                <span style={{ color: one.color }}>{one.text}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

interface InstrumentsProps {
  projectCode: string
  deviceId: string
  name: string
  reading: Reading | undefined
  alarm: { id: string; level: number; label: string } | undefined
  limits: readonly Limit[]
  record: { record: string; time: number; data: Record<string, unknown> } | undefined
  params: Readonly<Record<string, unknown>> | undefined
  now: number
  intervalMs: number
}

const signed = (value: number | undefined, decimals = 1) => {
  if (value === undefined) return '--'
  const text = Math.abs(value).toFixed(decimals)
  return Number(text) === 0 ? text : `${value > 0 ? '+' : '−'}${text}`
}
const plain = (at: number | undefined, text?: string): Tick[] => (at === undefined ? [] : [{ at, text: text ?? String(at), tone: 'plain' }])

function Instruments({ projectCode, deviceId, name, reading, alarm, limits, record, params, now, intervalMs }: InstrumentsProps) {
  const page = usePage()
  const cycles = useCall(
    towerCycles,
    { query: { deviceId, projectCode, size: 1 } },
    { quiet: true, ...(page.active ? { everyMs: 60_000 } : {}) },
  )
  const v = (key: string) => numberIn(reading?.values, key)
  const p = (key: string) => numberIn(params, key)
  const stale = isStale(reading?.at, now, intervalMs)
  const doubt = (key: string) => {
    const said = reading?.quality?.[key]
    return said === undefined ? undefined : (qualityNames[said] ?? said)
  }
  const common = (key: string) => ({ at: reading?.at, now, stale, doubt: doubt(key) })
  const driver = reading?.values.driverName
  const recognised = record?.record === 'driverRecognition' ? record : undefined
  const load = v('load')
  const rated = v('ratedLoad')
  const slew = v('slewSpeed')
  const jib = p('maxRadius') ?? 60
  const top = p('maxHeight')
  const slewFrom = p('slewLimitFrom')
  const slewTo = p('slewLimitTo')
  const switches: [string, string][] = [
    ['上限位', 'limitUpper'],
    ['外限位', 'limitOuter'],
    ['左限位', 'limitLeft'],
    ['下限位', 'limitLower'],
    ['内限位', 'limitInner'],
    ['右限位', 'limitRight'],
  ]
  return (
    <div className="mon-right" style={{ display: 'flex', minHeight: 0 }}>
      <Panel
        title={name}
        style={{ flex: 1 }}
        remark={
          alarm && (
            <span style={{ color: alarm.level === 1 ? dark.alarm : dark.warning, fontSize: 13, fontWeight: 600 }}>
              <WarningFilled /> {alarm.level} 级 {alarm.label}
            </span>
          )
        }
        actions={
          <span className="mon-legend" title={`设备 ${time(reading?.at)}，接收 ${time(reading?.receivedAt)}`}>
            {timeOfDay(reading?.at)}
          </span>
        }
      >
        {reading === undefined ? (
          <Empty small text="尚未收到数据" hint="设备接入后显示读数，参数见设备档案" />
        ) : (
          <>
            <div className="mon-driver">
              <span className="face">
                <UserOutlined />
              </span>
              <div>
                <b>{typeof driver === 'string' && driver ? driver : '未识别司机'}</b>
                <small>
                  {recognised ? (
                    <span style={{ color: recognised.data.result === '1' ? dark.fine : dark.limitWarning }}>
                      <CheckCircleFilled /> {minuteOfDay(recognised.time)} {recognised.data.result === '1' ? '识别' : '识别失败'}
                    </span>
                  ) : typeof driver === 'string' && driver ? (
                    '设备上报的在岗司机'
                  ) : (
                    '作业中应有识别记录'
                  )}
                </small>
              </div>
              <div className="right">
                <small>今日循环</small>
                <strong>{cycles.data?.today.cycles ?? '--'}</strong>
              </div>
            </div>
            <div className="mon-gauges">
              <Gauge
                label="力矩"
                remark={v('moment') === undefined ? undefined : `${v('moment')?.toFixed(1)} / ${p('ratedMoment')?.toFixed(1) ?? '--'} t·m`}
                value={v('momentPercent')}
                unit="%"
                high={125}
                ticks={ticksOf(limits, 'momentPercent', 125)}
                tone={toneAgainst(limits, 'momentPercent', v('momentPercent'))}
                {...common('momentPercent')}
              />
              <Gauge
                label="吊重"
                remark={`${v('loadPercent')?.toFixed(0) ?? '--'} %，${v('fall') ?? '--'} 倍率`}
                value={load}
                unit="t"
                decimals={2}
                high={(rated ?? p('maxLoad') ?? 5) * 1.2}
                ticks={
                  rated === undefined
                    ? []
                    : ticksOf(limits, 'loadPercent', 120).map((one) => ({
                        ...one,
                        at: (one.at / 100) * rated,
                        text: one.at === 100 ? `额定 ${rated.toFixed(2)}` : one.at < 100 ? `${one.text} %` : one.text,
                      }))
                }
                tone={toneAgainst(limits, 'loadPercent', v('loadPercent'))}
                {...common('load')}
              />
              <Gauge
                label="幅度"
                remark={`变幅 ${signed(v('trolleySpeed'))} m/min`}
                value={v('radius')}
                unit="m"
                high={jib * 1.06}
                ticks={[...plain(p('minRadius'), p('minRadius')?.toFixed(1)), ...plain(p('maxRadius'), p('maxRadius')?.toFixed(1))]}
                {...common('radius')}
              />
              <Gauge
                label="吊钩高度"
                remark={`起升 ${signed(v('hoistSpeed'), 0)} m/min`}
                value={v('hookHeight')}
                unit="m"
                high={(top ?? 60) * 1.12}
                ticks={top === undefined ? [] : [{ at: top, text: `上限 ${top}`, tone: 'alarm' }]}
                {...common('hookHeight')}
              />
              <Gauge
                label="回转"
                remark={
                  slew === undefined || Math.abs(slew) < 0.02
                    ? '静止'
                    : `${slew > 0 ? '顺' : '逆'}时针 ${Math.abs(slew * 6).toFixed(1)} °/s`
                }
                value={v('slewAngle')}
                unit="°"
                high={360}
                pointer
                ticks={[slewFrom, slewTo].flatMap((at) => (at === undefined ? [] : [{ at, text: String(at), tone: 'alarm' as const }]))}
                {...common('slewAngle')}
              />
              <Gauge
                label="风速"
                remark={v('windLevel') === undefined ? undefined : `${v('windLevel')} 级`}
                value={v('windSpeed')}
                unit="m/s"
                high={24}
                ticks={ticksOf(limits, 'windSpeed', 24)}
                tone={toneAgainst(limits, 'windSpeed', v('windSpeed'))}
                {...common('windSpeed')}
              />
              <Gauge
                label="倾角"
                remark={`X ${signed(v('tiltX'), 2)}  Y ${signed(v('tiltY'), 2)}`}
                value={v('tilt')}
                unit="°"
                decimals={2}
                high={2.5}
                ticks={ticksOf(limits, 'tilt', 2.5)}
                tone={toneAgainst(limits, 'tilt', v('tilt'))}
                {...common('tilt')}
              />
            </div>
            <div className="mon-limits">
              {switches.map(([label, key]) => {
                const on = reading.values[key]
                return (
                  <span key={key}>
                    {label}
                    <b style={{ color: stale || on === undefined ? dark.stale : on === true ? dark.warning : dark.fine, fontWeight: 400 }}>
                      {on === undefined ? '--' : on === true ? '动作' : '正常'}
                    </b>
                  </span>
                )
              })}
            </div>
          </>
        )}
      </Panel>
    </div>
  )
}

function MomentTrend({
  deviceId,
  reading,
  limits,
  now,
  intervalMs,
}: {
  deviceId: string
  reading: Reading | undefined
  limits: readonly Limit[]
  now: number
  intervalMs: number
}) {
  // Asked for once a crane; what comes after is added as it arrives.
  const [since] = useState(() => time(Date.now() - trendMs - 60_000))
  const line = useCall(
    towerLine,
    { query: { deviceId, startTime: since, metrics: 'momentPercent', points: 600 } },
    { quiet: true, staleMs: 60_000 },
  )
  const [added, setAdded] = useState<{ deviceId: string; points: readonly TrendPoint[] }>({ deviceId, points: [] })
  const value = numberIn(reading?.values, 'momentPercent')
  const at = reading?.at
  useEffect(() => {
    if (at === undefined || value === undefined) return
    setAdded((known) => {
      const points = known.deviceId === deviceId ? known.points : []
      return { deviceId, points: [...points.filter((one) => one.time > at - trendMs - 60_000 && one.time !== at), { time: at, value }] }
    })
  }, [deviceId, at, value])
  const points = useMemo(() => {
    const asked = (line.data?.list ?? []).flatMap((one) => {
      const mean = one.v.momentPercent?.[0]
      return mean === undefined ? [] : [{ time: one.time, value: mean }]
    })
    const last = asked.at(-1)?.time ?? 0
    const own = added.deviceId === deviceId ? added.points : []
    return [...asked, ...own.filter((one) => one.time > last)].sort((a, b) => a.time - b.time)
  }, [line.data, added, deviceId])
  const marks = ticksOf(limits, 'momentPercent', 125).filter((one) => one.at <= 105)
  return (
    <Panel
      title="力矩 近 10 分钟"
      actions={<span className="mon-legend">每 {Math.round(line.data?.bucketSeconds ?? intervalMs / 1000)} s 一点，%</span>}
    >
      {line.error && !line.data ? (
        <ErrorPanel error={line.error} retry={line.refetch} />
      ) : (
        <Trend
          label="力矩百分比近 10 分钟"
          points={points}
          from={now - trendMs}
          to={now}
          high={Math.max(112, ...points.map((one) => one.value + 6))}
          gapMs={Math.max(3 * intervalMs, (line.data?.bucketSeconds ?? 0) * 2500)}
          ticks={[0, 30, 60, 90]}
          limits={marks.map((one) => ({
            at: one.at,
            tone: one.tone === 'alarm' ? 'alarm' : 'warning',
            text: `${one.tone === 'alarm' ? '报警' : '预警'} ${one.text} %`,
          }))}
          peak
        />
      )}
    </Panel>
  )
}
