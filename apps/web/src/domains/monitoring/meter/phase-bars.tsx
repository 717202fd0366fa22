import { dark } from '#kit/colors.ts'

const names = ['A', 'B', 'C'] as const

/** Three phases on one scale; a faulty one is marked by text and colour. */
export function PhaseBars({
  title,
  remark,
  values,
  low,
  high,
  decimals,
  isWrong,
  stale,
}: {
  title: string
  remark: string
  values: readonly (number | undefined)[]
  low: number
  high: number
  decimals: number
  isWrong: (value: number) => boolean
  stale: boolean
}) {
  const share = (n: number) => Math.min(1, Math.max(0, (n - low) / (high - low || 1))) * 100
  return (
    <div className="meter-phases">
      <div className="head">
        <span>{title}</span>
        <small>{remark}</small>
      </div>
      {names.map((name, i) => {
        const value = values[i]
        const wrong = value !== undefined && isWrong(value)
        const color = stale ? dark.stale : wrong ? dark.alarm : dark.accent
        return (
          <div key={name} className="phase">
            <span>{name}</span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width={100} height={6} rx={1} fill={dark.hairline} />
              {value !== undefined && <rect width={share(value)} height={6} rx={1} fill={color} />}
            </svg>
            <b className={wrong && !stale ? 'yard-grave' : ''}>
              {value === undefined ? '--' : value.toFixed(decimals)}
              {wrong && !stale && ' 越限'}
            </b>
          </div>
        )
      })}
    </div>
  )
}
