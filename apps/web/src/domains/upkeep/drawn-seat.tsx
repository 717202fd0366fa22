import type { SignatureRow } from '@zhugong/contract/kit/signatures'
import { Card } from '#kit/feedback.tsx'

/** The drawing with which somebody accepted a job; nothing is left to sign. */
export function DrawnSeat({ rows }: { rows: readonly SignatureRow[] }) {
  return (
    <Card title="验收签字">
      {rows.map((one) => (
        <p key={one.seat + one.at} className="zg-row zg-middle zg-gap-8">
          {one.image ? (
            <img className="upkeep-signature" src={one.image} alt={`${one.name ?? ''}签名`} />
          ) : (
            <span className="zg-2">未签字</span>
          )}
          <span>
            {one.role} {one.name} <span className="zg-2">{one.at?.slice(0, 16)}</span>
            {one.state === 'void' && <span className="tone-danger"> 内容已变更，签名失效</span>}
          </span>
        </p>
      ))}
    </Card>
  )
}
