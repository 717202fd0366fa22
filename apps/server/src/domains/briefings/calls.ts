import * as contract from '@zhugong/contract/briefings/calls'
import { type BriefingAction, type BriefingType, gangMoves } from '@zhugong/contract/briefings/moves'
import { signGangBriefing, signManagerBriefing } from '@zhugong/contract/briefings/seats'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, found, oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf, Serve } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { createOnce, forgetRecord, offersFor, sign, take, writeLog } from '../process/public.ts'
import { readDesk } from './desk.ts'
import { readBriefing } from './detail.ts'
import { countGaps, countUnbriefed, readGaps, readUnbriefed } from './gaps.ts'
import { type Briefing, gangKind, kindOf, managerKind, pageOf } from './kind.ts'
import { conditions, countBriefings, countsOf, readBriefings } from './rows.ts'
import { type Body, type BriefingFields, briefingColumns, settleReplaced, write, writeBriefing, writeReceivers } from './writes.ts'

const gang: BriefingType = 'safetyPTechnical'
const managers: BriefingType = 'technical'

export function briefingRoutes(serve: Serve): void {
  serve(contract.gangBriefings, gangBriefings)
  serve(contract.listManagerBriefings, ({ query }, ctx) => list(ctx, managers, query))
  serve(contract.briefingDesk, readDesk)
  serve(contract.getGangBriefing, ({ params: { id } }, ctx) => readBriefing(ctx, gang, id))
  serve(contract.getManagerBriefing, ({ params: { id } }, ctx) => readBriefing(ctx, managers, id))
  serve(contract.createGangBriefing, ({ query, body }, ctx) => create(ctx, gang, query.projectCode, body))
  serve(contract.createManagerBriefing, ({ query, body }, ctx) => create(ctx, managers, query.projectCode, body))
  serve(contract.changeGangBriefing, async ({ params: { id }, body }, ctx) => answerOf(await change(ctx, gang, id, body)))
  serve(contract.changeManagerBriefing, async ({ params: { id }, body }, ctx) => answerOf(await change(ctx, managers, id, body)))
  serve(contract.removeGangBriefing, ({ params: { id } }, ctx) => remove(ctx, gang, id))
  serve(contract.removeManagerBriefing, ({ params: { id } }, ctx) => remove(ctx, managers, id))
  serve(contract.remindGap, remindGap)
  serve(signGangBriefing, async ({ params: { id }, body }, ctx) => {
    await sign(ctx, gangKind, id, body)
    return undefined
  })
  serve(signManagerBriefing, async ({ params: { id }, body }, ctx) => {
    await sign(ctx, managerKind, id, body)
    return undefined
  })
}

type Query = NonNullable<(typeof contract.listGangBriefings)['types']>['parsed']['query'] & { kind?: readonly string[] | undefined }

async function list(ctx: Context, type: BriefingType, query: Query) {
  const where = conditions(ctx, type, query)
  const rows = await readBriefings(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list: rows, total: await countBriefings(ctx, where), counts: await countsOf(ctx, type, query.projectCode) }
}

const gangBriefings: HandlerOf<typeof contract.gangBriefings> = async ({ query }, ctx) => {
  const { view, kind, soon, fresh, present, sort, ...shared } = query
  const { projectCode, name, workType, team } = shared
  if (view === 'gap') {
    const filters = { projectCode, name, kind, soon, sort: sort === 'since' || sort === '-since' ? sort : undefined }
    return { list: await readGaps(ctx, filters, pageSlice(query)), total: await countGaps(ctx, filters) }
  }
  if (view === 'people') {
    const known = sort === 'entryTime' || sort === '-entryTime' || sort === 'name' || sort === '-name' ? sort : undefined
    const filters = { projectCode, name, workType, team, fresh, present, sort: known }
    return { list: await readUnbriefed(ctx, filters, pageSlice(query)), total: await countUnbriefed(ctx, filters) }
  }
  const own = sort === 'since' || sort === '-since' || sort === 'entryTime' || sort === '-entryTime' ? undefined : sort
  return list(ctx, gang, { ...shared, sort: own })
}

type Stored = Pick<Briefing, 'id' | 'code' | 'version' | 'state'>
const answerOf = ({ id, code, version, state }: Stored) => ({ id, code, version, state })
interface Created {
  id: string
  action: 'save' | 'begin'
}
async function create(ctx: Context, type: BriefingType, requested: string, body: Created & BriefingFields) {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, requested)
  await seesProject(ctx, projectCode)
  const kind = kindOf(type)
  const row = await createOnce(ctx, kind, id, {
    among: sql`type = ${type}`,
    insert: () => insertDraft(ctx, { id, type, projectCode }, fields as BriefingFields),
    again: ({ version }) => change(ctx, type, id, { action, version, ...fields } as Body),
    begin: async (draft) => {
      await writeReceivers(ctx, draft, (fields as BriefingFields).receivers)
      if (action === 'save') {
        await writeLog(ctx, type, draft, { action: 'create', from: null, to: draft.state })
        ctx.note(`起草${kind.noun}`, id)
        return draft
      }
      const after = await take(ctx, kind, { id, action, version: draft.version }, (own) =>
        write(ctx, own, action, fields as BriefingFields),
      )
      await settleReplaced(ctx, type, after.replacesId)
      await tell(ctx, action, after)
      return after
    },
  })
  return answerOf(row)
}

async function insertDraft(
  ctx: Context,
  { id, type, projectCode }: { id: string; type: BriefingType; projectCode: string },
  fields: BriefingFields,
): Promise<void> {
  const columns = await briefingColumns(ctx, projectCode, fields)
  await ctx.db
    .insertInto('briefing')
    .values({
      id,
      type,
      projectCode,
      ...columns,
      groups: [ctx.group.id],
      authorGroup: ctx.group.id,
      authorGroupName: ctx.group.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
}

async function change(ctx: Context, type: BriefingType, id: string, body: Body): Promise<Briefing> {
  const { action, version } = body
  const after = await take(ctx, kindOf(type), { id, action, version }, (row) => writeBriefing(ctx, row, body))
  if (action === 'begin') await settleReplaced(ctx, type, after.replacesId)
  await tell(ctx, action, after)
  return after
}

/** What the site is told beside its to-dos. */
const messages: Partial<Record<BriefingAction, string>> = {
  redo: '交底被要求重做',
  comment: '交底有新的批阅意见',
  remind: '请尽快收齐交底签字',
}

async function tell(ctx: Context, action: BriefingAction, row: Briefing): Promise<void> {
  const title = messages[action]
  if (!title) return
  const { projectCode, corpCode, authorGroup: groupId } = row
  const text = `${row.code ?? ''} ${row.name}`
  await tellKeepers(ctx, { projectCode, corpCode, groupId, code: gangMoves.begin.needs, title, text, link: pageOf(row), kind: 'rectify' })
}

async function remove(ctx: Context, type: BriefingType, id: string): Promise<undefined> {
  const kind = kindOf(type)
  const row = await kind.lock(ctx, id)
  if (!offersFor(ctx, kind, row).some((one) => one.action === 'save')) throw new AppError('refused', '只有编制方可以删除，且只能删除草稿')
  await forgetRecord(ctx, type, id)
  await sql`delete from briefing where id = ${id}`.execute(ctx.db)
  ctx.note(`删除${kind.noun}草稿`, id)
  return undefined
}

const dayMs = 86_400_000

const remindGap: HandlerOf<typeof contract.remindGap> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await seesProject(ctx, projectCode)
  const kind = body.teamId === null ? 'work' : 'team'
  const id = body.teamId ?? body.bigProjectId
  const gap = found(
    (await readGaps(ctx, { projectCode, kind: [kind] })).find((one) => one.id === id),
    '未交底事项',
  )
  const now = new Date(ctx.clock.now())
  const { rows } = await sql`insert into briefing_reminder as m (id, project_code, kind, subject_id, by_id, by_name, at)
    values (${ctx.newId()}, ${projectCode}, ${kind}, ${gap.id}, ${ctx.user.id}, ${ctx.user.name}, ${now})
    on conflict (project_code, kind, subject_id) do update set at = excluded.at, by_id = excluded.by_id, by_name = excluded.by_name
      where m.at <= ${new Date(ctx.clock.now() - dayMs)} returning m.id`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('refused', '24 小时内已督促过')
  const recipients = await tellKeepers(ctx, {
    projectCode,
    corpCode: null,
    code: gangMoves.begin.needs,
    title: '请补做安全技术交底',
    text: `${gap.name}${gap.remark ? `（${gap.remark}）` : ''}`,
    link: '/safetyP/technical/list?view=gap',
    kind: 'rectify',
  })
  ctx.note(`督促补交底“${gap.name}”`, gap.id)
  return { told: recipients }
}
