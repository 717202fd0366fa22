import { stateOf } from '@zhugong/contract/announcements/model'
import type { NoticeLine } from '@zhugong/contract/announcements/moves'
import { hourMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { findScope } from '#domains/access/public'
import { announcementKind, toStated } from '#domains/announcements/kind'
import { aboveOf } from '#domains/announcements/reach'
import { freeze, putLines } from '#domains/announcements/recipients'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Group } from '#kit/context'
import type { Row, Tx } from '#kit/db'
import { richText } from '#kit/rich-text'
import { type AnnouncementPlan, announcementPlans } from './announcement-plan.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const published: readonly string[] = [stateOf.published, stateOf.recalled, stateOf.expired]
/** Of a hundred recipients who sign, by district; others as the last. */
const rates: readonly (readonly [area: string, signed: number])[] = [
  ['420200', 95],
  ['420202', 80],
  ['420203', 60],
]
const [usualRate, readLead] = [70, 12]

type Author = Group & { userId: string; userName: string }
async function authorsOf(tx: Tx): Promise<Map<string, Author>> {
  const { rows } = await sql<
    Author & { account: string }
  >`select u.account, u.id as user_id, u.name as user_name, t.id, t.type, t.code, t.name, t.area_code
    from app_user u join member m on m.user_id = u.id and m.is_default join tenant t on t.id = m.group_id`.execute(tx)
  return new Map(rows.map(({ account, ...author }) => [account, author]))
}

/** Thirty notices of all types with the accounts that the demonstration has, one draft with three lines, one timed, one recalled. */
export async function seedAnnouncements(tx: Tx, city: City, now: number): Promise<void> {
  const authors = await authorsOf(tx)
  for (const plan of announcementPlans) {
    const author = authors.get(plan.by)
    if (author) await seedOne(tx, city, plan, author, now)
  }
  await answered(tx, now)
}

const plain: NoticeLine = { kind: 'all', areas: [], groups: [], members: [], roles: [], except: [] }
/** The draft for the flood: a district, the sites' safety people of another, and the companies of the city. */
const floodLines: readonly NoticeLine[] = [
  { ...plain, kind: 'area', areas: ['420202'] },
  { ...plain, kind: 'area', areas: ['420203'], roles: ['项目管理员', '安全员'] },
  { ...plain, roles: ['企业管理员', '企业设备员'] },
]

async function seedOne(tx: Tx, city: City, plan: AnnouncementPlan, author: Author, now: number): Promise<void> {
  const id = idOf(city.seed, 'announcement', plan.title)
  const state = plan.state ?? stateOf.published
  const morning = startOfDay(addDays(formatDay(now), -plan.daysAgo)) + (plan.daysAgo === 0 ? 0 : 9 * hourMs)
  const at = plan.daysAgo < 0 ? now - hourMs : Math.min(morning, now - hourMs)
  const group: Group = { id: author.id, type: author.type, code: author.code, name: author.name, areaCode: author.areaCode }
  const ctx = {
    db: tx,
    system: tx,
    group,
    scope: await findScope(tx, group, author.userId),
    clock: { now: () => now },
    newId: sequence(id),
  }
  const { html, text } = richText(`${plan.about.map((one) => `<p>${one}</p>`).join('')}<p>（演示数据，内容为虚构文本）</p>`)
  const whenPublished = published.includes(state) ? new Date(at) : null
  const begins = plan.daysAgo < 0 ? morning : at
  await insertAll(tx, 'announcement', [
    {
      id,
      groupId: group.id,
      groupName: group.name,
      above: await aboveOf(ctx),
      title: plan.title,
      type: plan.type,
      content: html,
      body: text,
      needReceipt: plan.signWithinHours !== undefined,
      needSignature: plan.signature ?? false,
      deadline: plan.signWithinHours === undefined ? null : new Date(endOf(plan, begins, now)),
      top: plan.top ?? false,
      publishAt: state === stateOf.timed ? new Date(morning) : null,
      publishTime: whenPublished,
      state,
      submitBy: state === stateOf.submitted ? 'nobody' : null,
      recallReason: state === stateOf.recalled ? '附件引用了旧版条件，修改后重新发布' : null,
      recallTime: state === stateOf.recalled ? new Date(at + 5 * hourMs) : null,
      urgedAt: null,
      createBy: author.userId,
      createName: author.userName,
      createTime: new Date(at - hourMs),
      updateBy: author.userId,
      updateTime: new Date(at),
    },
  ])
  await putLines(ctx, id, plan.state === stateOf.draft ? floodLines : [{ ...plain, roles: [...(plan.roles ?? [])] }])
  const row = await tx.selectFrom('announcement').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (whenPublished) await freeze(ctx, row)
  await logged(tx, row, author, at)
  const stated = toStated(row)
  await insertAll(tx, 'processTodo', todoRows(announcementKind.kind, stated, announcementKind.todos(stated), new Date(at), now))
}

/** A deadline that is over where the plan says so, and ahead where it does not. */
const endOf = ({ state, signWithinHours = 0, daysAgo }: AnnouncementPlan, begins: number, now: number): number =>
  state === stateOf.expired ? now - (daysAgo / 2) * 24 * hourMs : Math.max(begins + signWithinHours * hourMs, now + 20 * hourMs)

const sequence = (id: string) => {
  let n = 0
  return () => idOf(id, 'row', String(n++))
}

const steps: Readonly<Record<string, readonly (readonly [action: string, from: string, to: string])[]>> = {
  [stateOf.published]: [['publish', '0', '2']],
  [stateOf.recalled]: [
    ['publish', '0', '2'],
    ['recall', '2', '3'],
  ],
  [stateOf.expired]: [
    ['publish', '0', '2'],
    ['expire', '2', '4'],
  ],
  [stateOf.timed]: [['publish', '0', '5']],
  [stateOf.submitted]: [['submit', '0', '1']],
}
async function logged(tx: Tx, row: Row<'announcement'>, author: Author, at: number): Promise<void> {
  const byProduct = { byId: '', byName: '系统', groupName: '系统' }
  const byAuthor = { byId: author.userId, byName: author.userName, groupName: author.name }
  await insertAll(
    tx,
    'processLog',
    (steps[row.state] ?? []).map(([action, fromState, toState]) => ({
      id: idOf(row.id, 'step', action),
      kind: announcementKind.kind,
      objectId: row.id,
      projectCode: null,
      corpCode: null,
      shownAt: null,
      groups: [row.groupId],
      action,
      fromState,
      toState,
      ...(action === 'expire' ? byProduct : byAuthor),
      opinion: action === 'recall' ? row.recallReason : null,
      at: action === 'recall' ? (row.recallTime ?? new Date(at)) : action === 'expire' ? (row.deadline ?? new Date(at)) : new Date(at),
    })),
  )
}

/** Each district reads and signs at its own rate. The newest notices are still open for everybody. */
async function answered(tx: Tx, now: number): Promise<void> {
  const place = sql`row_number() over (partition by r.announcement_id, r.area_code order by md5(r.user_id || r.announcement_id)) * 100
    / count(*) over (partition by r.announcement_id, r.area_code)`
  const rate = sql`case r.area_code ${sql.join(
    rates.map(([area, signed]) => sql`when ${area} then ${signed}::int`),
    sql` `,
  )} else ${usualRate}::int end`
  await sql`with placed as (select r.announcement_id, r.user_id, ${place} as place, ${rate} as rate from announcement_reader r)
    update announcement_reader r set
      read_time = case when p.place <= p.rate + ${readLead}::int then least(a.publish_time + p.place * interval '7 minutes' + interval '20 minutes', ${new Date(now)}) end,
      receipt_time = case when a.need_receipt and not a.need_signature and p.place <= p.rate
        then least(a.publish_time + p.place * interval '7 minutes' + interval '25 minutes', ${new Date(now)}) end
    from placed p join announcement a on a.id = p.announcement_id
    where r.announcement_id = p.announcement_id and r.user_id = p.user_id and a.publish_time < ${new Date(now - 26 * hourMs)}`.execute(tx)
}
