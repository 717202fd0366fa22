import { colors } from '#kit/colors.ts'
import type { Rung } from './exec-words.ts'
import { minutesWords } from './exec-words.ts'

const stepWidth = 150
const stepHeight = 30

/** Escalation drawn as stairs: each step is later and higher in the organisation. */
export function Stairs({ first, rungs, nobody = [] }: { first: string; rungs: readonly Rung[]; nobody?: readonly string[] }) {
  const steps = [
    { when: '告警时', who: first || '未选择' },
    ...rungs.map((rung) => ({ when: `${minutesWords(rung.afterMinutes)}无人接单`, who: rung.roles.join('、') || '未选择' })),
  ]
  const width = steps.length * stepWidth
  const height = steps.length * stepHeight + 34
  return (
    <svg
      className="rule-stairs"
      viewBox={`0 0 ${width} ${height}`}
      style={{ maxWidth: width }}
      role="img"
      aria-label={steps.map((one) => `${one.when}通知${one.who}`).join('，')}
    >
      {steps.map((one, i) => {
        const y = height - (i + 1) * stepHeight
        const empty = nobody.some((name) => one.who.split('、').includes(name))
        return (
          <g key={one.when}>
            <rect
              x={i * stepWidth}
              y={y}
              width={stepWidth}
              height={(i + 1) * stepHeight}
              fill={empty ? colors.dangerSoft : `rgba(21,88,214,${0.06 + i * 0.05})`}
            />
            <path d={`M${i * stepWidth} ${y}h${stepWidth}`} stroke={empty ? colors.danger : colors.primary} strokeWidth="2" />
            {i > 0 && <path d={`M${i * stepWidth} ${y}v${stepHeight}`} stroke={colors.primary} strokeWidth="2" />}
            <text x={i * stepWidth + 8} y={y - 7} fontSize="13" fontWeight="600" fill={empty ? colors.danger : colors.text}>
              {one.who.length > 10 ? `${one.who.slice(0, 9)}…` : one.who}
              <title>{one.who}</title>
            </text>
            <text x={i * stepWidth + 8} y={y + 19} fontSize="12" fill={colors.text2}>
              {one.when}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
