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
import { byUrgency, type Told, told } from './crane-state.ts'
import { DeviceRail, type RailItem } from './device-rail.tsx'
import { type FamilyLive, soundOn, takeReading, useFamilyLive, useSite } from './family-live.ts'
import { type GaugeProps, qualityNames } from './gauge.tsx'
import './monitoring.css'
import { OneSite } from './one-site.tsx'
import { replayIn, replayText, type Span } from './replay.ts'

const noSite: Site = { origin: [0, 0], fence: [], buildings: [], roads: [], zones: [], gates: [], spray: [] }
const tickMs = 1_000

/** What a monitor's parts know of: the site, its machines of one family, and the one in front. */
export interface Desk {
  projectCode: string
  family: string
  /** The permission module of the family. */
  module: string
  /** Set while the page shows a span of the past. */
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
  /** What one is called: 塔机, 监测站. */
  unit: string
  /** Where none is registered: what will be shown here. */
  emptyHint: string
  children: (desk: Desk) => ReactNode
}

/** One that is there before one that is away, else the most serious: what is offline has nothing to show. */
const firstToShow = (devices: readonly DeviceRow[]): string | undefined =>
  [...devices].sort((a, b) => Number(b.online) - Number(a.online) || (a.openLevel ?? 9) - (b.openLevel ?? 9))[0]?.id

/** The monitor of one family: chooses project and machine, waits, says what is missing; what is seen is the page's own. */
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

/** Title row of a monitor: a sentence on what is watched, and the sound of alarms. */
export function MonitorFrame({
  said,
  className,
  actions,
  foot,
  children,
}: {
  said: ReactNode
  className: string
  /** What can be done with the machine in front. */
  actions?: ReactNode
  /** Below the panels, over their whole width. */
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
  /** The server's clock, epoch milliseconds. */
  now: number
  intervalSeconds: number
  limits: readonly Limit[]
}

export interface Readings {
  /** The newest of each machine, by its id. */
  readings: ReadonlyMap<string, Reading>
  reading: Reading | undefined
  limits: readonly Limit[]
  now: number
  intervalMs: number
  stale: boolean
  /** Of a replay: what the machine in front said up to now, oldest first. */
  history?: readonly Reading[]
}

/** How often the calls of a monitor are asked again, while its page is in front: more often while the live channel is away. */
export function useEveryMs(calmMs?: number): { everyMs?: number } {
  const { active } = usePage()
  const state = useLiveState()
  const everyMs = state === 'online' ? calmMs : 10_000
  return active && everyMs !== undefined ? { everyMs } : {}
}

/** What the machines of a desk, and `others` beside them, said last; ages by the server's clock, as the viewer's may be minutes off. */
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
  /** Said when all is well. */
  fine: string
  /** Further lines for one whose data are in doubt. */
  more?: readonly string[]
  /** Beside the state: a value over its limit is no good news though no alarm has opened yet. */
  tone?: Told['tone'] | undefined
}

/** One row of the rail for each machine, the most urgent first. */
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
      const state = told({
        online: row.online,
        reading,
        lastTime: row.lastTime,
        intervalMs,
        now,
        alarm: desk.live.openAlarm(row.id),
        activated: row.status === deviceStatus.inUse,
        fine,
      })
      return { id: row.id, name: row.name, label, note, at, more, told: state.tone === 'fine' && tone ? { ...state, tone } : state }
    })
    .sort(byUrgency)
}

interface RailCount {
  label: string
  value: number
  /** None is good news: more is said in colour. */
  watched?: boolean
}

/** How many there are of a kind, above the list. */
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

/** Machines at work, waiting and away, and those with an alarm that goes on; what is old is no work. */
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

/** The machines at the left, and below them what else belongs there. */
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

/** The plan in the middle, with a word where the live channel is away. */
export function ScenePanel({ legend, children }: { legend: ReactNode; children: ReactNode }) {
  return (
    <Panel title="平面" grows actions={<span className="mon-legend">{legend}</span>}>
      {children}
    </Panel>
  )
}

/** The instruments of the machine in front: its gravest alarm and the time of its reading stand in the head. */
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

/** What every gauge of a reading has in common: its age, and the device's own doubt about a value. */
export const gaugeBasics =
  ({ reading, now, stale }: Readings) =>
  (key: string): Pick<GaugeProps, 'at' | 'now' | 'stale' | 'doubt'> => {
    const said = reading?.quality?.[key]
    return { at: reading?.at, now, stale, doubt: said === undefined ? undefined : (qualityNames[said] ?? said) }
  }
