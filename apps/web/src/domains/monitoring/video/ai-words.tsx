import { aiTypes } from '@zhugong/contract/monitoring/video/ai-codes'
import { type AiEvent, aiVerdictNames } from '@zhugong/contract/monitoring/video/ai-events'
import { keptReasons } from '@zhugong/contract/monitoring/video/camera-ai'
import { Link } from 'react-router'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { smallOf } from '#kit/small-picture.ts'

export const typeName = (type: string): string => aiTypes[type as keyof typeof aiTypes] ?? type
export const typeOptions = Object.entries(aiTypes).map(([value, label]) => ({ value, label }))
export const reviewOptions = Object.entries(aiVerdictNames).map(([value, label]) => ({ value, label }))
const tones: Readonly<Record<string, Tone>> = { '0': 'warning', '1': 'running', '2': 'neutral' }

export const ReviewTag = ({ review }: { review: AiEvent['review'] }) => (
  <Tag tone={tones[review] ?? 'neutral'}>{aiVerdictNames[review]}</Tag>
)
export const confidenceWords = (value: number | null): string => (value === null ? '--' : `${(value * 100).toFixed(0)} %`)

/** One event in a line: time, type, confidence, and whether it is reviewed. */
export function AiLine({ event }: { event: AiEvent }) {
  return (
    <Link to={hrefOf('/AI/detail', { id: event.id })} title={time(event.time)}>
      {[time(event.time).slice(5), typeName(event.type), confidenceWords(event.confidence), aiVerdictNames[event.review]].join('，')}
    </Link>
  )
}

/** An event's picture with its boxes as fractions, independent of size. */
/** Accessible name of a link around the picture, including its visible text. */
export const pictureName = ({ type, deviceName, snapshotUrl, count }: AiEvent): string =>
  [typeName(type), deviceName, snapshotUrl ? '' : '没有画面', count > 1 ? `${count} 次` : '', '详情'].filter(Boolean).join(' ')

export function AiPicture({ event, large = false }: { event: AiEvent; large?: boolean }) {
  return (
    <span className="vid-shot" data-weak={event.kept !== null} data-large={large} title={event.kept ? keptReasons[event.kept] : undefined}>
      {event.snapshotUrl ? (
        <img
          src={large ? event.snapshotUrl : smallOf(event.snapshotUrl)}
          alt={`${typeName(event.type)} ${event.deviceName}`}
          loading="lazy"
        />
      ) : (
        <span className="none">没有画面</span>
      )}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {event.boxes.map(([x = 0, y = 0, w = 0, h = 0]) => (
          <rect key={`${x} ${y}`} x={x * 100} y={y * 100} width={w * 100} height={h * 100} />
        ))}
      </svg>
      {event.count > 1 && <b>{event.count} 次</b>}
    </span>
  )
}
