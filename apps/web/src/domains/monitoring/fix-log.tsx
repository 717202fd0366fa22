import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { getPassage } from '@zhugong/contract/monitoring/gateway/passages'
import { Card, Empty } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import './family.css'

type Step = OutputFor<typeof getPassage>['log'][number]

/** Corrections of a record, newest first: author, old and new value, reason. */
export function FixLog({ steps, none, hint }: { steps: readonly Step[]; none: string; hint: string }) {
  return (
    <Card title="更正记录" remark={`${steps.length} 次，设备识别的值一直保留`}>
      {steps.length === 0 ? (
        <Empty small text={none} hint={hint} />
      ) : (
        <table className="fam-table fam-kept">
          <thead>
            <tr>
              <th>时间</th>
              <th>更正人</th>
              <th>内容</th>
              <th>原因</th>
            </tr>
          </thead>
          <tbody>
            {steps.map((one) => (
              <tr key={one.id}>
                <td>{time(one.time)}</td>
                <td>{one.byName}</td>
                <td>{one.changes.map(({ label, from, to }) => `${label} ${from} → ${to}`).join('；')}</td>
                <td>{one.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
