import type { RectifyRound } from '@zhugong/contract/rectify/calls'
import { jlResults, type ReplyRow, type ReplyState, replyStates } from '@zhugong/contract/rectify/reply-model'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { Photos } from './rectify-problems.tsx'

const tones: Record<ReplyState, Tone> = { recheck: 'warning', review: 'running', passed: 'fine', returned: 'danger' }
export const ReplyStateTag = ({ state }: { state: ReplyState }) => <Tag tone={tones[state]}>{replyStates[state]}</Tag>

/** What 监理 said, and who. */
export function JlVerdict({ row }: { row: Pick<ReplyRow, 'jlResult' | 'jlBy'> }) {
  if (row.jlResult === 'none') return <span className="zg-2">{jlResults.none}</span>
  return (
    <span className={row.jlResult === 'returned' ? 'tone-danger' : undefined}>
      {jlResults[row.jlResult]}
      {row.jlBy && row.jlResult !== 'paper' && <span className="zg-2"> {row.jlBy}</span>}
    </span>
  )
}

/** Shown for ever on a reply that the authority wrote down from paper. */
export const ProxyTag = () => (
  <Tag tone="warning" icon={false}>
    代录
  </Tag>
)
export const VisitTag = () => (
  <Tag tone="danger" icon={false}>
    须现场复查
  </Tag>
)

/** Who sent a round and how it was decided. */
export function RoundFacts({ round }: { round: RectifyRound }) {
  return (
    <div className="rectify-round">
      <p>
        <b>第 {round.round} 轮</b> {round.onBehalf && <ProxyTag />} {round.groupName} {round.byName}{' '}
        <span className="zg-num">{round.at}</span>
        {round.opinion && `：${round.opinion}`}
      </p>
      {round.onBehalf && (
        <>
          <p className="zg-2">代录原因：{round.reason}</p>
          <p className="zg-2">纸质整改报告</p>
          <Photos photos={round.scans} name="纸质整改报告" />
          {round.reviewSheet.length > 0 && <p className="zg-2">监理签认单</p>}
          <Photos photos={round.reviewSheet} name="监理签认单" />
        </>
      )}
      <Decision who="监理" passed={round.reviewPassed} by={round.reviewBy} at={round.reviewAt} />
      <Decision
        who="复查"
        passed={round.recheckPassed}
        by={[round.recheckBy, round.second].filter(Boolean).join('、')}
        at={round.recheckAt}
        more={round.onSite ? '已到现场' : undefined}
      />
    </div>
  )
}

interface DecisionProps {
  who: string
  passed: boolean | null
  by: string | null
  at: string | null
  more?: string | undefined
}
function Decision({ who, passed, by, at, more }: DecisionProps) {
  if (passed === null) return null
  return (
    <p>
      <Tag tone={passed ? 'fine' : 'danger'}>
        {who}
        {passed ? '通过' : '退回'}
      </Tag>{' '}
      {by} <span className="zg-2 zg-num">{at}</span> {more}
    </p>
  )
}
