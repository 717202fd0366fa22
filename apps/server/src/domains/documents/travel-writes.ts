import type * as contract from '@zhugong/contract/documents/travel'
import { openStates, stopStates, urgeHours } from '@zhugong/contract/documents/travel-moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, filePaths, keptFiles } from '../files/public.ts'
import { tellOne } from '../notify/public.ts'
import { replaceTodos, take, writeLog } from '../process/public.ts'
import { afterReading, targetsOf, toStated, travelKind, travelPage } from './travel-kind.ts'
import { inArchive, zipped } from './zipped.ts'

export const listTargets: HandlerOf<typeof contract.travelTargets> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  return { list: await targetsOf(ctx) }
}

/** Refuses a day that is over. @throws AppError `invalidInput` */
function requireAhead(ctx: Context, deadline: string | null): void {
  if (deadline !== null && deadline < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '截止日期已过', { field: 'deadline' })
}

interface Sending {
  to: readonly string[]
  remark: string | null
  deadline: string | null
  above: readonly string[]
}
/** Sends a paper to groups of the next level that do not have it yet. Returns how many. */
async function sendTo(ctx: Context, paper: Pick<Row<'travelPaper'>, 'id' | 'title' | 'requirement'>, sending: Sending): Promise<number> {
  const targets = new Map((await targetsOf(ctx)).map((one) => [one.id, one]))
  const known = await sql<{ toGroup: string }>`select x.to_group from travel_stop x where x.paper_id = ${paper.id}`.execute(ctx.db)
  const have = new Set(known.rows.map((one) => one.toGroup))
  const now = new Date(ctx.clock.now())
  let sent = 0
  for (const id of new Set(sending.to)) {
    const target = targets.get(id)
    if (!target) throw new AppError('invalidInput', '只能下发给下一级单位', { field: 'to' })
    if (have.has(id)) continue
    const stop = await ctx.db
      .insertInto('travelStop')
      .values({
        id: ctx.newId(),
        paperId: paper.id,
        fromGroup: ctx.group.id,
        fromName: ctx.group.name,
        toGroup: id,
        toName: target.name,
        toType: target.type,
        above: [...sending.above],
        remark: sending.remark,
        deadline: sending.deadline,
        readAt: null,
        urgedAt: null,
        updateBy: ctx.user.id,
        updateTime: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    // Another level has sent it there already.
    if (!stop) continue
    const stated = toStated({ ...stop, title: paper.title, requirement: paper.requirement })
    await writeLog(ctx, travelKind.kind, stated, { action: 'issue', from: null, to: stated.state, opinion: sending.remark })
    await replaceTodos(ctx, travelKind, stated)
    sent++
  }
  return sent
}

export const issueTravel: HandlerOf<typeof contract.issueTravel> = async ({ query, body: { id, to, files, ...given } }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const before = await sql<{ n: number }>`select count(x.id)::int as n from travel_paper p join travel_stop x on x.paper_id = p.id
    where p.id = ${id} and p.by_id = ${ctx.user.id} group by p.id`.execute(ctx.db)
  if (before.rows[0]) return { id, recipients: before.rows[0].n }
  requireAhead(ctx, given.deadline)
  const paper = { id, ...given, files: await keptFiles(ctx, fileIdsOf(files)) }
  await ctx.db
    .insertInto('travelPaper')
    .values({ ...paper, fromGroup: ctx.group.id, fromName: ctx.group.name, byId: ctx.user.id, issueTime: new Date(ctx.clock.now()) })
    .execute()
  const recipients = await sendTo(ctx, paper, { to, remark: null, deadline: given.deadline, above: [ctx.group.id] })
  ctx.note(`下发资料给 ${recipients} 个单位`, id)
  return { id, recipients }
}

export const changeTravel: HandlerOf<typeof contract.changeTravel> = async ({ params: { id }, query, body }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const after = await take(ctx, travelKind, { id, action: body.action, version: body.version }, async (row) => {
    switch (body.action) {
      case 'read':
        return { to: afterReading(row.requirement), values: { readAt: new Date(ctx.clock.now()) } }
      case 'forward': {
        requireAhead(ctx, body.deadline)
        if (row.deadline !== null && body.deadline !== null && body.deadline > row.deadline)
          throw new AppError('invalidInput', `不能晚于您的截止日期 ${row.deadline}`, { field: 'deadline' })
        const paper = { id: row.paperId, title: row.title, requirement: row.requirement }
        const above = [...row.above, ctx.group.id]
        const n = await sendTo(ctx, paper, { to: body.to, remark: body.remark, deadline: body.deadline ?? row.deadline, above })
        if (n === 0) throw new AppError('refused', '所选单位都已收到', { field: 'to' })
        // What is asked for is still to be submitted; a paper that only has to be passed on is done.
        return { to: row.state === stopStates.toForward ? stopStates.done : row.state, opinion: `转发 ${n} 个单位` }
      }
      case 'submit': {
        const files = await keptFiles(ctx, fileIdsOf(body.files))
        await sql`insert into travel_round (stop_id, no, files, note, by_name, at)
          select ${id}, coalesce(max(r.no), 0) + 1, ${files}::text[], ${body.note}, ${ctx.user.name}, ${new Date(ctx.clock.now())}
          from travel_round r where r.stop_id = ${id}`.execute(ctx.db)
        return { opinion: body.note }
      }
      case 'accept':
        await judge(ctx, id, true, null)
        return {}
      case 'return':
        await judge(ctx, id, false, body.opinion)
        return { opinion: body.opinion }
    }
  })
  return { id, version: after.version, state: after.state }
}

/** Of the newest submission; those before it stay as they are. */
const judge = (ctx: Context, stopId: string, passed: boolean, opinion: string | null) =>
  sql`update travel_round set passed = ${passed}, opinion = ${opinion}
    where stop_id = ${stopId} and no = (select max(r.no) from travel_round r where r.stop_id = ${stopId})`.execute(ctx.db)

export const urgeTravel: HandlerOf<typeof contract.urgeTravel> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const now = ctx.clock.now()
  const { rows } = await sql<
    Row<'travelStop'> & { title: string }
  >`select x.*, p.title from travel_stop x join travel_paper p on p.id = x.paper_id
    where x.paper_id = ${id} and x.from_group = ${ctx.group.id} for update of x`.execute(ctx.db)
  found(rows[0], '下发记录')
  const last = Math.max(0, ...rows.map((one) => one.urgedAt?.getTime() ?? 0))
  if (now < last + urgeHours * hourMs)
    throw new AppError('refused', `${formatInstant(last).slice(11, 16)} 已催办，${urgeHours} 小时内不能重复催办`)
  const waiting = rows.filter((one) => openStates.includes(one.state))
  if (waiting.length === 0) throw new AppError('refused', '没有需要催办的单位')
  await sql`update travel_stop set urged_at = ${new Date(now)} where id = any (${waiting.map((one) => one.id)})`.execute(ctx.db)
  // The members of other groups are not read by the roles of requests.
  const people = await sql<{ userId: string; groupId: string }>`select distinct m.user_id, m.group_id from member m
      join member_role x on x.member_id = m.id join role r on r.id = x.role_id
    where m.group_id = any (${waiting.map((one) => one.toGroup)}) and m.enable = '1' and 'documents.upload' = any (r.codes)`.execute(
    ctx.system,
  )
  for (const { userId, groupId } of people.rows) {
    const stop = waiting.find((one) => one.toGroup === groupId)
    const due = stop?.deadline ? `，截止 ${stop.deadline}` : ''
    const text = `${ctx.group.name}催办${due}`
    ctx.afterCommit(() =>
      tellOne(ctx.system, { userId, kind: 'process', title: `催办：${stop?.title ?? ''}`, text, link: travelPage(id) }, now),
    )
  }
  ctx.note(`催办 ${waiting.length} 个单位`, id)
  return { told: waiting.length }
}

export const zipTravel =
  (folder: string): HandlerOf<typeof contract.zipTravel> =>
  async ({ params: { id }, query }, ctx) => {
    await seesProject(ctx, query.projectCode)
    const { rows } = await sql<{ toName: string; no: number; files: string[] }>`select x.to_name, r.no, r.files from travel_stop x
      join travel_round r on r.stop_id = x.id where x.paper_id = ${id} and x.from_group = ${ctx.group.id}
      and r.no = (select max(l.no) from travel_round l where l.stop_id = x.id) order by x.to_name`.execute(ctx.db)
    if (rows.length === 0) throw new AppError('refused', '还没有单位上报')
    const ids = rows.flatMap((one) => one.files)
    const contents = await filePaths(ctx, folder, ids)
    const { rows: files } = await sql<{
      id: string
      name: string
    }>`select f.id, f.name from stored_file f where f.id = any (${ids})`.execute(ctx.system)
    const names = new Map(files.map((one) => [one.id, one.name]))
    const entries = rows.flatMap(({ toName, files: own }) =>
      own.map((file) => ({ name: `${inArchive(toName)}/${names.get(file) ?? file}`, path: contents.get(file) })),
    )
    return zipped('上报材料.zip', entries)
  }
