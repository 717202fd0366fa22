import { SoundOutlined, WarningFilled } from '@ant-design/icons'
import { deviceStatus } from '@zhugong/contract/equipment/codes'
import type { DeviceRow } from '@zhugong/contract/equipment/endpoints'
import type { Site } from '@zhugong/contract/monitoring/site'
import type { Limit, ReadingView } from '@zhugong/contract/telemetry/model'
import { Button } from 'antd'
import { type ReactNode, useEffect, useMemo } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { DetailSkeleton, Empty, ErrorPanel, Notice, Panel } from '#kit/feedback.tsx'
import { shortTime, time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { isStale, useLatest, useLiveState, useNow } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { setSound } from './alarm-sound.ts'
import { byUrgency, type MachineStatus, numberIn, status } from './crane-state.ts'
import { DeviceRail, type RailItem } from './device-rail.tsx'
import { type FamilyLive, soundOn, takeReading, useFamilyLive, useSite } from './family-live.ts'
import { qualityNames, ticksOf, toneAgainst } from './gauge.tsx'
import './monitoring.css'
import { OneSite } from './one-site.tsx'
import { replayIn, replayText, type Span } from './replay.ts'

const noSite: Site = { origin: [0, 0], fence: [], buildings: [], roads: [], zones: [], gates: [], spray: [] }
const tickMs = 1_000

/** State of a live page: the site, its machines of one family, and the selected one. */
export interface Desk {
  projectCode: string
  family: string
  /** The permission module of the family. */
  module: string
  /** Set during a replay. */
  replay: Span | undefined
  setReplay: (span: Span | undefined) => void
  live: FamilyLive
  site: Site
  selected: string
  device: DeviceRow | undefined
  select: (deviceId: string) => void
  openAlarm: (alarmId: string) => void
}

interface FamilyMonitorProps {
  family: string
  module: string
  /** What a machine is called: 塔机, 监测站. */
  unit: string
  /** Shown if no machine is registered: what the page will show. */
  emptyHint: string
  children: (desk: Desk) => ReactNode
}

/** The machine selected by default: online before offline, then the most serious alarm. */
const firstToShow = (devices: readonly DeviceRow[]): string | undefined =>
  [...devices].sort((a, b) => Number(b.online) - Number(a.online) || (a.openLevel ?? 9) - (b.openLevel ?? 9))[0]?.id

/** The live page of one family: selects project and machine and handles loading, errors and empty sites. */
export function FamilyMonitor(props: FamilyMonitorProps) {
  return (
    <OneSite family={props.family} unit={props.unit}>
      {(projectCode) => <OfProject key={projectCode} {...props} projectCode={projectCode} />}
    </OneSite>
  )
}

function OfProject({ projectCode, family, module, unit, emptyHint, children }: FamilyMonitorProps & { projectCode: string }) {
  const query = usePageQuery()
  const go = useGo()
  const page = usePage()
  const live = useFamilyLive(projectCode, family)
  const ground = useSite(projectCode)
  const wanted = query.get('deviceId') ?? undefined
  const selected = live.devices.some((one) => one.id === wanted) ? wanted : firstToShow(live.devices)
  if (live.loading || ground.loading)
    return (
      <PageShell fill>
        <div className="zg-grow">
          <DetailSkeleton />
        </div>
      </PageShell>
    )
  if (live.error || !selected)
    return (
      <PageShell fill>
        <div className="zg-card zg-grow">
          {live.error ? (
            <ErrorPanel error={live.error} retry={live.retry} />
          ) : (
            <Empty text={`本项目还没有登记${unit}`} hint={emptyHint}>
              <Button type="primary" onClick={() => go('/administration')}>
                去登记设备
              </Button>
            </Empty>
          )}
        </div>
      </PageShell>
    )
  const replay = replayIn(query.get('replay'))
  const show = (more: Record<string, string | undefined>) =>
    go(
      page.path,
      { site: query.get('site') ?? undefined, deviceId: selected, replay: replay && replayText(replay), ...more },
      { replace: true },
    )
  return (
    <>
      {children({
        projectCode,
        family,
        module,
        live,
        replay,
        setReplay: (span) => show({ replay: span && replayText(span) }),
        site: ground.site ?? noSite,
        selected,
        device: live.devices.find((one) => one.id === selected),
        select: (deviceId) => show({ deviceId }),
        openAlarm: (alarmId) => show({ alarmId }),
      })}
      <AlarmDrawer id={query.get('alarmId') ?? undefined} onClose={() => show({})} />
    </>
  )
}

/** Title row of a live page: a sentence and the switch for the alarm sound. */
export function MonitorFrame({
  said,
  className,
  actions,
  foot,
  children,
}: {
  said: ReactNode
  className: string
  /** Actions for the selected machine. */
  actions?: ReactNode
  /** Below the panels, full width. */
  foot?: ReactNode
  children: ReactNode
}) {
  const sound = soundOn()
  const state = useLiveState()
  return (
    <PageShell
      fill
      remark={<span className="mon-said">{said}</span>}
      actions={
        <>
          {actions}
          <Button icon={<SoundOutlined />} aria-pressed={sound.on} onClick={() => setSound(!sound.on)}>
            告警声 {sound.on ? '开' : '关'}
          </Button>
        </>
      }
    >
      <div className="mon-stack">
        {state === 'offline' && <Notice tone="warning">实时通道已断开，正在重连，每 10 秒读取一次；图上是断开前的数据</Notice>}
        <div className={`mon ${className}`}>{children}</div>
        {foot}
      </div>
    </PageShell>
  )
}

interface InfoOfDevice {
  latest: ReadingView | null
  /** Server time, epoch milliseconds. */
  now: number
  intervalSeconds: number
  limits: readonly Limit[]
}

export interface Readings {
  /** Latest reading by machine id. */
  readings: ReadonlyMap<string, Reading>
  reading: Reading | undefined
  limits: readonly Limit[]
  now: number
  intervalMs: number
  stale: boolean
  /** In a replay: readings of the selected machine up to the current moment, oldest first. */
  history?: readonly Reading[]
}

/** Refetch interval of a live page while it is active; shorter while the live channel is disconnected. */
export function useEveryMs(calmMs?: number): { everyMs?: number } {
  const { active } = usePage()
  const state = useLiveState()
  const everyMs = state === 'online' ? calmMs : 10_000
  return active && everyMs !== undefined ? { everyMs } : {}
}

/** Latest readings of the machines and of `others`. Ages use the server's clock, because the viewer's may be wrong. */
export function useReadings({ live, projectCode, selected }: Desk, info: InfoOfDevice | undefined, others?: readonly string[]): Readings {
  const ids = useMemo(() => [...live.devices.map((one) => one.id), ...(others ?? [])], [live.devices, others])
  const readings = useLatest(ids, projectCode)
  useEffect(() => takeReading(selected, info?.latest), [info, selected])
  const skew = useMemo(() => (info ? info.now - Date.now() : 0), [info])
  const now = useNow(tickMs) + skew
  const intervalMs = (info?.intervalSeconds ?? 10) * 1_000
  const reading = readings.get(selected)
  return { readings, reading, limits: info?.limits ?? [], now, intervalMs, stale: isStale(reading, now, intervalMs) }
}

interface RailWords {
  label: string
  note: string
  /** Status text without an alarm. */
  fine: string
  /** Further lines, for doubtful data. */
  more?: readonly string[]
  /** Tone used while the state is fine, for a value over its limit without an alarm yet. */
  tone?: MachineStatus['tone'] | undefined
}

/** One row per machine, most urgent first. */
export function railOf(
  desk: Desk,
  { readings, now, intervalMs }: Readings,
  words: (row: DeviceRow, reading: Reading | undefined, at: number | undefined) => RailWords,
): (RailItem & { name: string })[] {
  return desk.live.devices
    .map((row) => {
      const reading = readings.get(row.id)
      const at = reading?.at ?? row.lastTime ?? undefined
      const { label, note, fine, more = [], tone } = words(row, reading, at)
      const state = status({
        online: row.online,
        reading,
        lastTime: row.lastTime,
        intervalMs,
        now,
        alarm: desk.live.openAlarm(row.id),
        activated: row.status === deviceStatus.inUse,
        fine,
      })
      return { id: row.id, name: row.name, label, note, at, more, status: state.tone === 'fine' && tone ? { ...state, tone } : state }
    })
    .sort(byUrgency)
}

interface RailCount {
  label: string
  value: number
  /** Coloured if not zero. */
  watched?: boolean
}

/** Counts above the list. */
export const RailCounts = ({ counts }: { counts: readonly RailCount[] }) => (
  <dl className="mon-counts">
    {counts.map(({ label, value, watched }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd data-on={watched === true && value > 0}>{value}</dd>
      </div>
    ))}
  </dl>
)

/** Number of machines working, waiting and offline, and with an open alarm. Stale readings do not count as work. */
export function workCounts(
  desk: Desk,
  { readings, now, intervalMs }: Readings,
  words: { working: string; waiting: string },
  works: (values: Reading['values'] | undefined) => boolean,
): RailCount[] {
  const { devices } = desk.live
  const there = devices.filter((one) => one.online && !isStale(readings.get(one.id), now, intervalMs))
  const working = there.filter((one) => works(readings.get(one.id)?.values)).length
  return [
    { label: words.working, value: working },
    { label: words.waiting, value: there.length - working },
    { label: '离线', value: devices.length - there.length, watched: true },
    { label: '告警', value: devices.filter((one) => desk.live.openAlarm(one.id)).length, watched: true },
  ]
}

interface RailPanelProps {
  desk: Desk
  unit: string
  items: readonly RailItem[]
  counts?: readonly RailCount[]
  children?: ReactNode
}

/** The list of machines at the left, with further content below. */
export function RailPanel({ desk, unit, items, counts, children }: RailPanelProps) {
  return (
    <Panel
      title={unit}
      actions={<span className="mon-legend">在线 {desk.live.devices.filter((one) => one.online).length}</span>}
      grows={Boolean(children)}
    >
      {counts && <RailCounts counts={counts} />}
      <DeviceRail items={items} selected={desk.selected} onSelect={desk.select} />
      {children}
    </Panel>
  )
}

/** The panel of the site plan. */
export function ScenePanel({ legend, children }: { legend: ReactNode; children: ReactNode }) {
  return (
    <Panel title="平面" grows actions={<span className="mon-legend">{legend}</span>}>
      {children}
    </Panel>
  )
}

/** The instruments of the selected machine, with its most serious alarm and the time of the reading in the title. */
export function InstrumentPanel({
  desk,
  reading,
  emptyHint,
  children,
}: {
  desk: Desk
  reading: Reading | undefined
  emptyHint: string
  children: ReactNode
}) {
  const alarm = desk.live.openAlarm(desk.selected)
  return (
    <Panel
      title={desk.device?.name ?? ''}
      grows
      remark={
        alarm && (
          <button
            type="button"
            className="zg-bare mon-open"
            data-grave={alarm.level === 1}
            title={`${alarm.level} 级 ${alarm.label}`}
            onClick={() => desk.openAlarm(alarm.id)}
          >
            <WarningFilled /> {alarm.level} 级 <span className="optional">{alarm.label}</span>
          </button>
        )
      }
      actions={
        <span className="mon-legend" title={`设备 ${time(reading?.at)}，接收 ${time(reading?.receivedAt)}`}>
          {shortTime(reading?.at)}
        </span>
      }
    >
      {reading === undefined ? <Empty small text="尚未收到数据" hint={emptyHint} /> : children}
    </Panel>
  )
}

/**
 * Properties of the gauges of a reading. `plain`: the value of a metric, its age and quality. `limited`: also the thresholds of the rules in
 * force as ticks and colour.
 */
export function gaugesOf({ reading, limits, now, stale }: Readings) {
  const numberOf = (key: string) => numberIn(reading?.values, key)
  const plain = (key: string) => {
    const said = reading?.quality?.[key]
    return { value: numberOf(key), at: reading?.at, now, stale, doubt: said === undefined ? undefined : (qualityNames[said] ?? said) }
  }
  return {
    plain,
    limited: (key: string, high: number) => ({
      ...plain(key),
      high,
      ticks: ticksOf(limits, key, high),
      tone: toneAgainst(limits, key, numberOf(key)),
    }),
  }
}
