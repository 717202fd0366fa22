import type { AlterDetail, listAlters } from '@zhugong/contract/organisation/project-alter'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, equals, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import type { ListContext } from '../exports/registry.ts'
import { linksOf } from '../files/public.ts'
import { actionsFor, toEvent } from '../workflow/public.ts'
import { alterConditions, alterCounts, countAlters, namesIn, readAlters, sightOf, yearOf } from './alter-rows.ts'
import { differencesIn, movedIn, roleOf, wholeChange } from './alter-store.ts'
import { changeKind, hitsOf } from './project-changes.ts'

export const readAlterList: HandlerOf<typeof listAlters> = async ({ query }, ctx) => {
  const sight = await sightOf(ctx)
  const where = alterConditions(sight, query)
  return {
    list: await readAlters(sight, where, { sort: query.sort, ...pageSlice(query) }),
    total: await countAlters(sight, where),
    counts: await alterCounts(sight, query.projectCode),
    year: yearOf(ctx.clock.now()),
  }
}

/** An application with its approval, as far as its paper and its page show the same. */
export async function readAlterPaper(ctx: ListContext, id: string) {
  const sight = await sightOf(ctx)
  const [row] = await readAlters(sight, allOf(alterConditions(sight, {}), ...equals('x.id', id)), {})
  const base = found(row, '变更申请')
  const whole = found(await wholeChange(ctx, id), '变更申请')
  const { change, person } = whole
  const names = await namesIn(ctx, [id])
  const { rows } = await sql<Row<'workEvent'>>`select * from zg_change_events(${id})`.execute(ctx.db)
  return {
    whole,
    paper: {
      ...base,
      ...pick(change, 'reason', 'opinion', 'decidedName'),
      decideTime: change.decideTime && formatInstant(change.decideTime),
      differences: differencesIn(whole, names),
      person: person && { ...person, role: roleOf(change.type), corpName: names.get(person.corpCode) ?? person.corpCode },
      files: linksOf(ctx, change.files),
      consent: linksOf(ctx, change.consent),
      events: rows.map(toEvent),
    },
  }
}

export async function readAlter(ctx: Context, id: string): Promise<AlterDetail> {
  const { whole, paper } = await readAlterPaper(ctx, id)
  const running = paper.state === approvalStates.running
  const itemId = await ownItem(ctx, id)
  const actions = (await actionsFor(ctx, changeKind, [id])).get(id)?.actions ?? []
  const { person } = paper
  return {
    ...paper,
    person: person
      ? {
          ...pick(person, 'role', 'corpName', 'oldName', 'newName', 'idCardMask', 'cellPhoneMask'),
        }
      : null,
    moved: running ? await movedIn(ctx, whole) : [],
    hits: running && itemId ? await hitsOf(ctx, whole) : [],
    itemId,
    mayWithdraw: actions.includes('withdraw'),
  }
}

/** The approval of an application, if the caller's group takes part in it. */
async function ownItem(ctx: Pick<Context, 'db'>, id: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select i.id from work_item i join zg_change_course(${id}) k on k.item_id = i.id`.execute(
    ctx.db,
  )
  return rows[0]?.id ?? null
}
