import type { flowMoves } from '@zhugong/contract/personnel/flow'
import { colors as palette } from '#kit/colors.ts'

type Edge = NonNullable<(typeof flowMoves)['types']>['out']['edges'][number]

/** Maximum number of places on one side; the smaller ones are combined as 其他. */
const mostNodes = 10
/** Sizes in view box units: total thickness of all bands, minimum thickness of one, gap between nodes, height of a label. */
const sizes = { drawn: 260, least: 2, gap: 10, label: 14 }
const colours = { new: palette.fine, again: palette.primary, place: palette.orange, left: palette.text2 }

interface Node {
  key: string
  name: string
  count: number
  colour: string
  y: number
  height: number
}
interface Band {
  edge: Edge
  y0: number
  y1: number
  thick: number
  colour: string
}

const keyFrom = (e: Edge) => `${e.fromKind}/${e.from}`
const keyTo = (e: Edge) => `${e.toKind}/${e.to}`

/** Combines the small places of each side. */
function merged(edges: readonly Edge[]): Edge[] {
  const sum = (key: (e: Edge) => string) => {
    const counts = new Map<string, number>()
    for (const e of edges) counts.set(key(e), (counts.get(key(e)) ?? 0) + e.count)
    return new Set(
      [...counts]
        .sort((a, b) => b[1] - a[1])
        .slice(0, mostNodes)
        .map(([k]) => k),
    )
  }
  const [keptFrom, keptTo] = [sum(keyFrom), sum(keyTo)]
  const all = new Map<string, Edge>()
  for (const e of edges) {
    const one: Edge = {
      ...e,
      ...(keptFrom.has(keyFrom(e)) ? {} : { fromKind: 'place' as const, from: 'others', fromName: '其他' }),
      ...(keptTo.has(keyTo(e)) ? {} : { toKind: 'place' as const, to: 'others', toName: '其他' }),
    }
    const key = `${keyFrom(one)}>${keyTo(one)}`
    all.set(key, { ...one, count: one.count + (all.get(key)?.count ?? 0) })
  }
  return [...all.values()]
}

/** Nodes and bands of the diagram in units of its view box, 1,000 wide. Thickness is proportional, with a visible minimum. */
export function bandsOf(given: readonly Edge[]): { left: Node[]; right: Node[]; bands: Band[]; height: number } {
  const edges = merged(given).sort((a, b) => b.count - a.count)
  const total = edges.reduce((sum, e) => sum + e.count, 0) || 1
  const thickOf = (e: Edge) => Math.max(sizes.least, (e.count / total) * sizes.drawn)
  const side = (key: (e: Edge) => string, name: (e: Edge) => string, colour: (e: Edge) => string): Node[] => {
    const groups = [...Map.groupBy(edges, key)]
    let y = 4
    return groups.map(([k, own]) => {
      const height = own.reduce((sum, e) => sum + thickOf(e), 0)
      const node = {
        key: k,
        name: name(own[0]!),
        count: own.reduce((sum, e) => sum + e.count, 0),
        colour: colour(own[0]!),
        y: y + Math.max(0, (sizes.label - height) / 2),
        height,
      }
      y += Math.max(height, sizes.label) + sizes.gap
      return node
    })
  }
  const left = side(
    keyFrom,
    (e) => e.fromName,
    (e) => colours[e.fromKind],
  )
  const right = side(
    keyTo,
    (e) => e.toName,
    (e) => (e.toKind === 'left' ? colours.left : colours.place),
  )
  const at = new Map<string, number>([...left.map((n) => [`l${n.key}`, n.y] as const), ...right.map((n) => [`r${n.key}`, n.y] as const)])
  const bands = edges.map((edge) => {
    const thick = thickOf(edge)
    const take = (key: string) => {
      const y = at.get(key) ?? 0
      at.set(key, y + thick)
      return y
    }
    const colour = edge.toKind === 'left' ? colours.left : colours[edge.fromKind]
    return { edge, thick, colour, y0: take(`l${keyFrom(edge)}`), y1: take(`r${keyTo(edge)}`) }
  })
  const end = (nodes: Node[]) => Math.max(0, ...nodes.map((n) => n.y + Math.max(n.height, sizes.label)))
  return { left, right, bands, height: Math.ceil(Math.max(60, end(left), end(right)) + 6) }
}
