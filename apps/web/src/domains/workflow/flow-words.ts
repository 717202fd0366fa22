import type { FlowSettings } from '@zhugong/contract/workflow/endpoints'
import {
  type Approver,
  type FlowCondition,
  type FlowNode,
  flowModes,
  flowPlaces,
  lateActs,
  simplestStep,
} from '@zhugong/contract/workflow/flow'

export type Setting = NonNullable<FlowSettings['setting']>

export const approverKinds: Record<Approver['kind'], string> = {
  code: '有权限的人',
  role: '角色',
  post: '岗位',
  head: '部门负责人',
  superior: '发起人的上级',
  users: '指定人员',
  admin: '管理员',
}

type Names = Pick<Setting, 'codes' | 'roles' | 'people' | 'facts' | 'places'>

/** Whether a step is decided only by the people whom the record names, so that no approver is chosen. */
export const isNamedOnly = ({ places }: Pick<FlowNode, 'places'>): boolean => places.every((place) => place === 'named')

/** Text on the places and approvers of a step. */
export function deciderWords({ places, by }: Pick<FlowNode, 'places' | 'by'>, names: Omit<Names, 'facts'>): string {
  const nameOf = (place: FlowNode['places'][number]) => names.places.find((one) => one.key === place)?.name ?? flowPlaces[place]
  const chosen = places.filter((place) => place !== 'named')
  return [
    ...(chosen.length > 0 ? [`${chosen.map(nameOf).join('或')} · ${approverWords(by, names)}`] : []),
    ...(places.includes('named') ? [nameOf('named')] : []),
  ].join('，或')
}

/** Text on the approvers chosen at a place. */
export function approverWords(by: Approver, names: Pick<Names, 'codes' | 'roles' | 'people'>): string {
  switch (by.kind) {
    case 'code':
      return names.codes.find((c) => c.key === by.code)?.name ?? by.code
    case 'role':
      return names.roles.find((r) => r.id === by.roleId)?.name ?? '角色'
    case 'users':
      return by.userIds.map((id) => names.people.find((p) => p.id === id)?.name ?? '未知人员').join('、')
    case 'post':
      return by.post
    default:
      return approverKinds[by.kind]
  }
}

export function conditionWords({ fact, op, value }: FlowCondition, names: Pick<Names, 'facts'>): string {
  const known = names.facts.find((f) => f.key === fact)
  const label = known?.label ?? fact
  const named = (one: unknown) => known?.options.find((o) => o.value === String(one))?.label ?? String(one)
  if (typeof value === 'boolean') return value ? label : `非${label}`
  return `${label} ${op === 'in' ? '属于' : op} ${Array.isArray(value) ? value.map(named).join('、') : named(value)}`
}

/** Text on a whole step, shown as a difference before saving. */
export function nodeWords(node: FlowNode, names: Names): string {
  return [
    node.name,
    deciderWords(node, names),
    flowModes[node.mode],
    node.beside ? '与上一步同时' : '',
    ...node.when.map((c) => conditionWords(c, names)),
    node.hours === null ? '' : `${node.hours} 小时，超时${lateActs[node.late]}`,
    node.mayTransfer ? '' : '不可转办',
    node.sign ? '须签名' : '',
    node.copyTo.length > 0 ? `抄送 ${node.copyTo.length} 人` : '',
    node.locked ? '锁定' : '',
  ]
    .filter(Boolean)
    .join('，')
}

/** A new step with an unused key. */
export function newNode(nodes: readonly Pick<FlowNode, 'key'>[]): FlowNode {
  let n = nodes.length + 1
  while (nodes.some((one) => one.key === `step${n}`)) n++
  return { ...simplestStep, key: `step${n}`, name: '审批' }
}
