import type { KeyboardEvent } from 'react'
import { dark } from '#kit/colors.ts'

/** A node of the diagram: a meter with value and state as text and colour. */
export interface Node {
  id: string
  label: string
  area: string | null
  /** `12.4 kW`, `3.21 m³/h`. */
  value: string
  word: string
  color: string
  /** Share of the main meter, 0 to 1: thickness of the line. */
  share: number
  isAway: boolean
}

const [width, minHeight] = [760, 340]
const box = { width: 132, height: 70 }
const rowPx = 120
const sources = { transformer: '变压器', streetMain: '市政供水' }

/** Diagram from source (transformer or street main) over the main meter to the meters behind. Line thickness shows the flow. */
export function LineDiagram({
  main,
  below,
  selected,
  source,
  onSelect,
}: {
  /** Undefined if all meters are connected to the source directly. */
  main: Node | undefined
  below: readonly Node[]
  selected: string
  /** Source in front of the main meter. */
  source: keyof typeof sources
  onSelect: (id: string) => void
}) {
  const perRow = Math.max(1, Math.min(5, below.length))
  const rows = Math.max(1, Math.ceil(below.length / perRow))
  const height = Math.max(minHeight, 190 + rows * rowPx)
  const x = (i: number) => (width / (perRow + 1)) * ((i % perRow) + 1)
  const y = (i: number) => 210 + Math.floor(i / perRow) * rowPx
  const busY = 150
  return (
    <div className="mon-plan">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        height="100%"
        preserveAspectRatio="xMidYMid meet"
        role="group"
        aria-label={`${sources[source]}${main ? `、${main.label}` : ''}与 ${below.length} 块表`}
      >
        <Source of={source} />
        <line x1={width / 2} x2={width / 2} y1={40} y2={busY} stroke={main?.color ?? dark.edge} strokeWidth={6} />
        {main && <Box node={main} x={width / 2} y={64} isChosen={selected === main.id} onSelect={onSelect} />}
        {below.length > 0 && <line x1={x(0)} x2={x(perRow - 1)} y1={busY} y2={busY} stroke={dark.edge} strokeWidth={6} />}
        {below.map((node, i) => (
          <g key={node.id}>
            <line
              x1={x(i)}
              x2={x(i)}
              y1={busY}
              y2={y(i)}
              stroke={node.color}
              strokeWidth={1.5 + 7 * node.share}
              strokeDasharray={node.isAway ? '4 5' : undefined}
            />
            <Box node={node} x={x(i)} y={y(i)} isChosen={selected === node.id} onSelect={onSelect} />
          </g>
        ))}
        {below.length === 0 && (
          <text x={width / 2} y={220} textAnchor="middle" fontSize={13} fill={dark.label}>
            没有登记分表
          </text>
        )}
      </svg>
    </div>
  )
}

/** Two windings of a transformer, or the street's pipe with the branch. */
function Source({ of }: { of: keyof typeof sources }) {
  const mid = width / 2
  return (
    <g fill="none" stroke={dark.accent} strokeWidth={2}>
      {of === 'transformer' ? (
        <>
          <circle cx={mid - 8} cy={24} r={14} />
          <circle cx={mid + 8} cy={24} r={14} />
        </>
      ) : (
        <>
          <path d={`M${mid - 60} 16h120M${mid - 60} 32h120`} />
          <path d={`M${mid - 44} 24h16m-5 -4l5 4l-5 4M${mid + 28} 24h16m-5 -4l5 4l-5 4`} strokeWidth={1.5} />
        </>
      )}
      <text x={mid + (of === 'transformer' ? 34 : 72)} y={29} fontSize={13} fill={dark.text} stroke="none">
        {sources[of]}
      </text>
    </g>
  )
}

function Box({ node, x, y, isChosen, onSelect }: { node: Node; x: number; y: number; isChosen: boolean; onSelect: (id: string) => void }) {
  const choose = () => onSelect(node.id)
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    choose()
  }
  return (
    <g
      role="button"
      tabIndex={0}
      data-hit
      aria-label={`${short(node.label)} ${node.value} ${node.word}`}
      aria-pressed={isChosen}
      className="meter-node"
      onClick={choose}
      onKeyDown={key}
    >
      <rect
        x={x - box.width / 2}
        y={y}
        width={box.width}
        height={box.height}
        rx={4}
        fill={isChosen ? dark.raised : dark.head}
        stroke={isChosen ? dark.accent : node.color}
        strokeWidth={isChosen ? 2.5 : 1.5}
      />
      <g textAnchor="middle">
        <text x={x} y={y + 20} fontSize={13} fill={dark.text}>
          {short(node.label)}
        </text>
        <text x={x} y={y + 42} fontSize={17} fontWeight={600} fill={node.isAway ? dark.stale : dark.text}>
          {node.value}
        </text>
        <text x={x} y={y + 61} fontSize={12} fill={node.color}>
          {node.word}
        </text>
      </g>
    </g>
  )
}

const most = 9
const short = (label: string) => (label.length > most ? `${label.slice(0, most - 1)}…` : label)
