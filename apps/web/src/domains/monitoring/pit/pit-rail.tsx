import { pitStates } from '@zhugong/contract/monitoring/pit/pit-live'
import { Panel } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { RailCounts } from '../family-monitor.tsx'
import { kindsOf, type PitPoint, pointWord, stateColors, worst } from './pit-state.ts'

interface PitRailProps {
  known: boolean
  points: readonly PitPoint[]
  selected: string
  onSelect: (deviceId: string) => void
}

const count = (points: readonly PitPoint[], ...states: PitPoint['state'][]) => points.filter((one) => states.includes(one.state)).length

/** Kinds of points with the worst of each, and the points of the selected kind. */
export function PitRail({ known, points, selected, onSelect }: PitRailProps) {
  const kinds = kindsOf(points)
  const own = points.find((one) => one.deviceId === selected)?.pointType
  return (
    <Panel
      title={known ? `测点 ${points.length} 个` : '测点'}
      actions={<span className="mon-legend">在线 {points.filter((one) => one.online).length}</span>}
    >
      <RailCounts
        counts={[
          { label: '预警', value: count(points, 'warning'), watched: true },
          { label: '报警', value: count(points, 'alarm', 'over'), watched: true },
          { label: '失效损坏', value: count(points, 'silent', 'damaged') },
        ]}
      />
      <div className="mon-list">
        {kinds.map((kind) => {
          const first = kind.worst ?? kind.points[0]
          if (!first) return null
          const share = kind.worst ? (worst(kind.worst) ?? 0) : 0
          return (
            <div key={kind.type}>
              <button type="button" className="zg-bare pit-kind" aria-pressed={kind.type === own} onClick={() => onSelect(first.deviceId)}>
                <strong>
                  {kind.name} <small>{kind.points.length}</small>
                </strong>
                <span style={toneOf(first)}>{kind.worst ? `${first.pointCode} ${pointWord(first)}` : pointWord(first)}</span>
                <ShareBar share={share} color={stateColors[first.state]} />
              </button>
              {kind.type === own && kind.points.length > 1 && (
                <ul className="pit-points">
                  {kind.points.map((one) => (
                    <li key={one.deviceId}>
                      <button
                        type="button"
                        className="zg-bare"
                        aria-pressed={one.deviceId === selected}
                        title={time(one.time)}
                        onClick={() => onSelect(one.deviceId)}
                      >
                        {one.pointCode} <span style={toneOf(one)}>{pointWord(one)}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              )}
            </div>
          )
        })}
      </div>
      <p className="pit-foot">条长为占控制值，刻度 70、85 %；{pitStates.unset}的测点不显示为正常</p>
    </Panel>
  )
}

const toneOf = (one: PitPoint) => ({ color: stateColors[one.state] })

/** Bar of a share of the control value with marks at 70 and 85 %. */
export function ShareBar({ share, color }: { share: number; color: string }) {
  return (
    <svg className="pit-bar" viewBox="0 0 110 8" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="2" width="110" height="4" rx="2" className="ground" />
      <rect x="0" y="2" width={Math.min(110, Math.max(0, share))} height="4" rx="2" fill={color} />
      <rect x="70" y="0" width=".8" height="8" className="mark" />
      <rect x="85" y="0" width=".8" height="8" className="mark" />
    </svg>
  )
}
