import { figureNames } from '@zhugong/contract/screens/catalogue'
import { age, timeOfDay } from '#kit/format.ts'
import { Stacks } from '../curves.tsx'
import { gravestFirst, kpiOf, waiting } from '../figures.ts'
import { seconds, useFeed } from '../hub.ts'

import { Bar, Level, Panel, Rolling, rollsFrom } from '../panel.tsx'
import { inArea, type PanelProps, said, sum, useWall } from '../wall-state.ts'

export const alarmsEvery = seconds(15)
const mainEvery = seconds(60)

export function KpiStrip({ params, title }: PanelProps) {
  const { area, now } = useWall()
  const main = useFeed('main', mainEvery)
  const alarms = useFeed('alarms', alarmsEvery)
  const presence = useFeed('presence', seconds(30))
  const keys = params.figures ?? ['building', 'inPlace', 'attended', 'online', 'openAlarms', 'grave']
  return (
    <Panel title={title} feeds={[main]} everyMs={mainEvery} bare narrows>
      <div className="wall-kpis">
        {keys.map((key) => {
          const { value, unit, note, tone } = kpiOf(key, main.data, alarms.data, presence.data, area, now)
          return (
            <div key={key} className={`wall-kpi wall-edge-${tone}`}>
              <span>{figureNames[key]}</span>
              <b className={`wall-${tone}`}>
                {said(value, unit)}
                {value !== null && value !== undefined && <small>{unit}</small>}
              </b>
              <em>{note}</em>
            </div>
          )
        })}
      </div>
    </Panel>
  )
}

/** Project codes of the selected district; undefined for all. */
export function useAreaCodes(): ReadonlySet<string> | undefined {
  const { area, setting } = useWall()
  const main = useFeed('main', mainEvery)
  if (setting?.incident) return new Set([setting.incident])
  return area ? new Set(inArea(main.data?.projects ?? [], area).map((one) => one.projectCode)) : undefined
}

export function AlarmTicker({ title, params, h }: PanelProps) {
  const { now, open, level } = useWall()
  const codes = useAreaCodes()
  const levels = params.levels ?? [1, 2, 3, 4]
  const every = levels.length === 4
  const feed = useFeed('alarms', alarmsEvery, every ? {} : { query: { level: levels.join(',') } })
  const rows = gravestFirst(feed.data?.list ?? [], codes)
  const fits = h > 1 ? 7 : 3
  const whole = every ? '' : `${levels.join('、')} 级`
  return (
    <Panel title={title} feeds={[feed]} everyMs={alarmsEvery} bare narrows>
      <div className="wall-ticker">
        <Corner count={codes ? rows.length : (feed.data?.alarms ?? rows.length)} unit={codes ? '起' : '条'} title={`${whole}待处理`} />
        <div className="wall-ticker-rows">
          {rows.length === 0 && <p className="wall-empty">当前没有未处置的{whole}告警</p>}
          {rows.slice(0, fits).map((one) => (
            <button
              key={one.id}
              type="button"
              className={`wall-alarm-row${now - one.startTime < 60_000 ? ' wall-fresh' : ''}`}
              onClick={() => open?.(`/alarm/record?id=${one.id}`)}
            >
              <Level level={one.level} />
              <time>{timeOfDay(one.startTime)}</time>
              {level !== 3 && <span className="wall-alarm-site">{one.projectName}</span>}
              <span className={`wall-alarm-what wall-level-ink-${one.level}`}>
                {one.deviceName} {one.alarmLabel}
                {one.peakValue !== null && ` ${Math.round(one.peakValue * 10) / 10}${one.unit && ` ${one.unit}`}`}
              </span>
              <em>
                {one.state === waiting ? '待接单' : '已接单'} · {age(one.startTime, now)}
              </em>
            </button>
          ))}
        </div>
      </div>
    </Panel>
  )
}
const Corner = ({ count, unit, title }: { count: number; unit: string; title: string }) => (
  <div className="wall-ticker-head">
    <span>{title}</span>
    <b>
      {count} <small>{unit}</small>
    </b>
  </div>
)

export function AlarmTrend({ title, params, w, h }: PanelProps) {
  const every = seconds(300)
  const days = params.days ?? 14
  const feed = useFeed('report', every, { query: { days } })
  const list = feed.data?.alarms ?? []
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={list.length === 0 && `近 ${days} 天没有告警`}
      remark={[1, 2, 3, 4].map((level) => (
        <span key={level} className="wall-key">
          <i className={`wall-level-ground-${level}`} />
          {level} 级
        </span>
      ))}
    >
      <Stacks
        label={`近 ${days} 天告警 ${sum(list, (one) => one.level1 + one.level2 + one.level3 + one.level4)} 条`}
        width={w * 238 - 48}
        height={h * 164 - 84}
        days={list.map((one) => ({ day: one.day, parts: [one.level1, one.level2, one.level3, one.level4] }))}
      />
    </Panel>
  )
}

/** Open alarms per device, so that large sites do not rank worse for their size. */
export function AlarmRank({ title, params, h }: PanelProps) {
  const { area } = useWall()
  const fits = rollsFrom(h)
  const feed = useFeed('main', mainEvery)
  const rows = inArea(feed.data?.projects ?? [], area)
    .filter((one) => one.devices > 0)
    .map((one) => ({ ...one, each: Math.round((one.openAlarms / one.devices) * 1000) / 10 }))
    .sort((a, b) => b.each - a.each)
    .slice(0, params.topN ?? fits)
  const most = Math.max(1, ...rows.map((one) => one.each))
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={mainEvery}
      empty={rows.every((one) => one.openAlarms === 0) && '没有待处理告警'}
      remark="每百台设备待处理"
      narrows
    >
      <Rolling rows={rows.length} fits={fits}>
        {rows.map((one, i) => (
          <div key={one.projectCode} className="wall-row wall-row-rank">
            <i>{i + 1}</i>
            <span>{one.name}</span>
            <Bar share={(one.each / most) * 100} tone={one.graveAlarms ? 'alarm' : 'warning'} />
            <b>{one.each.toFixed(1)}</b>
          </div>
        ))}
      </Rolling>
    </Panel>
  )
}

export function AiEvents({ title, params, h }: PanelProps) {
  const every = seconds(60)
  const feed = useFeed('sightings', every, { query: { family: 'videoAi', size: 20 } })
  const { now } = useWall()
  const rows = feed.data?.list.slice(0, params.topN ?? 12) ?? []
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={rows.length === 0 && '没有识别事件'}
      remark={`共 ${feed.data?.total ?? '--'} 条`}
    >
      <Rolling rows={rows.length} fits={h * 4 - 1}>
        {rows.map((one) => (
          <div key={one.id} className="wall-row wall-row-event">
            <Level level={one.level} />
            <span>
              {one.alarmLabel} <small>{one.deviceName}</small>
            </span>
            <em>{one.state === waiting ? '未处置' : '已处置'}</em>
            <time>{age(one.startTime, now)}</time>
          </div>
        ))}
      </Rolling>
    </Panel>
  )
}
