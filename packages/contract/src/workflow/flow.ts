import { z } from 'zod'
import { filled, ref, text } from '../kit/fields.ts'
import { pngData } from '../kit/signatures.ts'

/** Dictionary approvalState: state of an item that needs approval. */
export const approvalStates = { draft: '0', running: '1', passed: '2', rejected: '3', withdrawn: '4' } as const
export type ApprovalState = (typeof approvalStates)[keyof typeof approvalStates]
/** Not decided yet, from the submitter's point of view. */
export const undecided = [approvalStates.draft, approvalStates.running] as const

/** State of a step of a flow. */
export const stepStates = { coming: '0', open: '1', passed: '2', rejected: '3', skipped: '4', returned: '5' } as const

/** State of an approver at a step: not yet due, due, agreed, refused, transferred, or decided by somebody else. */
export const seatStates = { later: '0', open: '1', agreed: '2', refused: '3', handed: '4', elsewhere: '5' } as const

/**
 * Whose people decide in a step, relative to the item: its own group, the project, a company by its part, the company responsible for the
 * item, a government, or the platform. `named` are the people whom the record itself names, such as the guardian of a permit; they need
 * no further selection by code or role.
 */
export const flowPlaces = {
  own: '发起单位',
  site: '项目部',
  leader: '总承包单位',
  owner: '建设单位',
  supervisor: '监理单位',
  corp: '责任单位',
  named: '事项指定的人',
  authority: '监督机构',
  above: '上级监督机构',
  platform: '平台',
} as const
export type FlowPlace = keyof typeof flowPlaces

/** 会签: everybody must agree. 或签: the first decision counts. 依次: everybody, one after the other. */
export const flowModes = { any: '或签', all: '会签', turn: '依次' } as const
export type FlowMode = keyof typeof flowModes

/** What happens when the deadline of a step has passed. */
export const lateActs = { remind: '提醒', raise: '上报', hand: '自动转给' } as const

const approver = z.discriminatedUnion('kind', [
  /** Everybody in the group who has the code at the time of the decision: later changes of rights count. */
  z.object({ kind: z.literal('code'), code: z.string().max(60) }),
  z.object({ kind: z.literal('role'), roleId: ref('role') }),
  z.object({ kind: z.literal('users'), userIds: z.array(ref('user')).min(1, '请选择人员').max(20, '最多 20 人') }),
  /** People with a post in a department. */
  z.object({ kind: z.literal('post'), post: filled(30, '岗位') }),
  /** Heads of departments; with `superior` only the head of the submitter's department. */
  z.object({ kind: z.literal('head') }),
  z.object({ kind: z.literal('superior') }),
  z.object({ kind: z.literal('admin') }),
])
export type Approver = z.infer<typeof approver>

/** Facts of an item for which the step applies; all conditions must match. */
const condition = z.object({
  fact: z.string().max(40),
  op: z.enum(['>', '>=', '<', '<=', '=', '!=', 'in'], '条件不正确'),
  value: z.union([z.number(), z.boolean(), z.string().max(100), z.array(z.string().max(60)).max(50)]),
})
export type FlowCondition = z.infer<typeof condition>

export const mostNodes = 12
/** Longest time limit of a step in hours of working days (30 of them). */
const longestHours = 720

/** A step of a flow setting. `key` identifies it in all versions and in lower groups, so that a lock from above finds it. */
export const flowNode = z.object({
  key: z.string().regex(/^[\w-]{1,30}$/, '步骤标识不正确'),
  name: filled(20, '步骤名称'),
  /** All of these places that exist for the item; with 或签 the first decision from any of them counts. */
  places: z
    .array(z.enum(Object.keys(flowPlaces) as [FlowPlace, ...FlowPlace[]]))
    .min(1, '请选择由谁审批')
    .max(Object.keys(flowPlaces).length),
  by: approver,
  mode: z.enum(['any', 'all', 'turn'], '请选择会签、或签或依次').default('any'),
  /** Runs in parallel with the step before it. */
  beside: z.boolean().default(false),
  when: z.array(condition).max(5, '最多 5 个条件').default([]),
  hours: z.number().int().min(1, '时限至少 1 小时').max(longestHours, `时限最多 ${longestHours} 小时`).nullable().default(null),
  late: z.enum(['remind', 'raise', 'hand']).default('remind'),
  /** For `hand`: the person it is transferred to. */
  handTo: ref('user').nullable().default(null),
  mayTransfer: z.boolean().default(true),
  sign: z.boolean().default(false),
  copyTo: z.array(ref('user')).max(20, '最多抄送 20 人').default([]),
  /** Lower groups may add steps around it but not remove it. */
  locked: z.boolean().default(false),
})
export type FlowNode = z.infer<typeof flowNode>
/** A step as written in the definition of a kind, without default values. */
export type FlowNodeInput = z.input<typeof flowNode>

/** The minimal step: an administrator of the item's own group approves or refuses. */
export const simplestStep: Omit<FlowNode, 'key' | 'name'> = {
  places: ['own'],
  by: { kind: 'admin' },
  mode: 'any',
  beside: false,
  when: [],
  hours: null,
  late: 'remind',
  handTo: null,
  mayTransfer: true,
  sign: false,
  copyTo: [],
  locked: false,
}

/** A fact of an item that conditions can test. */
export interface FlowFact {
  label: string
  type: 'number' | 'flag' | 'code'
  /** For `code`: the options. */
  options?: Readonly<Record<string, string>>
}
export type FlowFacts = Readonly<Record<string, number | boolean | string | null | undefined>>

/** Whether a step applies to an item with these facts; a condition on a missing fact is false. */
export function isFor(node: Pick<FlowNode, 'when'>, facts: FlowFacts): boolean {
  return node.when.every(({ fact, op, value }) => {
    const given = facts[fact]
    if (given === null || given === undefined) return false
    if (op === 'in') return Array.isArray(value) && value.includes(String(given))
    if (op === '=') return String(given) === String(value)
    if (op === '!=') return String(given) !== String(value)
    const [left, right] = [Number(given), Number(value)]
    if (Number.isNaN(left) || Number.isNaN(right)) return false
    return op === '>' ? left > right : op === '>=' ? left >= right : op === '<' ? left < right : left <= right
  })
}

/** Groups parallel steps into stages, in order. */
export function stagesOf<N extends Pick<FlowNode, 'beside'>>(nodes: readonly N[]): N[][] {
  const stages: N[][] = []
  for (const node of nodes) {
    const last = stages.at(-1)
    if (node.beside && last) last.push(node)
    else stages.push([node])
  }
  return stages
}

/** Locked steps from above that a setting lacks. */
export const missingLocks = (nodes: readonly FlowNode[], above: readonly FlowNode[]): FlowNode[] =>
  above.filter((node) => node.locked && !nodes.some((own) => own.key === node.key))

/** A drawn signature: a PNG of at most 48 KB as base64. */
export const drawnSignature = pngData(65_536)

export const opinionText = text(500, '意见')
