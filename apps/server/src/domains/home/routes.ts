import type { HomeTask } from '@zhugong/contract/home/endpoints'
import * as contract from '@zhugong/contract/home/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { inScope } from '#kit/db'
import { pageSlice } from '#kit/list'
import { within } from '#kit/reach'
import type { Serve } from '#kit/serve'
import { awaitingGrave } from '../alarms/public.ts'
import { ownRightsInGroups } from '../identity/public.ts'
import { approvalPage, startedOpen } from '../workflow/public.ts'
import { deviceColumns, deviceFamilies } from './device-center.ts'
import { buildMainPage } from './main-page.ts'
import { findReport } from './report.ts'
import { snooze, snoozeKey, snoozesOf } from './snoozes.ts'
import { findTasks, kindNameOf } from './tasks.ts'

export function homeRoutes(serve: Serve) {
  serve(contract.getMainPage, async ({ query }, ctx) => buildMainPage(ctx, projectsFor(ctx, query.projectCode), query.view))
  serve(contract.getHomeReport, async ({ query }, ctx) => findReport(ctx, projectsFor(ctx, query.projectCode), query.days))
  serve(contract.listHomeAlerts, listAlerts)
  serve(contract.todoMessages, ({ query: { box, ...query } }, ctx) =>
    box === undefined ? listTodos({ query }, ctx) : approvalPage(ctx, { ...query, box }),
  )
  serve(contract.snoozeTodo, snoozeTodo)
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
  const [found, off, started] = await Promise.all([
    todosByGroup(ctx, query.group === '*'),
    snoozesOf(ctx),
    startedOpen(ctx.system, ctx.user.id, ctx.group.id),
  ])
  // A snoozed task that has become grave is shown again at once.
  const untilOf = (groupId: string, { id, level }: HomeTask) => (level === gravest ? null : (off.get(snoozeKey(groupId, id)) ?? null))
  const perGroup = found.map((g) => ({ ...g, tasks: g.tasks.filter((task) => !untilOf(g.id, task)) }))
  const snoozed = found.flatMap((g) => g.tasks.filter((task) => untilOf(g.id, task)).map((task) => rowOf(g, task)))
  function rowOf(g: (typeof found)[number], task: HomeTask) {
    const until = untilOf(g.id, task)
    return { ...task, groupId: g.id, groupName: g.name, mine: true, snoozedUntil: until && formatInstant(until) }
  }
  const waiting = perGroup.flatMap((g) => g.tasks.map((task) => rowOf(g, task)))
  const ofAnyKind = (query.snoozed ? snoozed : waiting).filter(
    (t) => (!query.dueIn || t.due === query.dueIn) && (!query.dueOn || t.dueDay === query.dueOn),
  )
  const all = ofAnyKind.filter((t) => !query.kind || t.kind === query.kind)
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
    days: [...Map.groupBy(waiting, (t) => t.dueDay ?? '')]
      .flatMap(([day, tasks]) => (day ? [{ day, count: tasks.length }] : []))
      .sort((a, b) => a.day.localeCompare(b.day)),
    byKind: [...Map.groupBy(ofAnyKind, (t) => t.kind)]
      .map(([kind, tasks]) => ({ kind, kindName: kindNameOf(kind), count: tasks.length }))
      .sort((a, b) => b.count - a.count),
    dueToday: waiting.filter((t) => t.due === 'today').length,
    snoozed: snoozed.length,
    startedOpen: started.here,
    startedElsewhere: started.elsewhere,
  }
}

/** Only tasks in the caller's own list can be snoozed, and none of the gravest level. */
async function snoozeTodo({ body: { groupId, task: id, hours } }: Input<typeof contract.snoozeTodo>, ctx: Context) {
  const group = (await todosByGroup(ctx, true)).find((g) => g.id === groupId)
  const task = group?.tasks.find((one) => one.id === id)
  if (!task) throw new AppError('notFound', '这项待办已办结或不在您的待办中', { field: 'task' })
  if (task.level === gravest) throw new AppError('refused', '一级告警不能稍后提醒')
  const until = hours === 0 ? null : new Date(ctx.clock.now() + hours * hourMs)
  await snooze(ctx, { groupId, task: id, until })
  ctx.note(until ? `待办稍后提醒 ${task.title}` : `恢复待办 ${task.title}`, id)
  return { until: until && formatInstant(until) }
}
const gravest = 1

/** Counts of all memberships come from one call; each group's tasks are read in that group's own scope. */
async function todosByGroup(ctx: Context, everywhere: boolean) {
  const states = await ownRightsInGroups(ctx, ctx.user.id, everywhere ? undefined : [ctx.group.id])
  return Promise.all(
    states.map(async ({ group, ...whole }) => {
      // Permissions in one group do not apply to another.
      const { scope, codes: ownCodes } = within(whole, [])
      const projects = scope.all ? undefined : scope.projects
      return inScope(ctx.system, scope, async (db) => ({
        id: group.id,
        name: group.name,
        tasks: await findTasks({ db, clock: ctx.clock, codes: ownCodes, principal: whole, group, user: ctx.user, scope }, projects),
        grave: ownCodes.has('alarm.view') ? await awaitingGrave(db, projects) : [],
      }))
    }),
  )
}
