import type { ApprovalState, FlowFact, FlowFacts, FlowNode, FlowNodeInput } from '@zhugong/contract/workflow/flow'
import type { Context } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'

export type Step = Row<'workStep'>

export type SeatRow = Row<'workApprover'>

export interface FlowStart {
  kind: string
  /** Group that owns the item; its settings apply if the item belongs to no project. */
  groupId: string
  projectCode: string | null
  /** Id of the business record, already written in the same transaction. */
  objectId: string
  title: string
  facts?: FlowFacts
  /** The company concerned, if any; decides what subcontractors may see. */
  corpCode?: string | null
  /** Time of the original request, for records that are older than flows. Time limits count from here. */
  since?: Date
  /** Deadline of the record itself, if it has one. The first steps end then, whatever their time limit. */
  due?: Date
  /** The first steps end by then at the latest, if their time limit is longer: the record is of no use afterwards. */
  latest?: Date
  /** For orders of an authority: if the applicant has a seat in the only step, that step is passed immediately. */
  order?: true
  /** The applicant, if not the caller. */
  applicant?: { id: string; name: string; groupId: string }
}

export type Item = Row<'workItem'>

/**
 * The document to approve, with the labels of its form. Signatures are bound to its hash. It must not contain identity numbers or other
 * encrypted values, because every approver of every group reads it.
 */
export interface WorkDocument {
  fields: readonly { label: string; value: string | null }[]
  /** Changed fields only. */
  changes?: readonly { label: string; before: string | null; after: string | null }[]
  /** Ids of stored files. */
  files?: readonly string[]
}

/** Information shown beside the document, not part of what is signed. */
export interface Finding {
  level: 'bad' | 'warn' | 'good'
  text: string
}

/**
 * Something that came up after the submission and that an approver must confirm to agree. `value` identifies what is confirmed: when it
 * changes, it is asked again. The confirmation is `choice[key] = value`.
 */
export interface Ask {
  key: string
  value: string
  text: string
}

/** A decision on an item, passed to the kind in the same transaction. */
export interface Decision {
  act: 'pass' | 'reject' | 'withdraw' | 'resubmit' | 'exempt'
  /** The step it was made in; none for actions of the submitter. */
  node: Pick<FlowNode, 'key' | 'name'> | undefined
  opinion: string
  /** State of the item after the decision: `running` while steps remain. */
  state: Exclude<ApprovalState, '0'>
  at: Date
  /** Further input of the approver, for kinds that need it; validated by the kind. */
  choice: Readonly<Record<string, unknown>>
}

/** The context of a decision: a request's context, or that of the job that starts flows of older records. */
export type WorkContext = Context

/** An account in one of its groups. */
export interface NamedPerson {
  userId: string
  groupId: string
}

/**
 * A kind of approval item. The business record is a row in a table of its own domain; this definition is what the engine needs to know
 * about it. Each domain defines its kinds once and registers them with `registerKind`.
 */
export interface WorkKind {
  /** Code of the dictionary processType, or a business of /workbench/approvalSettings that has no record of its own. */
  kind: string
  name: string
  /** Its name in error messages; 此事项 by default. */
  noun?: string
  /** Texts used instead of 待您审批, 已通过 and 被驳回. `act` replaces 审批 on the button of the to-do, which then opens the business record. */
  words?: { open: string; pass: string; reject: string; act?: string }
  /** Prefix of item numbers: `前缀-2026-000001`, counted per group and year without gaps. */
  prefix: string
  /** Facts that conditions of its flow may use; `startFlow` refuses others. */
  facts: Readonly<Record<string, FlowFact>>
  /** The delivered steps. Steps required by law are `locked`. */
  flow: readonly FlowNodeInput[]
  /** Group types that may configure other steps; by default all. */
  settableBy?: readonly number[]
  /** Whether its items may have a responsible company (`corpCode`); its steps may then be decided there. */
  corp?: true
  /**
   * The people whom the record names, for example the officers of a plan; its steps may then be decided by them. Read when the step opens,
   * under the rights of whoever opened it. If it names nobody, the step goes to the administrators.
   */
  named?(
    ctx: Pick<WorkContext, 'db' | 'system' | 'clock'>,
    item: Pick<Item, 'id' | 'objectId' | 'projectCode'>,
  ): Promise<readonly NamedPerson[]>
  /** What these people are called in the flow settings; 事项指定的人 by default. */
  namedAs?: string
  /** Whether a setting may skip approval (免审). */
  mayExempt?: true
  /** Whether several items can be approved in one batch. */
  batch?: true
  /** Whether one person must not decide in two steps. If not set, the person's second step is passed automatically and recorded. */
  apart?: true
  /** With `group` any member of the submitting group may withdraw it, otherwise only the submitter. */
  withdrawBy?: 'group'
  /** With `running` it can be withdrawn as long as it runs, otherwise until the first decision. */
  withdraw?: 'running'
  /** Whether it can be changed and submitted again after a refusal. */
  again?: true
  /** Permission codes; a holder of any of them in a group that takes part may read the whole document without being an approver. */
  reads: readonly string[]
  /** Link to the item's own page. */
  link(item: Pick<Item, 'objectId' | 'projectCode'>): string
  /** The item's current data; undefined if the caller may not see it or it is gone. */
  document(ctx: Pick<WorkContext, 'db' | 'system'>, objectId: string): Promise<WorkDocument | undefined>
  /**
   * Records that wait for a decision without an item, because they are older than flows or were seeded: all, or the one given. Their
   * flow starts when the product starts or when a user opens them.
   */
  waiting?(db: Db | Tx, objectId?: string): Promise<FlowStart[]>
  asks?(ctx: Pick<WorkContext, 'db' | 'system' | 'clock'>, item: Item): Promise<readonly Ask[]>
  findings?(ctx: Pick<WorkContext, 'db' | 'system' | 'clock'>, item: Item): Promise<Finding[]>
  /** Applies a decision to the business record in the same transaction; an error rolls the decision back. */
  decided(ctx: WorkContext, item: Item, decision: Decision): Promise<void>
}

/** A kind with defaults filled in. */
export type KnownKind = WorkKind & { nodes: readonly FlowNode[] }
