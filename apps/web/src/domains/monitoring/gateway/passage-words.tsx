import {
  coverNames,
  covers,
  directionNames,
  directions,
  muckTruck,
  plateColors,
  washes,
  washNames,
} from '@zhugong/contract/monitoring/gateway/passage-codes'
import { Tag } from '#kit/feedback.tsx'
import './gateway.css'

interface Passed {
  direction: string
  vehicleType: string | null
  washState: string | null
  coverState: string | null
}

/** Only outgoing muck trucks must be washed and covered. */
export const mustBeClean = ({ direction, vehicleType }: Pick<Passed, 'direction' | 'vehicleType'>): boolean =>
  direction === directions.outward && vehicleType === muckTruck

/** A passage not recognised is never shown as clean. */
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

/** A plate in its colour; the colour is also in the title for people who cannot see it. */
export const Plate = ({ plateNo, color }: { plateNo: string; color: string | null }) => (
  <span className="plate" data-color={color ?? undefined} title={color === null ? undefined : `${plateColors[color] ?? ''}牌`}>
    {plateNo}
  </span>
)
