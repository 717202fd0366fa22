import type * as causes from '@zhugong/contract/docking/causes'
import { type ErrorMeaning, freshHours, knownErrors } from '@zhugong/contract/docking/codes'
import type * as overview from '@zhugong/contract/docking/overview'
import { type ObjectType, objectTypes, type profiles } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { wordsFor } from './error-words.ts'
import { findPlatforms } from './platforms.ts'

const daysShown = 30
/** Hours beyond the allowed ones after which a freshness score is zero. */
const staleHours = { people: 72, attendance: 24 } as const
/** Points that one failed record takes from its score of 100. */
const perFailure = 5

/** 100 up to `fresh` hours, 0 from `stale` hours on, linear between. */
export const partOf = (hours: number | null, fresh: number, stale: number): number =>
  hours === null || hours <= fresh ? 100 : Math.max(0, Math.round((100 * (stale - hours)) / (stale - fresh)))

interface SiteState {
  projectCode: string
  projectName: string
  peopleHours: number | null
  attendanceHours: number | null
  waiting: number
  failed: number
  oldest: Date | null
  lastAccepted: string | null
}

/** Active projects with docking, with their waiting records. */
async function findRights(ctx: Context): Promise<SiteState[]> {
  const now = new Date(ctx.clock.now())
  const hours = (rows: RawBuilder<unknown>) =>
    sql`extract(epoch from ${now}::timestamptz - min(r.queued_time) filter (where ${rows}))::float8 / 3600`
  const { rows } = await sql<SiteState>`
    select p.project_code, p.name as project_name, coalesce(r.people_hours, null) as people_hours, r.attendance_hours, coalesce(r.waiting, 0)::int as waiting,
      coalesce(r.failed, 0)::int as failed, r.oldest, (select max(d.day)::text from docking_day d where d.project_code = p.project_code and d.accepted + d.removed > 0) as last_accepted
    from project p left join lateral (
      select ${hours(sql`r.object_type in ('workerBase', 'projectWorker', 'entryExitHistory')`)} as people_hours, ${hours(sql`r.object_type = 'attendanceRecord'`)} as attendance_hours,
        count(*) filter (where not r.failed) as waiting, count(*) filter (where r.failed) as failed, min(r.queued_time) as oldest
      from docking_record r where r.project_code = p.project_code and r.upload_status not in ('1', '3')) r on true
    where p.prj_status not in ('004', '005', '006', '007') and exists (select 1 from docking_enrol e where e.project_code = p.project_code)
      and ${allOf(...inProjects('p.projectCode', projectsFor(ctx)))}
    order by p.name`.execute(ctx.db)
  return rows
}

function scoreOf(one: SiteState) {
  const people = partOf(one.peopleHours, freshHours.people, staleHours.people)
  const attendance = partOf(one.attendanceHours, freshHours.attendance, staleHours.attendance)
  const failedScore = Math.max(0, 100 - perFailure * one.failed)
  return { people, attendance, pay: null, failedScore, score: Math.round((people + attendance + failedScore) / 3) }
}

export const getFreshness: HandlerOf<typeof overview.getFreshness> = async (_, ctx) => {
  const from = addDays(formatDay(ctx.clock.now()), 1 - daysShown)
  const within = allOf(...inProjects('r.projectCode', projectsFor(ctx)))
  const { rows: open } = await sql<{ objectType: string; waiting: number; failed: number }>`
    select r.object_type, count(*) filter (where not r.failed)::int as waiting, count(*) filter (where r.failed)::int as failed
    from docking_record r where r.upload_status not in ('1', '3') and ${within} group by r.object_type`.execute(ctx.db)
  const { rows: days } = await sql<{ day: string; objectType: string; accepted: number; refused: number }>`
    select r.day::text as day, r.object_type, sum(r.accepted + r.removed)::int as accepted, sum(r.refused)::int as refused
    from docking_day r where r.day >= ${from}::date and ${within} group by 1, 2`.execute(ctx.db)
  const projects = (await findRights(ctx)).map((one) => ({
    projectCode: one.projectCode,
    projectName: one.projectName,
    ...scoreOf(one),
    ...pick(one, 'waiting', 'failed', 'lastAccepted'),
    oldest: one.oldest && formatInstant(one.oldest),
  }))
  const sum = (list: readonly { [K in 'accepted' | 'refused']: number }[], key: 'accepted' | 'refused') =>
    list.reduce((n, one) => n + one[key], 0)
  const [accepted, refused] = [sum(days, 'accepted'), sum(days, 'refused')]
  const openOf = new Map(open.map((row) => [row.objectType, row]))
  return {
    rate: accepted + refused === 0 ? null : Math.floor((1_000 * accepted) / (accepted + refused)) / 10,
    waiting: open.reduce((n, row) => n + row.waiting, 0),
    failed: open.reduce((n, row) => n + row.failed, 0),
    freshness: projects.length === 0 ? null : Math.round(projects.reduce((n, one) => n + one.score, 0) / projects.length),
    projects: projects.sort((a, b) => a.score - b.score),
    objects: objectTypes.map((objectType) => ({
      objectType,
      waiting: openOf.get(objectType)?.waiting ?? 0,
      failed: openOf.get(objectType)?.failed ?? 0,
      accepted: sum(
        days.filter((row) => row.objectType === objectType),
        'accepted',
      ),
    })),
    days: Array.from({ length: daysShown }, (_, i) => {
      const day = addDays(from, i)
      const mine = days.filter((row) => row.day === day)
      return { day, accepted: sum(mine, 'accepted'), refused: sum(mine, 'refused') }
    }),
    platforms: (await findPlatforms(ctx)).map((row) => ({
      ...pick(row, 'id', 'name', 'status', 'paused', 'waiting', 'failed'),
      downSince: row.downSince && formatInstant(row.downSince),
      probeAt: row.probeAt && formatInstant(row.probeAt),
      lastAnswer: row.lastAnswer && formatInstant(row.lastAnswer),
    })),
  }
}

interface Cause {
  code: string
  field: string
  objectType: ObjectType
  profile: keyof typeof profiles
  n: number
  sampleId: string
  sampleSource: string
  sampleText: string | null
  since: Date
}

export const listErrors: HandlerOf<typeof causes.listErrors> = async ({ query }, ctx) => {
  const { rows } = await sql<Cause>`
    select r.error_code as code, coalesce(r.error_field, '') as field, r.object_type, pl.profile, count(*)::int as n, min(r.id) as sample_id,
      (array_agg(r.source_id order by r.id))[1] as sample_source, (array_agg(r.error_text order by r.id))[1] as sample_text, min(r.queued_time) as since
    from docking_record r join docking_platform pl on pl.id = r.platform_id
    where r.upload_status = '-1' and r.error_code is not null and ${allOf(...inProjects('r.projectCode', projectsFor(ctx, query.projectCode)))}
    group by 1, 2, 3, 4 order by n desc, since`.execute(ctx.db)
  const own = await ctx.db.selectFrom('dockingError').selectAll().execute()
  const ownOf = (profile: string, code: string): ErrorMeaning | undefined => own.find((one) => one.profile === profile && one.code === code)
  const platforms = await findPlatforms(ctx)
  return {
    list: rows.map(({ n, since, sampleText, ...row }) => {
      const words = wordsFor(row.objectType, row, ownOf(row.profile, row.code))
      // Errors without an edited explanation keep their original text.
      return { ...row, ...words, text: words.known ? words.text : (sampleText ?? words.text), count: n, since: formatInstant(since) }
    }),
    down: platforms.flatMap((row) =>
      row.downSince
        ? [
            {
              ...pick(row, 'id', 'name', 'waiting'),
              since: formatInstant(row.downSince),
              probeAt: row.probeAt && formatInstant(row.probeAt),
              reason: row.downReason ?? '',
            },
          ]
        : [],
    ),
    known: [
      ...own.map(({ profile, code, text, mender, version }) => ({ profile, code, text, mender, own: true, version })),
      ...Object.entries(knownErrors).map(([code, meaning]) => ({ profile: 'national', code, ...meaning, own: false, version: 0 })),
    ],
  }
}

export const translateError: HandlerOf<typeof causes.translateError> = async ({ body }, ctx) => {
  const { profile, code, text, mender } = body
  const at = { updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name }
  const found = await ctx.db
    .selectFrom('dockingError')
    .select('version')
    .where('profile', '=', profile)
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  if ((found?.version ?? 0) !== body.version) throw new AppError('refused', '翻译已被他人修改，请刷新后再改')
  const version = body.version + 1
  if (found)
    await ctx.db
      .updateTable('dockingError')
      .set({ text, mender, ...at, version })
      .where('profile', '=', profile)
      .where('code', '=', code)
      .execute()
  else
    await ctx.db
      .insertInto('dockingError')
      .values({ profile, code, text, mender, ...at, version })
      .execute()
  // Updates the text of refused records with this code, which lists and exports show.
  await sql`
    update docking_record r set error_text = replace(${text}, '{field}', coalesce(nullif(r.error_field, ''), '数据')) from docking_platform pl
    where pl.id = r.platform_id and pl.profile = ${profile} and r.upload_status = '-1' and r.error_code = ${code}`.execute(ctx.db)
  ctx.note(`翻译上级返回码 ${code}：${text}`)
  return { version }
}
