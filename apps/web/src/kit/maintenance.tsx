import { ToolOutlined } from '@ant-design/icons'
import { epoch } from './format.ts'
import { type Profile, useMe } from './me.ts'

/** So long before it begins every page tells of it: whoever is at work plans for the end of the day. */
export const announcedHours = 24

export type Maintenance = NonNullable<Profile['maintenance']>

/** `11-30 22:00 至 12-01 02:00，升级数据库`; the day of the end only where it is another. */
export function maintenanceWords({ from, until, words }: Maintenance): string {
  const [fromDay, untilDay] = [from.slice(0, 10), until.slice(0, 10)]
  const end = fromDay === untilDay ? until.slice(11, 16) : until.slice(5, 16)
  return `${from.slice(5, 16)} 至 ${end}，${words}`
}

/** Whether it is near or going on, at `now` (epoch ms). */
export function isNear({ from, until }: Maintenance, now: number): boolean {
  const [begins, ends] = [epoch(from), epoch(until)]
  return begins !== undefined && ends !== undefined && begins - announcedHours * 3_600_000 <= now && now < ends
}

/** When the platform will be down; nothing where nothing is planned. */
export function MaintenanceLine({
  nearOnly = false,
  className = 'zg-notice zg-notice-warning',
}: {
  nearOnly?: boolean
  className?: string
}) {
  const told = useMe((me) => me.settings?.maintenance)
  if (!told || (nearOnly && !isNear(told, Date.now()))) return null
  return (
    <p className={className} role="status">
      <ToolOutlined aria-hidden />
      <b className="zg-nowrap">计划维护</b>
      <span title={`${told.from} 至 ${told.until}，${told.words}`}>{maintenanceWords(told)}</span>
    </p>
  )
}
