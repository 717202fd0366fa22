import * as contract from '@zhugong/contract/home/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { type Context, groupTypes, projectsFor } from '#kit/context'
import { inScope } from '#kit/db'
import { pageSlice } from '#kit/list'
import { within } from '#kit/reach'
import type { Serve } from '#kit/serve'
import { findStanding } from '../access/public.ts'
import { awaitingGrave } from '../alarms/public.ts'
import { groupCardsOf } from '../identity/public.ts'
import { approvalPage } from '../workflow/public.ts'
import { deviceColumns, deviceFamilies } from './device-center.ts'
import { buildMainPage } from './main-page.ts'
import { findReport } from './report.ts'
import { findTasks } from './tasks.ts'

export function homeRoutes(serve: Serve) {
  serve(contract.getMainPage, async ({ query }, ctx) => buildMainPage(ctx, projectsFor(ctx, query.projectCode), query.view))
  serve(contract.getHomeReport, async ({ query }, ctx) => findReport(ctx, projectsFor(ctx, query.projectCode), query.days))
  serve(contract.listHomeAlerts, listAlerts)
  serve(contract.todoMessages, ({ query: { box, ...query } }, ctx) =>
    box === undefined ? listTodos({ query }, ctx) : approvalPage(ctx, { ...query, box }),
  )
  serve(contract.deviceCenter, async ({ query }, ctx) => {
    const families = await deviceFamilies(ctx, projectsFor(ctx, query.projectCode))
    const sum = (pick: (f: (typeof families)[number]) => number) => families.reduce((n, f) => n + pick(f), 0)
    return { total: sum((f) => f.total), online: sum((f) => f.online), alarming: sum((f) => f.alarming), families }
  })
  serve(contract.deviceCenterColumns, ({ query }, ctx) => deviceColumns(ctx, projectsFor(ctx), pageSlice(query)))
}

type Input<E extends Endpoint> = NonNullable<E['types']>['parsed']

async function listAlerts({ query }: Input<typeof contract.listHomeAlerts>, ctx: Context) {
  const tasks = await findTasks(ctx, projectsFor(ctx, query.projectCode))
  const { limit, offset } = pageSlice(query)
  return { list: tasks.slice(offset, offset + limit), total: tasks.length }
}

async function listTodos({ query }: Input<typeof contract.listTodos>, ctx: Context) {
  const perGroup = await todosByGroup(ctx, query.group === '*')
  const all = perGroup
    .flatMap((g) => g.tasks.map((task) => ({ ...task, groupId: g.id, groupName: g.name, mine: true })))
    .filter((t) => !query.kind || t.kind === query.kind)
  const { limit, offset } = pageSlice(query)
  return {
    list: all.slice(offset, offset + limit),
    total: all.length,
    groups: perGroup.map((g) => ({
      groupId: g.id,
      groupName: g.name,
      count: g.tasks.length,
      overdue: g.tasks.filter((t) => t.overdue).length,
      graveAlarms: g.grave.length,
    })),
    graveAlarms: new Set(perGroup.flatMap((g) => g.grave)).size,
  }
}

/** Counts come for all identities in one call; each group's tasks are read under that group's own scope. */
async function todosByGroup(ctx: Context, everywhere: boolean) {
  const cards = (await groupCardsOf(ctx, ctx.user.id)).filter((g) => g.enabled && (everywhere || g.id === ctx.group.id))
  return Promise.all(
    cards.map(async (card) => {
      const group = {
        id: card.id,
        type: card.groupsType as Context['group']['type'],
        code: card.code,
        name: card.name,
        areaCode: null as string | null,
      }
      if (group.type === groupTypes.government) {
        const row = await ctx.system.selectFrom('tenant').select('areaCode').where('id', '=', card.id).executeTakeFirst()
        group.areaCode = row?.areaCode ?? null
      }
      const member = await ctx.system
        .selectFrom('member')
        .select('id')
        .where('userId', '=', ctx.user.id)
        .where('groupId', '=', card.id)
        .executeTakeFirstOrThrow()
      // What one may do for one group says nothing about another.
      const whole = await findStanding(ctx.system, { group, userId: ctx.user.id, memberId: member.id }, ctx.clock.now())
      const { scope, codes: held } = within(whole, [])
      const projects = scope.all ? undefined : scope.projects
      return inScope(ctx.system, scope, async (db) => ({
        id: card.id,
        name: card.name,
        tasks: await findTasks({ db, clock: ctx.clock, codes: held, group, user: ctx.user }, projects),
        grave: held.has('alarm.view') ? await awaitingGrave(db, projects) : [],
      }))
    }),
  )
}
