import { dayMs } from '@zhugong/contract/kit/time'
import type { KeyboardEvent } from 'react'
import { colors } from '#kit/colors.ts'
import { timeOfDay } from '#kit/format.ts'

export interface Clip {
  id: string
  channel: string
  startTime: number
  endTime: number
  alarm: string | null
}
const [width, rowPx, headPx, left] = [1000, 26, 20, 60]
const marks = [0, 4, 8, 12, 16, 20, 24]

/** A day's recordings, one row per channel; those with an alarm are marked by colour and sign. */
export function DayBar({
  clips,
  dayStart,
  selected,
  at,
  onSelect,
}: {
  clips: readonly Clip[]
  dayStart: number
  selected: string | undefined
  /** The moment the page was opened for. */
  at: number | undefined
  onSelect: (id: string) => void
}) {
  const channels = [...new Set(clips.map((one) => one.channel))].sort()
  const x = (time: number) => left + Math.min(1, Math.max(0, (time - dayStart) / dayMs)) * (width - left - 30)
  const height = headPx + Math.max(1, channels.length) * rowPx + 6
  const key = (id: string) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onSelect(id)
  }
  return (
    <svg className="truck-day" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`一天的录像，${clips.length} 段`}>
      {marks.map((hour) => (
        <g key={hour}>
          <line x1={x(dayStart + hour * 3_600_000)} x2={x(dayStart + hour * 3_600_000)} y1={headPx} y2={height} stroke={colors.hairline} />
          <text x={x(dayStart + hour * 3_600_000)} y={14} fontSize={12} fill={colors.text2} textAnchor="middle">
            {hour} 时
          </text>
        </g>
      ))}
      {channels.map((channel, i) => (
        <text key={channel} x={4} y={headPx + i * rowPx + 17} fontSize={12} fill={colors.text2}>
          {channel} 通道
        </text>
      ))}
      {clips.map((one) => {
        const y = headPx + channels.indexOf(one.channel) * rowPx + 4
        const chosen = one.id === selected
        return (
          <g
            key={one.id}
            role="button"
            tabIndex={0}
            className="truck-clip"
            aria-pressed={chosen}
            aria-label={`${one.channel} 通道 ${timeOfDay(one.startTime)} 至 ${timeOfDay(one.endTime)}${one.alarm ? `，${one.alarm}` : ''}`}
            onClick={() => onSelect(one.id)}
            onKeyDown={key(one.id)}
          >
            <rect
              x={x(one.startTime)}
              y={y}
              width={Math.max(3, x(one.endTime) - x(one.startTime) - 1)}
              height={16}
              fill={one.alarm ? colors.danger : chosen ? colors.primaryDeep : colors.primarySoft}
              stroke={chosen ? colors.text : 'none'}
              strokeWidth={2}
            />
            {one.alarm && <path d={`M${x(one.startTime) + 2} ${y - 3} l5 -6 l5 6 z`} fill={colors.danger} />}
          </g>
        )
      })}
      {at !== undefined && (
        <line x1={x(at)} x2={x(at)} y1={headPx - 4} y2={height} stroke={colors.orange} strokeWidth={2} strokeDasharray="4 3" />
      )}
    </svg>
  )
}
