import { colors } from '#kit/colors.ts'
import { Filled } from '#kit/filled.tsx'
import { daysUntil } from '#kit/format.ts'
import './personnel.css'

const colours = { valid: colors.fine, warning: colors.amber, danger: colors.danger, neutral: colors.text3 } as const

/** Elapsed part of a period: both dates, a mark for today, and the remaining time in words. */
export function LifeBar({
  from,
  to,
  open = '长期',
  tone,
  remark,
}: {
  from: string
  to: string | null
  /** Shown in place of a missing end date. */
  open?: string
  tone: keyof typeof colours
  remark: string
}) {
  const left = daysUntil(to)
  const whole = to ? Math.max(1, (Date.parse(to) - Date.parse(from)) / 86_400_000) : 1
  const over = to === null || left === undefined ? 100 : Math.min(100, Math.max(0, ((whole - left) / whole) * 100))
  return (
    <div className="per-life">
      <div className="dates">
        <span>{from}</span>
        <span>{to ?? open}</span>
      </div>
      <div className="bar" role="img" aria-label={remark}>
        <Filled part={over} whole={100} color={colours[tone]} />
        {to && over < 100 && <b style={{ left: `${over}%` }} />}
      </div>
      <div className="left" style={{ color: colours[tone] === colors.amber ? colors.warning : colours[tone] }}>
        {remark}
      </div>
    </div>
  )
}
