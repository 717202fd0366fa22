import type { StepDetail } from '@zhugong/contract/steps/calls'
import { Link } from 'react-router'
import { Tag } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { paths } from './step-words.tsx'

/** The steps of a place in their order; a later one that began too early stands in red. */
export function StepChain({ chain }: { chain: StepDetail['chain'] }) {
  return (
    <ol className="step-chain">
      {chain.map((one) => (
        <li
          key={one.work + one.kind}
          data-state={one.failed ? 'failed' : one.accepted ? 'accepted' : one.checkTime ? 'waiting' : 'none'}
          aria-current={one.current || undefined}
        >
          {one.id && !one.current ? <Link to={hrefOf(paths.detail, { id: one.id })}>{one.name}</Link> : <b>{one.name}</b>}{' '}
          <span className="zg-2">
            {one.stateName} {one.checkTime?.slice(5, 16)}
          </span>
          {one.early && <Tag tone="danger">提前施工</Tag>}
        </li>
      ))}
    </ol>
  )
}
