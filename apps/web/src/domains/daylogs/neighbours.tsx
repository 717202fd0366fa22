import type { LogDetail } from '@zhugong/contract/daylogs/shapes'
import { Link } from 'react-router'
import { Card } from '#kit/feedback.tsx'
import { markName } from './log-words.tsx'

/** The days around a log with their state. */
export function Neighbours({ file, hrefFor }: { file: LogDetail; hrefFor: (id: string) => string }) {
  if (file.neighbours.length === 0) return null
  return (
    <Card title="前后几天">
      <ul className="log-neighbours">
        {file.neighbours.map((one) => (
          <li key={one.day} aria-current={one.day === file.day ? 'date' : undefined}>
            {one.id && one.id !== file.id ? <Link to={hrefFor(one.id)}>{one.day}</Link> : <span>{one.day}</span>}
            <span className={`log-mark mark-${one.mark === '-' ? 'none' : one.mark}`}>{markName(one.mark)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
