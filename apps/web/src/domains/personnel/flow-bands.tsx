import type { flowMoves } from '@zhugong/contract/personnel/flow'
import { bandsOf } from './flow-layout.ts'

type Edge = NonNullable<(typeof flowMoves)['types']>['out']['edges'][number]

/** Flow diagram between places; the thickness of a band is the number of people. */
export function FlowBands({ edges, onPick }: { edges: readonly Edge[]; onPick: (edge: Edge) => void }) {
  const { left, right, bands, height } = bandsOf(edges)
  const total = edges.reduce((sum, edge) => sum + edge.count, 0)
  return (
    <svg className="per-bands" viewBox={`0 0 1000 ${height}`} role="group" aria-label={`人员流向，共 ${total} 人次`}>
      {bands.map(({ edge, y0, y1, thick, colour }) => (
        <path
          key={`${edge.fromKind}${edge.from}>${edge.toKind}${edge.to}`}
          d={`M 230 ${y0} C 500 ${y0}, 500 ${y1}, 770 ${y1} L 770 ${y1 + thick} C 500 ${y1 + thick}, 500 ${y0 + thick}, 230 ${y0 + thick} Z`}
          fill={colour}
          role="button"
          tabIndex={0}
          aria-label={`${edge.fromName} 到 ${edge.toName} ${edge.count} 人次`}
          onClick={() => onPick(edge)}
          onKeyDown={(event) => event.key === 'Enter' && onPick(edge)}
        >
          <title>
            {edge.fromName} → {edge.toName}：{edge.count} 人次
          </title>
        </path>
      ))}
      {left.map((node) => (
        <g key={node.key}>
          <rect x={222} y={node.y} width={8} height={node.height} fill={node.colour} />
          <text x={214} y={node.y + node.height / 2} textAnchor="end" dominantBaseline="central">
            {short(node.name)} {node.count}
          </text>
        </g>
      ))}
      {right.map((node) => (
        <g key={node.key}>
          <rect x={770} y={node.y} width={8} height={node.height} fill={node.colour} />
          <text x={786} y={node.y + node.height / 2} dominantBaseline="central">
            {short(node.name)} {node.count}
          </text>
        </g>
      ))}
    </svg>
  )
}

const mostGlyphs = 13
const short = (name: string) => (name.length > mostGlyphs ? `${name.slice(0, mostGlyphs - 1)}…` : name)
