import { intoEpisodes } from '@zhugong/contract/alarms/episodes'
import { dark } from '#kit/colors.ts'
import { shortTime, time } from '#kit/format.ts'
import type { FamilyLive } from './family-live.ts'

export interface SiteEvent {
  at: number
  text: string
  color: string
  alarmId?: string
}

/** Events: alarms raised and cleared, machines going online and offline. */
export function eventsOf(live: FamilyLive, nameOf: (name: string) => string = (name) => name): SiteEvent[] {
  const names = new Map(live.devices.map((one) => [one.id, nameOf(one.name)]))
  return [
    // Alarms of one episode give one event at its start and one at its end, when the last alarm has cleared.
    ...intoEpisodes(live.alarms).flatMap(({ lead: one, beside }): SiteEvent[] => {
      const who = nameOf(one.deviceName)
      const peak = one.peakValue === null ? '' : ` ${Number(one.peakValue.toFixed(1))}${one.unit ? ` ${one.unit}` : ''}`
      const color = one.level === 1 ? dark.limit : dark.limitWarning
      const others = beside.length ? `等 ${beside.length + 1} 条` : ''
      const opened = { at: one.fireTime, text: `${who} ${one.alarmLabel}${peak}${others && ` ${others}`}`, color, alarmId: one.id }
      const ended = [one, ...beside].map((alarm) => alarm.clearTime)
      if (ended.includes(null)) return [opened]
      return [opened, { at: Math.max(...ended.map(Number)), text: `${who} ${one.alarmLabel} 已恢复`, color: dark.fine, alarmId: one.id }]
    }),
    ...live.events.flatMap((one): SiteEvent[] => {
      const who = names.get(one.deviceId)
      return who ? [{ at: one.at, text: `${who} ${one.online ? '上线' : '离线'}`, color: one.online ? dark.fine : dark.gone }] : []
    }),
  ]
}

const eventsShown = 12

/** Newest events first; an alarm's event opens the alarm. */
export function EventList({ events, onAlarm }: { events: readonly SiteEvent[]; onAlarm: (alarmId: string) => void }) {
  const shown = [...events].sort((a, b) => b.at - a.at).slice(0, eventsShown)
  return (
    <>
      <div className="mon-sub">最近事件</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keys */}
      <ul className="mon-events" tabIndex={0}>
        {shown.length === 0 && <li className="none">近期没有事件</li>}
        {shown.map(({ at, text, color, alarmId }) => (
          <li key={`${at}${text}`}>
            {alarmId ? (
              <button type="button" className="zg-bare" title={`${time(at)} ${text}`} onClick={() => onAlarm(alarmId)}>
                <time>{shortTime(at)}</time>
                <span style={{ color }}>{text}</span>
              </button>
            ) : (
              <>
                <time title={time(at)}>{shortTime(at)}</time>
                <span style={{ color }}>{text}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
