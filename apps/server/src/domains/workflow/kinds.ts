import type { FlowFacts, FlowNode, FlowPlace } from '@zhugong/contract/workflow/flow'
import { flowNode } from '@zhugong/contract/workflow/flow'
import type { KnownKind, WorkKind } from './model.ts'

const known = new Map<string, KnownKind>()

/** Throws at start-up for an invalid flow: no steps, a duplicate key, a condition on an unknown fact, a place that its items do not have. */
export function registerKind(kind: WorkKind): void {
  const nodes = kind.flow.map((node) => flowNode.parse(node))
  const keys = new Set(nodes.map((node) => node.key))
  if (nodes.length === 0 || keys.size < nodes.length) throw new Error(`the flow of ${kind.kind} needs steps with keys of their own`)
  const strange = nodes.flatMap((node) => node.when).find(({ fact }) => !Object.hasOwn(kind.facts, fact))
  if (strange) throw new Error(`the flow of ${kind.kind} asks for ${strange.fact}, which it does not tell`)
  const lacking = nodes.flatMap((node) => lackingPlace(kind, node) ?? [])[0]
  if (lacking) throw new Error(`the flow of ${kind.kind} has the place ${lacking}, which its items do not have`)
  known.set(kind.kind, { ...kind, nodes })
}

/** The place of a step that items of the kind never have; undefined if they may have all of them. */
export function lackingPlace(kind: Pick<WorkKind, 'named' | 'corp'>, { places }: Pick<FlowNode, 'places'>): FlowPlace | undefined {
  return places.find((place) => (place === 'named' && !kind.named) || (place === 'corp' && !kind.corp))
}

export function kindNamed(name: string): KnownKind {
  const kind = known.get(name)
  if (!kind) throw new Error(`${name} is no registered kind of work item`)
  return kind
}
export const isKnownKind = (name: string): boolean => known.has(name)
export const knownKinds = (): readonly KnownKind[] => [...known.values()]

/** The facts as stored: only those the kind declares, in their types. Throws for others. */
export function soundFacts(kind: WorkKind, facts: FlowFacts): FlowFacts {
  for (const [key, value] of Object.entries(facts)) {
    const fact = kind.facts[key]
    if (!fact) throw new Error(`${kind.kind} tells nothing called ${key}`)
    if (value === null || value === undefined) continue
    const wanted = fact.type === 'number' ? 'number' : fact.type === 'flag' ? 'boolean' : 'string'
    if (typeof value !== wanted) throw new Error(`${key} of ${kind.kind} is a ${wanted}`)
  }
  return facts
}
