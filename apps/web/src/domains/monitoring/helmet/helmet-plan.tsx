import type { Site } from '@zhugong/contract/monitoring/site'
import { type ReactNode, useMemo } from 'react'
import { dark } from '#kit/colors.ts'
import type { Point } from '../crane-geometry.ts'
import { type Tone, toneColors } from '../crane-state.ts'
import { Bearings, Ground, GroundNames, PlanView, type Projection, pathOf, Words } from '../plan-view.tsx'
import { boundsOf, middleOf } from '../site.ts'
import './helmet.css'

export interface PersonMark {
  id: string
  label: string
  at: Point | undefined
  tone: Tone
  /** The position is historical or outdated. */
  past: boolean
  /** Place and state for screen readers; comes after the label, because an accessible name should start with the visible text. */
  state: string
  /** Always labelled on the plan: an alarm, a danger zone. */
  named: boolean
}

interface HelmetPlanProps {
  site: Site
  people: readonly PersonMark[]
  selected?: string | undefined
  onSelect?: (id: string) => void
  label: string
  children?: (projection: Projection) => ReactNode
}

/** The site with its fence and danger zones, and the people on it. */
export function HelmetPlan({ site, people, selected, onSelect, label, children }: HelmetPlanProps) {
  const bounds = useMemo(() => boundsOf(site.fence) ?? { left: -100, right: 100, bottom: -80, top: 80 }, [site])
  // People in danger are drawn on top.
  const order = [...people].sort((a, b) => Number(a.named) - Number(b.named) || Number(a.id === selected) - Number(b.id === selected))
  return (
    <PlanView bounds={bounds} label={label} padding={40}>
      {(projection) => (
        <>
          <Ground site={site} projection={projection} />
          <Zones site={site} projection={projection} />
          <GroundNames site={site} projection={projection} />
          {children?.(projection)}
          {order.map((one) => (
            <Person key={one.id} one={one} chosen={one.id === selected} projection={projection} onSelect={onSelect} />
          ))}
          <Bearings projection={projection} />
        </>
      )}
    </PlanView>
  )
}

function Zones({ site, projection: { at } }: { site: Site; projection: Projection }) {
  return site.zones.map((zone) => (
    <g key={zone.name}>
      <path d={pathOf(zone.points.map(at), true)} className="helmet-zone" />
      <Words at={at(middleOf(zone.points))} color={dark.limit} size={12}>
        {zone.name}
      </Words>
    </g>
  ))
}

interface PersonProps {
  one: PersonMark
  chosen: boolean
  projection: Projection
  onSelect: ((id: string) => void) | undefined
}

function Person({ one, chosen, projection, onSelect }: PersonProps) {
  if (!one.at) return null
  const [x, y] = projection.at(one.at)
  const color = one.past ? dark.stale : toneColors[one.tone]
  const words = [one.label, one.state].filter(Boolean).join('，')
  const press = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onSelect?.(one.id)
  }
  const acts = onSelect
    ? ({ role: 'button', tabIndex: 0, 'aria-pressed': chosen, onClick: () => onSelect(one.id), onKeyDown: press } as const)
    : ({ role: 'img' } as const)
  return (
    <g {...acts} aria-label={words} data-hit className="helmet-person">
      <title>{words}</title>
      {chosen && <circle cx={x} cy={y} r={13} fill="none" stroke={dark.text} strokeWidth={2} />}
      <path d={`M${x - 8} ${y + 3}a8 8 0 0 1 16 0z`} fill={one.past ? dark.ground : color} stroke={color} strokeWidth={1.5} />
      <line x1={x - 10} x2={x + 10} y1={y + 3} y2={y + 3} stroke={color} strokeWidth={2.5} />
      {one.tone === 'alarm' && !one.past && <circle cx={x} cy={y} r={16} className="helmet-call" />}
      {(chosen || one.named) && (
        <Words at={[x, y - 12]} color={color} size={12} weight={600}>
          {one.label}
        </Words>
      )}
    </g>
  )
}
