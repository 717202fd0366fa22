import { daysUntil } from '#kit/format.ts'

/** Whether a last day of validity has passed. */
export const isOver = (day: string | null, now = Date.now()): boolean => (daysUntil(day, now) ?? 0) < 0

/** The last day of validity, marked once it has passed. */
export const LastDay = ({ day }: { day: string | null }) =>
  day === null ? <>长期</> : <span className={isOver(day) ? 'tone-danger' : undefined}>{day}</span>
