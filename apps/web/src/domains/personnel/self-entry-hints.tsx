import type { SelfEntryRow } from '@zhugong/contract/personnel/self-entry'

/** Hints for the review, or the reason of the return. */
export function Hints({ row }: { row: SelfEntryRow }) {
  if (row.reason) return <span className="zg-2">{row.reason}</span>
  if (row.hints.length === 0) return row.state === 'waiting' ? <span className="tone-fine">未见异常</span> : '--'
  return (
    <>
      {row.hints.map((hint) => (
        <div key={hint.text} className={hint.stops ? 'tone-danger' : 'tone-warning'}>
          {hint.text}
        </div>
      ))}
    </>
  )
}
