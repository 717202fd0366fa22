import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/personnel/certificates'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { condition } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { duesWith } from './cert-dues.ts'

interface Due {
  projectWorkerId: string
  projectCode: string
  corpCode: string
  name: string
  title: string
  validEnd: string | null
  subject: string
}
type Items = readonly { projectWorkerId: string; subject: string }[]

/** The given items that are still due, without duplicates: the client's list may be out of date. */
async function stillDue(ctx: Context, items: Items): Promise<Due[]> {
  const ids = [...new Set(items.map((i) => i.projectWorkerId))]
  const seen = await ctx.db.selectFrom('projectWorker').select('id').where('id', 'in', ids).execute()
  if (seen.length < ids.length) throw new AppError('notFound', '人员不存在或不在您的管辖范围内', { field: 'items' })
  const wanted = new Set(items.map((i) => `${i.projectWorkerId}/${i.subject}`))
  const { rows } = await sql<Due>`
    select d.project_worker_id, d.project_code, d.corp_code, d.name, d.title, d.valid_end, d.subject
    from (${duesWith(condition(sql`w.id = any (${ids})`), formatDay(ctx.clock.now()))}) d`.execute(ctx.db)
  return rows.filter((d) => wanted.has(`${d.projectWorkerId}/${d.subject}`))
}

async function writeNotices(ctx: Context, dues: readonly Due[], kind: 'remind' | 'ignore', reason = ''): Promise<void> {
  if (dues.length === 0) return
  await ctx.db
    .insertInto('certNotice')
    .values(
      dues.map((d) => ({
        id: ctx.newId(),
        ...pick(d, 'projectCode', 'corpCode', 'projectWorkerId', 'subject'),
        kind,
        reason,
        createTime: new Date(ctx.clock.now()),
        createBy: ctx.user.id,
        createName: ctx.user.name,
      })),
    )
    .execute()
}

export const remindCerts: HandlerOf<typeof contract.remindCerts> = async ({ body }, ctx) => {
  const dues = await stillDue(ctx, body.items)
  await writeNotices(ctx, dues, 'remind')
  let notifiedCount = 0
  // One message per project and company: an officer responsible for forty people gets one list.
  for (const group of Map.groupBy(dues, (d) => `${d.projectCode}/${d.corpCode}`).values()) {
    const [first] = group
    if (!first) continue
    notifiedCount += await tellKeepers(ctx, {
      projectCode: first.projectCode,
      corpCode: first.corpCode,
      code: 'personnel.cert',
      title: `${group.length} 项证件须处理`,
      text: group
        .map((d) => `${d.name} ${d.title}${d.validEnd ? ` ${d.validEnd} 到期` : ' 缺证'}`)
        .join('；')
        .slice(0, 500),
      link: '/certificate/alarm',
    })
  }
  ctx.note(`证书到期提醒 ${dues.length} 项`, dues[0]?.projectWorkerId)
  return { done: dues.length, gone: body.items.length - dues.length, told: notifiedCount }
}

export const ignoreCerts: HandlerOf<typeof contract.ignoreCerts> = async ({ body }, ctx) => {
  const dues = await stillDue(ctx, body.items)
  await writeNotices(ctx, dues, 'ignore', body.reason)
  ctx.note(`忽略证书预警 ${dues.length} 项（${body.reason}）`, dues[0]?.projectWorkerId)
  return { done: dues.length, gone: body.items.length - dues.length }
}
