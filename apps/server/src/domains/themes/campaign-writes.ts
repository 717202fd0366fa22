import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/themes/calls'
import { themeName } from '@zhugong/contract/themes/catalogue'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { tellOne } from '../notify/public.ts'
import { createOnce, forgetRecord, type Outcome, offersFor, take, writeLog } from '../process/public.ts'
import { type Campaign, campaignKind, campaignPage, campaignType } from './kind.ts'
import { storeObjects } from './objects.ts'

type Fields = Omit<ParsedFor<typeof contract.createThemeCampaign>['body'], 'id' | 'action'>
type Body = ParsedFor<typeof contract.changeThemeCampaign>['body']
type Stored = Pick<Campaign, 'id' | 'version' | 'state'>

const answerOf = ({ id, version, state }: Stored) => ({ id, version, state })
const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** The columns of a campaign that has not begun. @throws AppError `invalidInput` */
async function columnsOf(ctx: Context, projectCode: string, { ownObjects, points, ...fields }: Fields) {
  if (fields.endDate < fields.startDate) throw refuse('endDate', '结束日期不能早于开始日期')
  if (new Set(fields.persons).size < fields.persons.length) throw refuse('persons', '检查人重复')
  const twice = ownObjects.findIndex((name, at) => ownObjects.indexOf(name) !== at)
  if (twice >= 0) throw refuse(`ownObjects.${twice}`, `“${ownObjects[twice]}”重复`)
  const names = points.map((one) => one.name)
  const again = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (again >= 0) throw refuse(`points.${again}.name`, `“${names[again]}”重复`)
  if (fields.noticeId !== null) {
    const { rows } = await sql`select from rectify where id = ${fields.noticeId} and project_code = ${projectCode}`.execute(ctx.db)
    if (rows.length === 0) throw refuse('noticeId', '通知书不存在')
  }
  const coded = points.map((one, at) => ({ code: `T${fields.theme}-P${String(at + 1).padStart(2, '0')}`, ...one }))
  return { ...fields, registers: [...new Set(fields.registers)], points: JSON.stringify(coded) }
}

export const createCampaign: HandlerOf<typeof contract.createThemeCampaign> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await createOnce(ctx, campaignKind, id, {
    insert: () => insertCampaign(ctx, id, projectCode, fields),
    again: ({ version }) => change(ctx, id, { action, version, ...fields }),
    begin: async (draft) => {
      if (action === 'start') return change(ctx, id, { action, version: draft.version, ...fields })
      await storeObjects(ctx, draft, fields.ownObjects, false)
      await writeLog(ctx, campaignType, draft, { action: 'create', from: null, to: draft.state })
      ctx.note('起草专项检查', id)
      return draft
    },
  })
  return answerOf(row)
}

async function insertCampaign(ctx: Context, id: string, projectCode: string, fields: Fields): Promise<void> {
  await ctx.db
    .insertInto('themeCampaign')
    .values({
      id,
      projectCode,
      corpCode: null,
      groups: [ctx.group.id],
      leaderGroup: ctx.group.id,
      leaderGroupName: ctx.group.name,
      ...(await columnsOf(ctx, projectCode, fields)),
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
}

export const changeCampaign: HandlerOf<typeof contract.changeThemeCampaign> = async ({ params: { id }, body }, ctx) =>
  answerOf(await change(ctx, id, body))

async function change(ctx: Context, id: string, body: Body): Promise<Campaign> {
  const { action, version } = body
  const after = await take(ctx, campaignKind, { id, action, version }, (row) => write(ctx, row, body))
  if (action === 'start') await tellPersons(ctx, after)
  return after
}

async function write(ctx: Context, row: Campaign, body: Body): Promise<Outcome<Campaign>> {
  const now = new Date(ctx.clock.now())
  switch (body.action) {
    case 'save':
    case 'start':
      return writeDraft(ctx, row, body)
    case 'report':
      return { values: { report: body.report, reportedAt: now } }
    case 'close':
      return { values: { closedAt: now }, opinion: row.report }
    case 'archive':
      return {}
  }
}

async function writeDraft(ctx: Context, row: Campaign, body: Extract<Body, { action: 'save' | 'start' }>): Promise<Outcome<Campaign>> {
  const { action, version: _version, ...fields } = body
  const columns = await columnsOf(ctx, row.projectCode, fields)
  // What is missing in the registers depends on those that are chosen now.
  await sql`update theme_campaign set registers = ${columns.registers} where id = ${row.id}`.execute(ctx.db)
  const begins = action === 'start'
  const shownAt = begins ? new Date(ctx.clock.now()) : null
  await storeObjects(ctx, { ...row, shownAt }, fields.ownObjects, begins)
  const values = { ...columns, shownAt } as unknown as Partial<Campaign>
  if (!begins) return { values }
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from theme_object where campaign_id = ${row.id}`.execute(ctx.db)
  if (!rows[0]?.n) throw refuse('registers', '没有检查对象：所选台账为空，请选择台账或自列对象')
  return { values, opinion: `${rows[0].n} 个对象，${fields.points.length} 个要点` }
}

/** Those who are named and have an account in the group that leads. */
async function tellPersons(ctx: Context, row: Campaign): Promise<void> {
  const { rows } = await sql<{ id: string }>`select distinct u.id from member m join app_user u on u.id = m.user_id
    where m.group_id = ${row.leaderGroup} and m.enable = '1' and u.name = any (${row.persons}) and u.id <> ${ctx.user.id}`.execute(
    ctx.system,
  )
  const title = `专项检查：${row.title}`
  const text = `${themeName(row.theme)}，${row.startDate} 至 ${row.endDate}，共 ${row.objectCount} 个对象，请按要点检查`
  for (const { id } of rows)
    await tellOne(ctx.system, { userId: id, kind: 'rectify', title, text, link: campaignPage(row.id) }, ctx.clock.now())
}

export const removeCampaign: HandlerOf<typeof contract.removeThemeCampaign> = async ({ params: { id } }, ctx) => {
  const row = await campaignKind.lock(ctx, id)
  if (!offersFor(ctx, campaignKind, row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有发起方可以删除，且只能删除草稿')
  await forgetRecord(ctx, campaignType, id)
  await sql`delete from theme_campaign where id = ${id}`.execute(ctx.db)
  ctx.note('删除专项检查草稿', id)
  return undefined
}
