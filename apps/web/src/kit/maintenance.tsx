import { ToolOutlined } from '@ant-design/icons'
import { epoch } from './format.ts'
import { type Profile, useMe } from './me.ts'

/** Every page announces maintenance this many hours before it begins, so that users can plan their working day. */
export const announcedHours = 24

export type Maintenance = NonNullable<Profile['maintenance']>

/** `11-30 22:00 至 12-01 02:00，升级数据库`; names the end day only if it differs from the first day. */
export function maintenanceWords({ from, until, words }: Maintenance): string {
  const [fromDay, untilDay] = [from.slice(0, 10), until.slice(0, 10)]
  const end = fromDay === untilDay ? until.slice(11, 16) : until.slice(5, 16)
  return `${from.slice(5, 16)} 至 ${end}，${words}`
}

/** Whether maintenance begins soon or is running at `now` (epoch ms). */
export function isNear({ from, until }: Maintenance, now: number): boolean {
  const [begins, ends] = [epoch(from), epoch(until)]
  return begins !== undefined && ends !== undefined && begins - announcedHours * 3_600_000 <= now && now < ends
}

/** Announces planned maintenance; renders nothing if none is planned. */
export function MaintenanceLine({
  nearOnly = false,
  className = 'zg-notice zg-notice-warning',
}: {
  nearOnly?: boolean
  className?: string
}) {
  const reported = useMe((me) => me.settings?.maintenance)
  if (!reported || (nearOnly && !isNear(reported, Date.now()))) return null
  return (
    <p className={className} role="status">
      <ToolOutlined aria-hidden />
      <b className="zg-nowrap">计划维护</b>
      <span title={`${reported.from} 至 ${reported.until}，${reported.words}`}>{maintenanceWords(reported)}</span>
    </p>
  )
}
