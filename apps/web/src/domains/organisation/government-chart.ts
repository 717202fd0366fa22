import { isOn } from '@zhugong/contract/kit/enable'
import type { GovernmentRow } from '@zhugong/contract/organisation/model'

export type Body = Pick<
  GovernmentRow,
  'govCode' | 'name' | 'type' | 'level' | 'areaCode' | 'parentGovCode' | 'disciplines' | 'projectCount' | 'enable'
>
export interface Branch<B extends Body = Body> {
  body: B
  children: Branch<B>[]
}

/** Tree of bodies. A body whose parent is not visible becomes a root. */
export function branches<B extends Body>(bodies: readonly B[]): Branch<B>[] {
  const known = new Set(bodies.map((body) => body.govCode))
  const below = Map.groupBy(bodies, (body) => (body.parentGovCode && known.has(body.parentGovCode) ? body.parentGovCode : null))
  const draw = (parent: string | null): Branch<B>[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => a.level.localeCompare(b.level) || a.govCode.localeCompare(b.govCode))
      .map((body) => ({ body, children: draw(body.govCode) }))
  return draw(null)
}

/** Codes of a body and its descendants; it cannot be moved below any of them. */
export function insideOf(tree: readonly Branch[], govCode: string): Set<string> {
  const all = (branch: Branch): string[] => [branch.body.govCode, ...branch.children.flatMap(all)]
  const find = (list: readonly Branch[]): Branch | undefined =>
    list.map((branch) => (branch.body.govCode === govCode ? branch : find(branch.children))).find((one) => one !== undefined)
  const branch = find(tree)
  return new Set(branch ? all(branch) : [])
}

export interface Gap {
  govCode: string
  kind: '上级停用' | '区划越界' | '两个主管' | '未定专业'
  text: string
}

const front = (areaCode: string) => areaCode.replace(/(00){1,2}$/, '')

/** Inconsistencies among enabled bodies, each with the body where it can be fixed. */
export function gapsOf(bodies: readonly Body[]): Gap[] {
  const working = bodies.filter((body) => isOn(body.enable))
  const byCode = new Map(bodies.map((body) => [body.govCode, body]))
  return working.flatMap((body): Gap[] => {
    const parent = body.parentGovCode ? byCode.get(body.parentGovCode) : undefined
    const rival = working.find(
      (other) =>
        other.govCode < body.govCode &&
        other.type === body.type &&
        other.areaCode === body.areaCode &&
        other.disciplines.some((one) => body.disciplines.includes(one)),
    )
    const gap = (kind: Gap['kind'], text: string): Gap => ({ govCode: body.govCode, kind, text })
    return [
      ...(parent && !isOn(parent.enable) ? [gap('上级停用', `${body.name} 的上级 ${parent.name} 已停用`)] : []),
      ...(parent && !body.areaCode.startsWith(front(parent.areaCode))
        ? [gap('区划越界', `${body.name} 的区划不在上级 ${parent.name} 之内`)]
        : []),
      ...(rival ? [gap('两个主管', `${rival.name} 与 ${body.name} 在同一区划监督同一专业`)] : []),
      ...(body.disciplines.length === 0 ? [gap('未定专业', `${body.name} 未填监督专业`)] : []),
    ]
  })
}
