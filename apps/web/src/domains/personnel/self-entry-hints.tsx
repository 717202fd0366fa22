import type { SelfEntryRow } from '@zhugong/contract/personnel/self-entry'

/** What to look at before a registration is decided, or why it came back. */
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
