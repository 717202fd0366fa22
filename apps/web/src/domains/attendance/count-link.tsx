import { thousands } from '#kit/format.ts'

/** A figure that leads to its people; nothing leads nowhere. */
export function Count({ n, onClick }: { n: number; onClick: () => void }) {
  return n === 0 ? (
    <span className="zg-2">0</span>
  ) : (
    <button type="button" className="zg-bare zg-link" onClick={onClick}>
      {thousands(n)}
    </button>
  )
}
