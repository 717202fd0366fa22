import type { MainPage } from '@zhugong/contract/home/endpoints'
import { sql } from 'kysely'
import { addDays, formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { hasCome, presenceRate } from '../attendance/public.ts'
import { deviceFamilies } from './device-center.ts'
import { districtsOf } from './districts.ts'
import { figuresOf } from './figures.ts'
import { keyPostsOf } from './key-posts.ts'
import { beyondLimits, layoutOf } from './layout.ts'
import { projectCards } from './project-cards.ts'
import { serviceOf } from './service.ts'
import { hoursOf, siteOf } from './site.ts'
import { findTasks } from './tasks.ts'
import { findToday, sumOf } from './today.ts'

const shownTasks = 8

export async function buildMainPage(ctx: Context, projects: readonly string[] | undefined, view: string): Promise<MainPage> {
  const one = view !== 'hs' && projects?.length === 1 ? projects[0] : undefined
  const kind = kindOf(ctx, view, one)
  const today = await findToday(ctx, projects)
  const [tasks, devices, cards, week] = await Promise.all([
    findTasks(ctx, projects),
    deviceFamilies(ctx, projects),
    projectCards(ctx, projects, today),
    weekOf(ctx, projects, today.day),
  ])
  const now = ctx.clock.now()
  const layout = one ? await layoutOf(ctx, one) : null
  const figures = figuresOf({ kind, today, projects: cards, devices, week, now }, ctx.codes)
  return {
    kind,
    at: formatInstant(now),
    figures: layout ? beyondLimits(figures, layout.limits, presenceRate([...today.presence.values()])) : figures,
    graveAlarms: sumOf(today.awaiting.values(), (one) => one.grave),
    layout,
    tasks: tasks.slice(0, kind === 'index' ? 0 : shownTasks),
    taskCount: tasks.length,
    site: one ? await siteOf(ctx, one) : null,
    keyPosts: one && ctx.group.type !== groupTypes.platform ? await keyPostsOf(ctx, one, today.day) : [],
    hours: one ? await hoursOf(ctx, one, today.day) : [],
    week,
    devices,
    projects: one ? [] : cards,
    districts: kind === 'government' || kind === 'platform' ? await districtsOf(ctx, projects, cards, today) : [],
    service: kind === 'platform' ? await serviceOf(ctx) : null,
  }
}

function kindOf(ctx: Context, view: string, one: string | undefined): MainPage['kind'] {
  if (view === 'index') return 'index'
  if (one) return 'project'
  return ctx.group.type === groupTypes.platform ? 'platform' : ctx.group.type === groupTypes.government ? 'government' : 'corporation'
}

async function weekOf(ctx: Context, projects: readonly string[] | undefined, day: string): Promise<MainPage['week']> {
  const { rows } = await sql<{ day: string; attended: number; onSite: number }>`
    select work_day as day, count(*) filter (where ${hasCome('d')})::int as attended, count(*)::int as on_site from attendance_day d
    where work_day between ${addDays(day, -6)}::date and ${day}::date and ${allOf(...inProjects('d.projectCode', projects))} group by 1 order by 1`.execute(
    ctx.db,
  )
  return rows
}
