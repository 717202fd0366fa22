import {
  coverNames,
  covers,
  directionNames,
  directions,
  muckTruck,
  plateColors,
  washes,
  washNames,
} from '@zhugong/contract/monitoring/passage-codes'
import { Tag } from '#kit/feedback.tsx'
import './gateway.css'

interface Passed {
  direction: string
  vehicleType: string | null
  washState: string | null
  coverState: string | null
}

/** Only muck trucks on their way out are to be washed and covered. */
export const mustBeClean = ({ direction, vehicleType }: Pick<Passed, 'direction' | 'vehicleType'>): boolean =>
  direction === directions.outward && vehicleType === muckTruck

/** What was not recognised is never told as clean. */
export function WashTag({ passed }: { passed: Passed }) {
  if (passed.direction === directions.inward) return <span className="zg-2">--</span>
  if (passed.washState === null) return mustBeClean(passed) ? <Tag tone="warning">未识别</Tag> : <span className="zg-2">--</span>
  return (
    <Tag tone={passed.washState === washes.washed ? 'fine' : mustBeClean(passed) ? 'danger' : 'neutral'}>{washNames[passed.washState]}</Tag>
  )
}

export function CoverTag({ passed }: { passed: Passed }) {
  if (passed.coverState === null) return mustBeClean(passed) ? <Tag tone="warning">未识别</Tag> : <span className="zg-2">--</span>
  if (passed.direction === directions.inward) return <span className="zg-2">{coverNames[passed.coverState]}</span>
  return (
    <Tag tone={passed.coverState === covers.covered ? 'fine' : mustBeClean(passed) ? 'danger' : 'neutral'}>
      {coverNames[passed.coverState]}
    </Tag>
  )
}

export const DirectionWord = ({ direction }: { direction: string }) => (
  <span>
    <span aria-hidden="true">{direction === directions.inward ? '→ ' : '← '}</span>
    {directionNames[direction] ?? direction}
  </span>
)

/** A plate in its colour; the colour stands in words for who cannot see it. */
export const Plate = ({ plateNo, color }: { plateNo: string; color: string | null }) => (
  <span className="plate" data-color={color ?? undefined} title={color === null ? undefined : `${plateColors[color] ?? ''}牌`}>
    {plateNo}
  </span>
)
