import { idOf } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { rectifyKind } from '#domains/rectify/public'
import { formatDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import type { Actor } from './actors.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const minute = 60_000

interface Order {
  id: string
  code: string
  origin: 'gov' | 'site'
  projectCode: string
  corpCode: string
  source: { kind: string; id: string }
  sourceType: string
  issuer: Actor
  /** Who answers on the site. */
  answerer: Actor
  at: Date
  deadline: string
  description: string
  requirement: string
  part: string
  placeId?: string | null
  photos: string[]
  /** When it was answered; undefined: it is received only. */
  answered?: { at: Date; measure: string; closed: boolean }
}

/** One order about the quality of work that another record found wanting: received, answered or closed. */
export async function putOrder(tx: Tx, order: Order, now: number): Promise<void> {
  const { id, code, origin, projectCode, corpCode, source, sourceType, issuer, answerer, at, deadline, answered } = order
  const disclosed = { projectCode, corpCode, shownAt: at, groups: [issuer.groupId] }
  const state = answered ? (answered.closed ? '7' : '4') : '2'
  const received = new Date(at.getTime() + 40 * minute)
  await insertAll(tx, 'rectify', [
    {
      id,
      code,
      origin,
      ...disclosed,
      issuerGroup: issuer.groupId,
      issuerGroupName: issuer.groupName,
      issuerId: issuer.id,
      issuerName: issuer.name,
      sourceType,
      sourceKind: source.kind,
      sourceId: source.id,
      noticeType: '2',
      category: '02',
      level: '1',
      majorClause: null,
      checkDate: formatDay(at),
      deadline,
      responsiblePerson: answerer.name,
      issueTime: at,
      receiver: answerer.name,
      receiveTime: received,
      replyTime: answered?.at ?? null,
      replierId: answered ? answerer.id : null,
      urgedAt: null,
      closeTime: answered?.closed ? answered.at : null,
      state,
      version: 3,
      createBy: issuer.id,
      createTime: at,
      updateBy: issuer.id,
      updateTime: answered?.at ?? received,
    },
  ])
  const lineId = idOf(id, 'line', '0')
  await insertAll(tx, 'rectifyLine', [
    {
      id: lineId,
      rectifyId: id,
      ...disclosed,
      seq: 1,
      description: order.description,
      part: order.part,
      placeId: order.placeId ?? null,
      planId: null,
      pinX: null,
      pinY: null,
      clause: null,
      requirement: order.requirement,
      person: answerer.name,
      photos: order.photos,
      state: answered ? (answered.closed ? 'passed' : 'answered') : 'open',
    },
  ])
  if (answered)
    await insertAll(tx, 'rectifyAnswer', [
      {
        lineId,
        round: 1,
        rectifyId: id,
        ...disclosed,
        measure: answered.measure,
        photos: order.photos,
        person: answerer.name,
        byId: answerer.id,
        byName: answerer.name,
        at: answered.at,
        draft: false,
        ...(answered.closed ? { reviewPassed: true, recheckPassed: true } : {}),
      },
    ])
  const log = (action: string, from: string, to: string, by: Actor, when: Date): Insertable<Tables['processLog']> => ({
    id: idOf(id, 'log', action),
    kind: rectifyKind.kind,
    objectId: id,
    ...disclosed,
    action,
    fromState: from,
    toState: to,
    byId: by.id,
    byName: by.name,
    groupName: by.groupName,
    opinion: null,
    at: when,
  })
  await insertAll(tx, 'processLog', [
    log('issue', '0', '1', issuer, at),
    log('sign', '1', '2', answerer, received),
    ...(answered ? [log('reply', '2', '4', answerer, answered.at)] : []),
    ...(answered?.closed ? [log('recheckPass', '5', '7', issuer, new Date(Math.min(answered.at.getTime() + 30 * minute, now)))] : []),
  ])
  const { rows } = await sql<Row<'rectify'>>`select * from rectify where id = ${id}`.execute(tx)
  const todos = rows.flatMap((row) => rectifyKind.todos({ ...row, repliers: [] } as never))
  await insertAll(tx, 'processTodo', todoRows(rectifyKind.kind, { id, ...disclosed }, todos, received, now))
}
