import { stateOf } from '@zhugong/contract/announcements/model'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import type { Context, Group } from '#kit/context'
import type { Row } from '#kit/db'
import { findScope } from '../access/public.ts'
import { tellOne } from '../notify/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { announcementKind, noticePage, toStated } from './kind.ts'
import { freeze } from './recipients.ts'

const product = { id: '', name: '系统', groupName: '系统' }

/** Publishes what waited for its time, and ends what is past its deadline. Each notice by itself, so that one does not hold up the others. */
export async function turnAnnouncements(deps: BackgroundDependencies): Promise<void> {
  const now = new Date(deps.clock.now())
  const { rows } = await sql<{ id: string }>`select a.id from announcement a
    where a.state = ${stateOf.timed} and a.publish_at <= ${now} order by a.publish_at, a.id`.execute(deps.db)
  for (const { id } of rows)
    await publishTimed(deps, id).catch((error: unknown) => deps.log.error({ err: error, id }, 'a timed notice was not published'))
  await endAnnouncements(deps)
}

/** In the name of its group, with what the group reaches now. A second run finds another state and does nothing. */
async function publishTimed(deps: BackgroundDependencies, id: string): Promise<void> {
  const sender = await sql<Group>`select t.id, t.type, t.code, t.name, t.area_code from tenant t join announcement a on a.group_id = t.id
    where a.id = ${id}`.execute(deps.db)
  const group = sender.rows[0]
  if (!group) return
  await asProduct(deps, { userId: '', name: product.name, groupId: group.id, group }, async (ctx) => {
    const now = new Date(ctx.clock.now())
    const { rows } = await sql<Row<'announcement'>>`select a.* from announcement a where a.id = ${id} and a.state = ${stateOf.timed}
      and a.publish_at <= ${now} for update skip locked`.execute(ctx.db)
    const row = rows[0]
    if (!row) return
    const people = await freeze({ ...ctx, scope: await findScope(ctx.db, group, '') }, row)
    const late = row.deadline !== null && row.deadline <= now
    if (people === 0 || late) return giveBack(ctx, row, late ? '签收截止已过' : '接收范围内没有人员')
    await move(ctx, row, { state: stateOf.published, publishTime: now, action: 'timed', opinion: `${people} 人` })
  })
}

interface Step {
  state: Row<'announcement'>['state']
  publishTime: Date | null
  action: string
  opinion: string | null
}
async function move(ctx: Context, row: Row<'announcement'>, { state, publishTime, action, opinion }: Step): Promise<void> {
  const values = { state, publishTime, updateTime: new Date(ctx.clock.now()) }
  const version = await changeRow(ctx, 'announcement', { key: { id: row.id }, version: null, noun: '通知', by: null, values })
  const after = { ...row, ...values, version }
  await writeLog(ctx, announcementKind.kind, toStated(after), { action, from: row.state, to: state, opinion }, product)
  await replaceTodos(ctx, announcementKind, toStated(after))
}

/** Back to the draft, and its author is told why. */
async function giveBack(ctx: Context, row: Row<'announcement'>, why: string): Promise<void> {
  for (const table of ['announcement_reader', 'announcement_unit'])
    await sql`delete from ${sql.table(table)} where announcement_id = ${row.id}`.execute(ctx.db)
  await move(ctx, row, { state: stateOf.draft, publishTime: null, action: 'failed', opinion: why })
  const what = { kind: 'process', title: `定时通知没有发布：${row.title}`, text: `${why}，已退回草稿`, link: noticePage(row.id) }
  await tellOne(ctx.db, { userId: row.createBy, ...what }, ctx.clock.now())
}

async function endAnnouncements(deps: BackgroundDependencies): Promise<void> {
  const now = new Date(deps.clock.now())
  await asProduct(deps, { userId: '', name: product.name, groupId: '' }, async (ctx) => {
    const { rows } = await sql<
      Row<'announcement'>
    >`update announcement set state = ${stateOf.expired}, version = version + 1, update_time = ${now}
      where state = ${stateOf.published} and need_receipt and deadline < ${now} returning *`.execute(ctx.db)
    for (const row of rows)
      await writeLog(
        ctx,
        announcementKind.kind,
        toStated(row),
        { action: 'expire', from: stateOf.published, to: stateOf.expired, opinion: null },
        product,
      )
  })
}
