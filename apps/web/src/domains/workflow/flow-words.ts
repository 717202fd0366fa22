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

type Names = Pick<Setting, 'codes' | 'roles' | 'people' | 'facts'>

/** By whom a step is decided, in words. */
export function approverWords(by: Approver, names: Names): string {
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

/** A whole step in a line, as the difference before saving shows it. */
export function nodeWords(node: FlowNode, names: Names): string {
  return [
    node.name,
    `${node.places.map((p) => flowPlaces[p]).join('或')} · ${approverWords(node.by, names)}`,
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

/** A step to begin with, under a key that none of them has. */
export function newNode(nodes: readonly Pick<FlowNode, 'key'>[]): FlowNode {
  let n = nodes.length + 1
  while (nodes.some((one) => one.key === `step${n}`)) n++
  return { ...simplestStep, key: `step${n}`, name: '审批' }
}
