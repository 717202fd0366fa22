import { z } from 'zod'
import { filled, ref, text } from '../kit/fields.ts'

/** Dictionary approvalState: how an item that somebody decides over stands. */
export const approvalStates = { draft: '0', running: '1', passed: '2', rejected: '3', withdrawn: '4' } as const
export type ApprovalState = (typeof approvalStates)[keyof typeof approvalStates]
/** Not decided yet, as whoever asked for it sees it. */
export const undecided = [approvalStates.draft, approvalStates.running] as const

/** Where a step of a flow stands. */
export const stepStates = { coming: '0', open: '1', passed: '2', rejected: '3', skipped: '4', returned: '5' } as const

/** Where a seat at a step stands: its turn has not come, it is asked, it has spoken, it was handed over, or somebody else decided. */
export const seatStates = { later: '0', open: '1', agreed: '2', refused: '3', handed: '4', elsewhere: '5' } as const

/** Whose people decide in a step, as seen from the item: its own group, the site, a company by its part, who stands over it. */
export const flowPlaces = {
  own: '发起单位',
  site: '项目部',
  leader: '总承包单位',
  owner: '建设单位',
  supervisor: '监理单位',
  authority: '监督机构',
  above: '上级监督机构',
  platform: '平台',
} as const
export type FlowPlace = keyof typeof flowPlaces

/** 会签: everybody. 或签: whoever comes first. 依次: everybody, one after the other. */
export const flowModes = { any: '或签', all: '会签', turn: '依次' } as const
export type FlowMode = keyof typeof flowModes

/** What happens when the time of a step is over. */
export const lateActs = { remind: '提醒', raise: '上报', hand: '自动转给' } as const

const approver = z.discriminatedUnion('kind', [
  /** Whoever holds the code in the group at that moment: who gets it later may decide, who loses it may not. */
  z.object({ kind: z.literal('code'), code: z.string().max(60) }),
  z.object({ kind: z.literal('role'), roleId: ref('role') }),
  z.object({ kind: z.literal('users'), userIds: z.array(ref('user')).min(1, '请选择人员').max(20, '最多 20 人') }),
  /** By the post that departments give. */
  z.object({ kind: z.literal('post'), post: filled(30, '岗位') }),
  /** Heads of departments; the submitter's own alone with `superior`. */
  z.object({ kind: z.literal('head') }),
  z.object({ kind: z.literal('superior') }),
  z.object({ kind: z.literal('admin') }),
])
export type Approver = z.infer<typeof approver>

/** Which facts of an item a step is for: all of them hold. */
const condition = z.object({
  fact: z.string().max(40),
  op: z.enum(['>', '>=', '<', '<=', '=', '!=', 'in'], '条件不正确'),
  value: z.union([z.number(), z.boolean(), z.string().max(100), z.array(z.string().max(60)).max(50)]),
})
export type FlowCondition = z.infer<typeof condition>

export const mostNodes = 12
/** A step may take a month of hours: what nobody looks at for longer is not waited for. */
const longestHours = 720

/** A step as a setting has it; `key` names it through all versions and below, so that a lock from above finds it. */
export const flowNode = z.object({
  key: z.string().regex(/^[\w-]{1,30}$/, '步骤标识不正确'),
  name: filled(20, '步骤名称'),
  /** Of each of these that is there: in 或签 whoever of any of them comes first. */
  places: z
    .array(z.enum(Object.keys(flowPlaces) as [FlowPlace, ...FlowPlace[]]))
    .min(1, '请选择由谁审批')
    .max(Object.keys(flowPlaces).length),
  by: approver,
  mode: z.enum(['any', 'all', 'turn'], '请选择会签、或签或依次').default('any'),
  /** Runs at the same time as the step before it. */
  beside: z.boolean().default(false),
  when: z.array(condition).max(5, '最多 5 个条件').default([]),
  hours: z.number().int().min(1, '时限至少 1 小时').max(longestHours, `时限最多 ${longestHours} 小时`).nullable().default(null),
  late: z.enum(['remind', 'raise', 'hand']).default('remind'),
  /** Of `hand`: who gets it then. */
  handTo: ref('user').nullable().default(null),
  mayTransfer: z.boolean().default(true),
  sign: z.boolean().default(false),
  copyTo: z.array(ref('user')).max(20, '最多抄送 20 人').default([]),
  /** Groups below may put steps around it, never take it away. */
  locked: z.boolean().default(false),
})
export type FlowNode = z.infer<typeof flowNode>
/** A step as it is written down in a kind: what is usual is left out. */
export type FlowNodeInput = z.input<typeof flowNode>

/** The simplest step there is, for whoever names it: an administrator of the item's own group says yes or no. */
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

/** What of an item conditions may look at. */
export interface FlowFact {
  label: string
  type: 'number' | 'flag' | 'code'
  /** Of `code`: what there is to choose from. */
  options?: Readonly<Record<string, string>>
}
export type FlowFacts = Readonly<Record<string, number | boolean | string | null | undefined>>

/** Whether a step is for an item of these facts; what an item does not tell holds for no condition. */
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

/** Steps that run together, in their order. */
export function stagesOf<N extends Pick<FlowNode, 'beside'>>(nodes: readonly N[]): N[][] {
  const stages: N[][] = []
  for (const node of nodes) {
    const last = stages.at(-1)
    if (node.beside && last) last.push(node)
    else stages.push([node])
  }
  return stages
}

/** What a setting lacks of what is locked above it. */
export const missingLocks = (nodes: readonly FlowNode[], above: readonly FlowNode[]): FlowNode[] =>
  above.filter((node) => node.locked && !nodes.some((own) => own.key === node.key))

/** A signature as it is drawn: a PNG of at most 48 KB as base64. */
export const drawnSignature = z
  .string()
  .max(65_536, '签名图片过大')
  .regex(/^data:image\/png;base64,[A-Za-z0-9+/=]+$/, '签名格式不正确')

export const opinionText = text(500, '意见')
