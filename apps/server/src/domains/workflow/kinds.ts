import type { ApprovalState, FlowFact, FlowFacts, FlowNode, FlowNodeInput } from '@zhugong/contract/workflow/flow'
import { flowNode } from '@zhugong/contract/workflow/flow'
import type { Context } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import type { FlowStart } from './start.ts'

export type Item = Row<'workItem'>

/**
 * What is decided over, in the words of its own form. Its hash is what signatures are bound to. Never holds numbers of people or other
 * sealed values: whoever has a seat reads it, whichever group he is of.
 */
export interface WorkDocument {
  fields: readonly { label: string; value: string | null }[]
  /** Only what differs. */
  changes?: readonly { label: string; before: string | null; after: string | null }[]
  /** Ids of stored files. */
  files?: readonly string[]
}

/** What stands beside a document while it is decided over; nothing that is signed. */
export interface Finding {
  level: 'bad' | 'warn' | 'good'
  text: string
}

/** One decision on an item, as the kind hears of it in the same transaction. */
export interface Decision {
  act: 'pass' | 'reject' | 'withdraw' | 'resubmit' | 'exempt'
  /** Step it was made in; none of what its submitter does. */
  node: Pick<FlowNode, 'key' | 'name'> | undefined
  opinion: string
  /** How the item stands after it: `running` while other steps are to come. */
  state: ApprovalState
  at: Date
  /** What the decider chose besides, for kinds that ask for it; checked by the kind. */
  choice: Readonly<Record<string, unknown>>
}

/** What an item is decided with: a request's, or what brings older ones in. */
export type WorkContext = Context

/**
 * One kind of thing that is decided over. The thing stands in a table of its own domain, with real columns; this says what the engine has to
 * know of it. Written once, beside the thing, and made known by `registerKind`.
 */
export interface WorkKind {
  /** Code of the dictionary processType, or a business of /workbench/approvalSettings that is no record of its own. */
  kind: string
  name: string
  /** How refusals call it; 此事项 where nothing is given. */
  noun?: string
  /** What its people are told of it, where 待您审批, 已通过 and 被驳回 are not the words; `act` stands on the button of the to-do instead of 审批, which then opens the thing itself. */
  words?: { open: string; pass: string; reject: string; act?: string }
  /** Stands before its numbers: `前缀-2026-000001`, by group and year, without gaps. */
  prefix: string
  /** What conditions of its flow may look at; `startFlow` refuses others. */
  facts: Readonly<Record<string, FlowFact>>
  /** As delivered. Steps that the law asks for are `locked`. */
  flow: readonly FlowNodeInput[]
  /** Group types whose setting may be another one; none given: every type. */
  settableBy?: readonly number[]
  /** Whether a setting may pass it without anybody (免审). */
  mayExempt?: true
  /** Whether several can be agreed to at once, unseen one by one. */
  batch?: true
  /** Who has spoken in one step may not in another; elsewhere he is passed there, and it is noted. */
  apart?: true
  /** Of `group`, whoever acts for the group that asked takes it back; elsewhere the very person. */
  withdrawBy?: 'group'
  /** Of `running`, its submitter may take it back as long as it runs; elsewhere until somebody has decided. */
  withdraw?: 'running'
  /** Whether it can be mended and handed in again after a refusal. */
  again?: true
  /** Codes of which one shows the whole document to who has no seat. */
  reads: readonly string[]
  /** Where the thing itself is looked at. */
  link(item: Pick<Item, 'objectId' | 'projectCode'>): string
  /** The thing as it stands now; undefined where the caller does not see it, or it is gone. */
  document(ctx: Pick<WorkContext, 'db' | 'system'>, objectId: string): Promise<WorkDocument | undefined>
  /**
   * Things that wait for a decision and have no flow: written before there was one, or by a seed. All of them, or the one named. They
   * begin theirs when the product starts or somebody turns to them.
   */
  waiting?(db: Db | Tx, objectId?: string): Promise<FlowStart[]>
  findings?(ctx: Pick<WorkContext, 'db' | 'system' | 'clock'>, item: Item): Promise<Finding[]>
  /** Writes what a decision means for the thing, in its transaction; whatever it throws undoes the decision. */
  decided(ctx: WorkContext, item: Item, decision: Decision): Promise<void>
}

/** A kind with its steps filled in. */
export type KnownKind = WorkKind & { nodes: readonly FlowNode[] }

const known = new Map<string, KnownKind>()

/** Throws at start-up for a flow that is none: no steps, one key twice, a condition on what the kind does not tell. */
export function registerKind(kind: WorkKind): void {
  const nodes = kind.flow.map((node) => flowNode.parse(node))
  const keys = new Set(nodes.map((node) => node.key))
  if (nodes.length === 0 || keys.size < nodes.length) throw new Error(`the flow of ${kind.kind} needs steps with keys of their own`)
  const strange = nodes.flatMap((node) => node.when).find(({ fact }) => !Object.hasOwn(kind.facts, fact))
  if (strange) throw new Error(`the flow of ${kind.kind} asks for ${strange.fact}, which it does not tell`)
  known.set(kind.kind, { ...kind, nodes })
}

export function kindNamed(name: string): KnownKind {
  const kind = known.get(name)
  if (!kind) throw new Error(`${name} is no registered kind of work item`)
  return kind
}
export const isKnownKind = (name: string): boolean => known.has(name)
export const knownKinds = (): readonly KnownKind[] => [...known.values()]

/** Facts as they are kept: only what the kind tells, in its types. Throws for others, since no flow could have been written for them. */
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
