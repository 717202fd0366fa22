import type { Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { insertAll } from './seed-trade.ts'

interface Member {
  memberId: string
  groupId: string
  type: number
  title: string
}
/** A department and the titles it takes; the first match counts, the others go to the top. `head` leads it. */
interface Plan {
  name: string
  takes: RegExp
  head?: RegExp
  below?: readonly Plan[]
}

/** Departments by type of group; in projects nobody is in the quality department. */
const plans: Readonly<Record<number, Plan>> = {
  1: {
    name: '机关',
    takes: /处长|局长/,
    head: /处长|局长/,
    below: [
      { name: '质量安全监督科', takes: /监督员|监督科/, head: /科长/ },
      { name: '劳务管理科', takes: /劳务/ },
      { name: '综合科', takes: /综合/ },
    ],
  },
  2: {
    name: '公司本部',
    takes: /总经理/,
    head: /总经理/,
    below: [
      { name: '安全管理部', takes: /安全/, head: /总监/ },
      { name: '工程技术部', takes: /监理|技术|工程/, head: /总监/ },
      { name: '设备物资部', takes: /设备/, head: /经理/ },
      { name: '劳务管理部', takes: /劳务/, head: /负责/ },
    ],
  },
  3: {
    name: '项目部',
    takes: /项目经理/,
    head: /项目经理/,
    below: [
      { name: '安全部', takes: /安全/, head: /安全/ },
      { name: '质量部', takes: /质量/ },
      { name: '技术部', takes: /技术|总工/ },
      { name: '物资设备部', takes: /物资|设备|机械|材料/ },
      { name: '劳务部', takes: /劳务/, head: /劳务/ },
    ],
  },
}

/** Creates a department tree for every group with people, and assigns people by title. */
export async function seedDepartments(tx: Tx, members: readonly Member[]): Promise<void> {
  const nodes: { id: string; groupId: string; parentId: string | null; name: string; sort: number }[] = []
  const places: { groupId: string; orgId: string; memberId: string; post: string; isHead: boolean }[] = []
  for (const [groupId, people] of Map.groupBy(members, (m) => m.groupId)) {
    const plan = plans[people[0]?.type ?? 0]
    if (!plan) continue
    const top = { id: newId(), groupId, parentId: null, name: plan.name, sort: 0 }
    const below = (plan.below ?? []).map((part, sort) => ({ plan: part, id: newId(), sort }))
    nodes.push(top, ...below.map(({ id, sort, plan: { name } }) => ({ id, groupId, parentId: top.id, name, sort })))
    for (const { memberId, title } of people) {
      const at = below.find((part) => part.plan.takes.test(title))
      const isHead = ((at?.plan ?? plan).head ?? /^$/).test(title)
      places.push({ groupId, orgId: at?.id ?? top.id, memberId, post: title.slice(0, 20), isHead })
    }
  }
  await insertAll(tx, 'orgNode', nodes)
  await insertAll(tx, 'orgMember', places)
}
