import { canvas, type PanelKey, panelOf } from '@zhugong/contract/screens/catalogue'
import { composed, type ScreenBody, type ScreenPanel, type ScreenSetting } from '@zhugong/contract/screens/model'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { age, day, timeOfDay, weekday } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { toggleFull } from './full-screen.ts'
import { type Hub, HubContext, seconds, useFeed, useWaking } from './hub.ts'
import { ClosedPanel, Level } from './panel.tsx'
import { panelParts } from './panel-list.ts'
import { alarmsEvery } from './panels/alarms.tsx'
import { closeSound, openSound, ring } from './sound.ts'
import { useFit } from './use-fit.ts'
import { place } from './wall-place.ts'
import { useWall, WallContext, type WallState } from './wall-state.ts'
import './wall.css'
import './yard.css'

export interface WallProps {
  hub: Hub
  level: number
  body: ScreenBody
  setting: ScreenSetting | undefined
  title: string
  logo: string | null
  closed: readonly string[]
  /** `wall`: not interactive; `preview`: a thumbnail. */
  mode: 'wall' | 'desk' | 'preview'
  area?: string | undefined
  onArea?: (area: string | undefined) => void
  onLeave?: () => void
  /** Message about the screen itself, for example an expired session. */
  notice?: string | undefined
}

/** Below this width in pixels panels are stacked; from it on the canvas is scaled. */
const stackBelow = 1200

const isNight = (now: number, { from, to, dim }: ScreenBody['night']): boolean => {
  if (!dim) return false
  const at = timeOfDay(now).slice(0, 5)
  return from <= to ? at >= from && at < to : at >= from || at < to
}

export function Wall(props: WallProps) {
  const { hub, level, setting, mode, closed, title } = props
  useWaking(hub)
  const now = useNow()
  const [ref, fit] = useFit()
  const [ownArea, setOwnArea] = useState<string>()
  const area = props.onArea ? props.area : ownArea
  const setArea = props.onArea ?? setOwnArea
  const body = useMemo(() => composed(level, props.body, setting), [level, props.body, setting])
  const [page, turn] = usePages(body, mode)
  const state: WallState = useMemo(
    () => ({
      level,
      setting,
      area,
      setArea: mode === 'desk' ? setArea : () => undefined,
      now,
      still: mode === 'preview',
      closed,
      open: mode === 'desk' ? (path: string) => void window.open(path, '_blank', 'noopener') : undefined,
    }),
    [level, setting, area, setArea, now, mode, closed],
  )
  const shown = body.pages[page] ?? body.pages[0]
  const stacked = mode === 'desk' && fit.width > 0 && fit.width < stackBelow
  const at = stacked ? undefined : scaled(fit)
  const night = isNight(now, body.night) && mode !== 'preview'
  return (
    <HubContext value={hub}>
      <WallContext value={state}>
        <div ref={ref} className={`wall wall-${mode}${stacked ? ' wall-stacked' : ''}${night ? ' wall-night' : ''}`}>
          <div className="wall-canvas" style={at}>
            <TitleBar
              {...props}
              title={body.titleBar.name || title}
              bar={body.titleBar}
              page={page}
              pages={body.pages.length}
              turn={turn}
              area={area}
              setArea={setArea}
              body={body}
            />
            <div className="wall-grid">
              {shown?.panels.map((placed) => (
                <div key={`${page}-${placed.uid}`} className="wall-cell" style={stacked ? tall(placed) : place(placed)}>
                  <Placed placed={placed} closed={closed} />
                </div>
              ))}
            </div>
            <Incident />
            <Banner mode={mode} />
            {props.notice && <p className="wall-notice">{props.notice}</p>}
          </div>
        </div>
      </WallContext>
    </HubContext>
  )
}
const scaled = ({ scale, width, height }: { scale: number; width: number; height: number }) => ({
  transform: `translate(${(width - canvas.width * scale) / 2}px, ${(height - canvas.height * scale) / 2}px) scale(${scale})`,
})
const tall = ({ h, w }: ScreenPanel) => ({ height: Math.max(h * 164 - 16, w > 2 && h === 1 ? 150 : 0) })

function Placed({ placed, closed }: { placed: ScreenPanel; closed: readonly string[] }) {
  const title = placed.title || panelOf(placed.panelKey)?.title || placed.panelKey
  const Part = panelParts[placed.panelKey as PanelKey]
  if (!Part || closed.includes(placed.panelKey)) return <ClosedPanel title={title} />
  return <Part title={title} params={placed.params} w={placed.w} h={placed.h} />
}

/** Current page: turns after its time, by arrow keys; the space bar pauses. */
function usePages(body: ScreenBody, mode: WallProps['mode']): [page: number, turn: (by: number) => void] {
  const [page, setPage] = useState(0)
  const [isPaused, setIsPaused] = useState(false)
  const count = body.pages.length
  const stay = body.pages[page]?.seconds ?? 30
  // biome-ignore lint/correctness/useExhaustiveDependencies: `page` restarts the timer when the page changes.
  useEffect(() => {
    if (count < 2 || isPaused) return
    const timer = setTimeout(() => setPage((n) => (n + 1) % count), seconds(stay))
    return () => clearTimeout(timer)
  }, [count, isPaused, stay, page])
  useEffect(() => {
    if (mode === 'preview') return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'ArrowRight') setPage((n) => (n + 1) % count)
      else if (event.key === 'ArrowLeft') setPage((n) => (n + count - 1) % count)
      else if (event.key === ' ') setIsPaused((on) => !on)
      else if (event.key.toLowerCase() === 'f') void toggleFull()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [mode, count])
  return [page < count ? page : 0, (by) => setPage((n) => (n + count + by) % count)]
}
interface BarProps extends WallProps {
  bar: ScreenBody['titleBar']
  page: number
  pages: number
  turn: (by: number) => void
  area: string | undefined
  setArea: (area: string | undefined) => void
}
function TitleBar({ title, logo, bar, mode, body, page, pages, turn, area, setArea, onLeave, level }: BarProps) {
  const { now, setting } = useWall()
  const main = useFeed('main', seconds(60))
  const [sound, setSound] = useSound(body, mode)
  const districts = main.data?.districts ?? []
  const weather = main.data?.site?.weather
  useRotation(setting?.rotate ?? null, districts, area, setArea)
  return (
    <header className="wall-title">
      <svg className="wall-title-line" viewBox="0 0 1920 80" aria-hidden="true">
        <path d="M0 60H560L600 78H1320L1360 60H1920" />
        <path className="wall-title-bright" d="M560 60L600 78H1320L1360 60" />
      </svg>
      <div className="wall-title-left">
        {bar.clock && <time>{timeOfDay(now)}</time>}
        <span>
          {day(now)} 星期{weekday(now)}
        </span>
        {bar.weather && weather && (
          <span>
            {weather.temperature === null ? '--' : `${Math.round(weather.temperature)} ℃`}　风 {weather.wind ?? '--'} m/s　PM10{' '}
            {weather.pm10 ?? '--'}
            {weather.at ? `　${age(weather.at, now)}` : '　环境站无实时数据'}
          </span>
        )}
        {bar.weather && !weather && districts.length > 0 && <span>辖区 {districts.length} 个区县</span>}
      </div>
      <h1>
        {bar.logo && logo && <img src={logo} alt="" />}
        {title}
      </h1>
      {mode !== 'preview' && (
        <div className="wall-title-right">
          {area && (
            <button type="button" onClick={() => setArea(undefined)}>
              {districts.find((one) => one.areaCode === area)?.name ?? area} ×　返回全市
            </button>
          )}
          {pages > 1 && (
            <button type="button" onClick={() => turn(1)}>
              第 {page + 1} / {pages} 页
            </button>
          )}
          <button type="button" className={sound ? 'wall-on' : ''} onClick={() => setSound(!sound)}>
            {sound ? '声音 开' : '开启声音'}
          </button>
          {mode === 'desk' && (
            <>
              <button type="button" onClick={() => void toggleFull()}>
                全屏
              </button>
              <button type="button" onClick={onLeave}>
                退出
              </button>
            </>
          )}
        </div>
      )}
      {mode === 'preview' && <div className="wall-title-right">{level === 3 ? '项目' : level === 2 ? '企业' : '监管'}大屏预览</div>}
    </header>
  )
}

/** Rotates the selected district: all, then one after another. */
function useRotation(
  every: number | null,
  districts: readonly { areaCode: string }[],
  area: string | undefined,
  setArea: (area: string | undefined) => void,
) {
  const codes = districts.map((one) => one.areaCode).join(',')
  useEffect(() => {
    if (!every || !codes) return
    const all = [undefined, ...codes.split(',')]
    const timer = setTimeout(() => setArea(all[(all.indexOf(area) + 1) % all.length]), seconds(every))
    return () => clearTimeout(timer)
  }, [every, codes, area, setArea])
}

const ringEveryMs = 8000
const waiting = 'open'
/** Rings repeatedly while a level 1 alarm is not acknowledged (anywhere), once for a new level 2 alarm. */
function useSound(body: ScreenBody, mode: WallProps['mode']): [on: boolean, set: (on: boolean) => void] {
  const [on, setOn] = useState(false)
  const feed = useFeed('alarms', alarmsEvery)
  const list = feed.data?.list ?? []
  const { level1, level2 } = body.sound
  const loud = level1 && list.some((one) => one.level === 1 && one.state === waiting)
  const newest = list.find((one) => one.level === 2 && one.state === waiting)?.id
  useEffect(() => {
    if (!on || !loud) return
    ring(1)
    const timer = setInterval(() => ring(1), ringEveryMs)
    return () => clearInterval(timer)
  }, [on, loud])
  useEffect(() => {
    if (on && level2 && newest) ring(2)
  }, [on, level2, newest])
  const set = (wanted: boolean) => setOn(wanted && openSound())
  const latest = useRef(set)
  latest.current = () => set(!on)
  useEffect(() => {
    if (mode === 'preview') return
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'm') latest.current(true)
    }
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('keydown', onKey)
      closeSound()
    }
  }, [mode])
  return [on, set]
}

const bannerMs = 10_000
/** Banner of a new level 1 alarm, shown for ten seconds. */
function Banner({ mode }: { mode: WallProps['mode'] }) {
  const { now } = useWall()
  const feed = useFeed('alarms', alarmsEvery)
  const known = useRef<Set<string>>(undefined)
  const [shown, setShown] = useState<{ id: string; until: number }>()
  const list = feed.data?.list
  useEffect(() => {
    if (!list) return
    const grave = list.filter((one) => one.level === 1)
    const fresh = known.current && grave.find((one) => !known.current?.has(one.id))
    known.current = new Set([...(known.current ?? []), ...grave.map((one) => one.id)].slice(-500))
    if (fresh) setShown({ id: fresh.id, until: Date.now() + bannerMs })
  }, [list])
  const alarm = shown && now < shown.until && mode !== 'preview' ? list?.find((one) => one.id === shown.id) : undefined
  if (!alarm) return null
  return (
    <div className="wall-banner" role="alert">
      <Level level={1} />
      <b>{alarm.projectName}</b>
      <span>
        {alarm.deviceName} {alarm.alarmLabel}
      </span>
      <em>
        {alarm.peakValue === null ? '--' : Math.round(alarm.peakValue * 10) / 10} {alarm.unit}　{alarm.thresholdText}
      </em>
    </div>
  )
}

/** Overlay of one project during an incident, until ended in the settings. */
function Incident() {
  const { setting, now } = useWall()
  const code = setting?.incident
  const main = useFeed('main', seconds(60))
  const alarms = useFeed('alarms', alarmsEvery)
  const project = code && main.data?.projects.find((one) => one.projectCode === code)
  if (!project) return null
  const own = alarms.data?.list.filter((one) => one.projectCode === code) ?? []
  return (
    <section className="wall-incident" aria-label={`应急：${project.name}`}>
      <header>
        <b>应急</b>
        <h2>{project.name}</h2>
        <span>{project.areaName}</span>
      </header>
      <div className="wall-kpis">
        <Fact label="在场" value={project.onSite} unit="人" />
        <Fact label="今日出勤" value={project.attended} unit="人" />
        <Fact label="待处理告警" value={project.openAlarms} unit="条" />
        <Fact label="设备在线" value={`${project.online} / ${project.devices}`} unit="台" />
      </div>
      <div className="wall-ticker-rows">
        {own.slice(0, 9).map((one) => (
          <div key={one.id} className="wall-alarm-row">
            <Level level={one.level} />
            <time>{timeOfDay(one.startTime)}</time>
            <span className={`wall-alarm-what wall-level-ink-${one.level}`}>
              {one.deviceName} {one.alarmLabel}
            </span>
            <em>{age(one.startTime, now)}</em>
          </div>
        ))}
        {own.length === 0 && <p className="wall-empty">该项目当前没有未处置的告警</p>}
      </div>
    </section>
  )
}
const Fact = ({ label, value, unit }: { label: string; value: ReactNode; unit: string }) => (
  <div className="wall-kpi">
    <span>{label}</span>
    <b>
      {value}
      <small>{unit}</small>
    </b>
  </div>
)
