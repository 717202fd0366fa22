import type { BatchResult } from '@zhugong/contract/labour/model'
import { Notice } from '#kit/feedback.tsx'

/** People refused in a batch action, with reasons. */
export function FailedList({ result, verb }: { result: BatchResult; verb: string }) {
  return (
    <div className="zg-stack">
      <Notice tone={result.failed.length ? 'warning' : 'fine'}>
        {verb} {result.done} 人{result.failed.length > 0 && `，${result.failed.length} 人未成`}
      </Notice>
      <ul className="lab-failed">
        {result.failed.map((one) => (
          <li key={one.id}>
            <strong>{one.name}</strong>
            <span>{one.message}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
