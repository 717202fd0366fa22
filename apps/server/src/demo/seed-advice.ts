import type { AddresseeKind } from '@zhugong/contract/advice/calls'
import { complaint } from '@zhugong/contract/advice/moves'
import { hourMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { adviceKind, maskOf, toStated } from '#domains/advice/public'
import type { Row, Tables, Tx } from '#kit/db'
import { type AdvicePlan, advicePlans } from './advice-plan.ts'
import { inserterOf } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

interface Actor {
  id: string
  name: string
  groupId: string
  groupName: string
  groupType: number
}
type Rows = { [T in 'advice' | 'adviceEntry' | 'adviceNote' | 'processLog' | 'processTodo']: Insertable<Tables[T]>[] }

const kinds: Readonly<Record<number, AddresseeKind>> = { 0: 'platform', 1: 'government', 3: 'project' }

/** Questions of the sites and companies, and two complaints, in every state. */
export async function seedAdvice(tx: Tx, city: City, now: number): Promise<void> {
  const members = await tx
    .selectFrom('member as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .where('m.isDefault', '=', true)
    .select(['u.id', 'u.name', 'u.account', 't.id as groupId', 't.name as groupName', 't.type as groupType'])
    .execute()
  const actors = new Map(members.map(({ account, ...actor }) => [account, actor]))
  const actor = (account: string): Actor => {
    const known = actors.get(account)
    if (!known) throw new Error(`nobody is called ${account}`)
    return known
  }
  const all = advicePlans.map((plan, i) => rowsOf(city, plan, i, actor, now))
  const put = inserterOf(tx, all)
  for (const table of ['advice', 'adviceEntry', 'adviceNote', 'processLog', 'processTodo'] as const) await put(table)
}

function rowsOf(city: City, plan: AdvicePlan, no: number, actor: (account: string) => Actor, now: number): Rows {
  const id = idOf(city.seed, 'advice', String(no))
  const [by, first] = [actor(plan.by), actor(plan.to)]
  const last = plan.forward ? actor(plan.forward[1]) : first
  const aboutCode = plan.about ? city.personas.find((one) => one.account === plan.about)?.projectCode : undefined
  const project = city.projects.find((one) => one.projectCode === aboutCode)
  const askedAt = now - plan.age * hourMs
  const replied = plan.reply ? askedAt + plan.reply[1] * hourMs : undefined
  const reasked = plan.reask && replied ? replied + plan.reask[0] * hourMs : undefined
  const closed = plan.closed && replied ? replied + 3 * hourMs : undefined
  const secret = plan.type === complaint
  const forwarded = askedAt + hourMs
  const row: Row<'advice'> = {
    id,
    title: plan.title,
    type: plan.type,
    secret,
    anonymous: plan.anonymous ?? false,
    aboutProject: project?.projectCode ?? null,
    aboutName: project?.name ?? null,
    addresseeKind: kinds[last.groupType] ?? 'platform',
    addresseeGroup: last.groupId,
    addresseeName: last.groupName,
    handlers: [...new Set([first.groupId, last.groupId])],
    submitterId: by.id,
    submitterName: by.name,
    submitterGroup: by.groupId,
    submitterGroupName: by.groupName,
    rounds: reasked ? 2 : 1,
    askedAt: new Date(reasked ?? askedAt),
    firstReplyAt: replied ? new Date(replied) : null,
    repliedAt: replied ? new Date(replied) : null,
    replier: plan.reply ? actor(plan.reply[0]).name : null,
    satisfaction: plan.closed ?? null,
    closedAt: closed ? new Date(closed) : null,
    state: closed ? '2' : replied && !reasked ? '1' : '0',
    version: [plan.forward, plan.note, plan.reply, plan.reask, plan.closed].filter(Boolean).length,
    createTime: new Date(askedAt),
    updateBy: null,
    updateTime: new Date(closed ?? reasked ?? replied ?? askedAt),
  }
  const item = toStated(row)
  const own = secret ? { id: '', name: maskOf(row), groupName: '' } : by
  type Said = { kind: 'ask' | 'reply' | 'forward'; who: Pick<Actor, 'name' | 'groupName'>; text: string; at: number }
  const said: Said[] = [
    { kind: 'ask', who: own, text: plan.text, at: askedAt },
    ...(plan.forward
      ? [{ kind: 'forward' as const, who: actor(plan.forward[0]), text: `转办至${last.groupName}：${plan.forward[2]}`, at: forwarded }]
      : []),
    ...(plan.reply && replied ? [{ kind: 'reply' as const, who: actor(plan.reply[0]), text: plan.reply[2], at: replied }] : []),
    ...(plan.reask && reasked ? [{ kind: 'ask' as const, who: own, text: plan.reask[1], at: reasked }] : []),
  ]
  type Step = {
    action: string
    from: string | null
    to: string
    who: Pick<Actor, 'id' | 'name' | 'groupName'>
    at: number
    opinion?: string
  }
  const steps: Step[] = [
    { action: 'create', from: null, to: '0', who: own, at: askedAt },
    ...(plan.forward
      ? [
          {
            action: 'forward',
            from: '0',
            to: '0',
            who: actor(plan.forward[0]),
            at: forwarded,
            opinion: `转至${last.groupName}：${plan.forward[2]}`,
          },
        ]
      : []),
    ...(plan.reply && replied ? [{ action: 'reply', from: '0', to: '1', who: actor(plan.reply[0]), at: replied }] : []),
    ...(reasked ? [{ action: 'reask', from: '1', to: '0', who: own, at: reasked }] : []),
    ...(closed ? [{ action: 'close', from: '1', to: '2', who: own, at: closed }] : []),
  ]
  const disclosed = { projectCode: null, corpCode: null, shownAt: item.shownAt, groups: item.groups }
  return {
    advice: [row],
    adviceEntry: said.map(({ kind, who, text, at }, i) => ({
      id: idOf(id, 'entry', String(i)),
      adviceId: id,
      kind,
      text,
      bySubmitter: kind === 'ask',
      byName: who.name,
      groupName: who.groupName,
      at: new Date(at),
    })),
    adviceNote: plan.note
      ? [
          {
            id: idOf(id, 'note'),
            adviceId: id,
            groupId: actor(plan.note[0]).groupId,
            text: plan.note[1],
            byName: actor(plan.note[0]).name,
            at: new Date(askedAt + 2 * hourMs),
          },
        ]
      : [],
    processLog: steps.map(({ action, from, to, who, at, opinion }, i) => ({
      id: idOf(id, 'step', String(i)),
      kind: adviceKind.kind,
      objectId: id,
      ...disclosed,
      action,
      fromState: from,
      toState: to,
      byId: who.id,
      byName: who.name,
      groupName: who.groupName,
      opinion: opinion ?? null,
      at: new Date(at),
    })),
    processTodo: todoRows(adviceKind.kind, { id, ...disclosed }, adviceKind.todos(item), item.askedAt, now),
  }
}
