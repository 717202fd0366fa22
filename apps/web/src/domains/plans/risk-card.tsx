import type { planRisk } from '@zhugong/contract/plans/calls'
import { Card, RiskBadge } from '#kit/feedback.tsx'

type Risk = NonNullable<(typeof planRisk)['types']>['out']

/** The facts that drive the plan, each with the level it asks for. */
export function RiskCard({ risk }: { risk: Pick<Risk, 'level' | 'lines' | 'phaseName'> }) {
  return (
    <Card title="项目风险" actions={<RiskBadge level={risk.level} />}>
      <ul className="plan-risk">
        {risk.lines.map(({ label, value, level }) => (
          <li key={label}>
            <span>
              <small>{label}</small>
              {value}
            </span>
            <RiskBadge level={level} word={false} />
          </li>
        ))}
      </ul>
      <p className="zg-2">取各项中最高的等级；每日夜间和检查提交后重新计算。</p>
    </Card>
  )
}
