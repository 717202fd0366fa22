import { daysUntil } from '#kit/format.ts'

/** Whether the last day of something is behind us. */
export const isOver = (day: string | null, now = Date.now()): boolean => (daysUntil(day, now) ?? 0) < 0

/** Until when something holds, marked once it is over. */
export const LastDay = ({ day }: { day: string | null }) =>
  day === null ? <>长期</> : <span className={isOver(day) ? 'tone-danger' : undefined}>{day}</span>
