import { thousands } from '#kit/format.ts'

/** A number that opens the people it counts; zero is not clickable. */
export function Count({ n, onClick }: { n: number; onClick: () => void }) {
  return n === 0 ? (
    <span className="zg-2">0</span>
  ) : (
    <button type="button" className="zg-bare zg-link" onClick={onClick}>
      {thousands(n)}
    </button>
  )
}
