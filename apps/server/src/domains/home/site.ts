import type { MainPage } from '@zhugong/contract/home/endpoints'
import { dayMs } from '@zhugong/contract/kit/time'
import { sitePlan } from '@zhugong/contract/organisation/site-plan'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'

/** Work days begin at 04:00 by default (attendance.md A16); the hourly curve uses the same cut. */
const dayCutMs = 4 * 3_600_000

/** The site: plan, positioned machines, weather from its own station. */
export async function siteOf(ctx: Context, projectCode: string): Promise<MainPage['site']> {
  const p = await ctx.db.selectFrom('project').selectAll().where('projectCode', '=', projectCode).executeTakeFirst()
  if (!p) return null
  const { rows } = await sql<{ v: Record<string, number | undefined>; ts: Date }>`
    select l.v, l.ts from device d join device_latest l on l.device_id = d.id
    where d.project_code = ${projectCode} and d.family = 'environment' and l.online order by l.ts desc limit 1`.execute(ctx.db)
  const v = rows[0]?.v ?? {}
  return {
    projectCode,
    ...pick(p, 'name', 'lng', 'lat', 'prjStatus', 'completeDate'),
    prjStatusName: dictName('projectState', p.prjStatus) ?? '',
    phaseName: dictName('projectPhase', p.phase),
    startDate: p.actualStartDate ?? p.startDate,
    sitePlan: sitePlan.safeParse(p.sitePlan).data ?? null,
    machines: await machinesOf(ctx, projectCode),
    weather: {
      temperature: v.temperature ?? null,
      humidity: v.humidity ?? null,
      wind: v.windSpeed ?? null,
      pm10: v.pm10 ?? null,
      at: rows[0] ? formatInstant(rows[0].ts) : null,
    },
  }
}

/** Families drawn on the site plan; the many measuring points of an excavation would cover everything else. */
const drawnFamilies = ['towerCrane', 'lifter', 'environment', 'weighbridge']

async function machinesOf(ctx: Context, projectCode: string): Promise<NonNullable<MainPage['site']>['machines']> {
  const { rows } = await sql<{
    id: string
    name: string
    family: string
    params: Record<string, unknown>
    online: boolean | null
    v: Record<string, unknown> | null
    level: number | null
    label: string | null
  }>`
    select d.id, d.name, d.family, d.params, l.online, l.v, a.level, a.label from device d
      left join device_latest l on l.device_id = d.id
      left join lateral (select level, label from alarm where device_id = d.id and active and not simulated and not historical order by level limit 1) a on true
    where d.project_code = ${projectCode} and d.status = '1' and d.family = any (${drawnFamilies}) order by d.family, d.name`.execute(
    ctx.db,
  )
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  return rows.flatMap((r) => {
    const x = number(r.params.x)
    const y = number(r.params.y)
    if (x === null || y === null) return []
    const state = !r.online ? 'offline' : r.level === null ? 'normal' : r.level <= 2 ? 'alarm' : 'warning'
    return [
      {
        ...pick(r, 'id', 'name', 'family'),
        x,
        y,
        state,
        stateText: !r.online ? '离线' : (r.label ?? '正常'),
        jibLength: number(r.params.jibLength),
        slewAngle: number(r.v?.slewAngle),
      } as const,
    ]
  })
}

/** First entries by hour of the current work day, and of the same weekday a week before. */
export async function hoursOf(ctx: Context, projectCode: string, day: string) {
  const now = ctx.clock.now()
  const start = startOfDay(day) + dayCutMs
  const count = async (from: number, to: number) => {
    const { rows } = await sql<{ hour: number; n: number }>`
      select extract(hour from time at time zone 'Asia/Shanghai')::int as hour, count(distinct worker_id)::int as n from attendance_event e
      where project_code = ${projectCode} and time >= ${new Date(from)} and time < ${new Date(to)} and direction = '01' and quarantine is null group by 1`.execute(
      ctx.db,
    )
    return new Map(rows.map((r) => [r.hour, r.n]))
  }
  const [current, before] = await Promise.all([count(start, now), count(start - 7 * dayMs, start - 6 * dayMs)])
  return Array.from({ length: 24 }, (_, i) => {
    const hour = (i + 4) % 24
    const reached = start + i * 3_600_000 <= now
    return { hour: String(hour).padStart(2, '0'), today: reached ? (current.get(hour) ?? 0) : null, lastWeek: before.get(hour) ?? 0 }
  })
}
