import type { HomeFigure, MainPage } from '@zhugong/contract/home/endpoints'
import {
  cardsFor,
  dashboard,
  dashboardPolicy,
  type FigureLimits,
  isBeyond,
  type LimitedFigure,
  limitsFor,
} from '@zhugong/contract/settings/dashboard'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

/** The layout of a site's home page for the caller. Reads the site's settings and the names of the caller's roles. */
export async function layoutOf(ctx: Pick<Context, 'db' | 'group' | 'user'>, projectCode: string): Promise<MainPage['layout']> {
  const rows = await ctx.db
    .selectFrom('projectSetting')
    .select(['part', 'value'])
    .where('projectCode', '=', projectCode)
    .where('part', 'in', ['dashboard', 'dashboardPolicy'])
    .execute()
  if (rows.length === 0) return null
  const settingOf = (part: string) => rows.find((row) => row.part === part)?.value
  const arranged = dashboard.safeParse(settingOf('dashboard')).data ?? null
  const policy = dashboardPolicy.safeParse(settingOf('dashboardPolicy')).data ?? null
  const { rows: roles } = await sql<{ name: string }>`
    select r.name from member m join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id
    where m.group_id = ${ctx.group.id} and m.user_id = ${ctx.user.id}`.execute(ctx.db)
  return {
    cards: cardsFor(
      arranged,
      policy,
      roles.map((role) => role.name),
    ),
    limits: limitsFor(arranged, policy),
    forced: policy?.forced ?? [],
    arranged: arranged !== null,
  }
}

/** The figure on the page that each limit colours. */
const figureOf: Record<LimitedFigure, string> = {
  attendanceRate: 'attended',
  online: 'online',
  openAlarms: 'openAlarms',
  absentPosts: 'absentPosts',
}

/** Limits only set colours; alarms are raised by rules. */
export function beyondLimits(figures: readonly HomeFigure[], limits: FigureLimits, attendanceRate: number | null): HomeFigure[] {
  const beyond = (Object.keys(figureOf) as LimitedFigure[]).filter((key) => {
    const shown = figures.find((one) => one.key === figureOf[key])
    return isBeyond(key, key === 'attendanceRate' ? attendanceRate : (shown?.value ?? null), limits[key])
  })
  return figures.map((one) => (beyond.some((key) => figureOf[key] === one.key) ? { ...one, tone: 'danger' } : one))
}
