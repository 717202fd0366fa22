import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { registerNoticeSource } from '../rectify/public.ts'
import { pageOf } from './kind.ts'

/** Orders that a reader, or the site itself, writes from a log. */
export function registerDayLogSource(): void {
  for (const kind of ['safetyPLog', 'construction'] as const)
    registerNoticeSource(kind, {
      title: kind === 'safetyPLog' ? '安全日志' : '施工日志',
      page: (id) => pageOf({ kind, id }),
      projectOf: async (ctx, id) => (await readOf(ctx, kind, id))?.projectCode,
      photosOf: async (ctx, id) => (await readOf(ctx, kind, id))?.photos ?? [],
    })
}

async function readOf(ctx: Context, kind: string, id: string) {
  const where = allOf(...equals('x.id', id), ...equals('x.kind', kind), ...inProjects('x.projectCode', projectsFor(ctx)))
  const { rows } = await sql<{ projectCode: string; photos: string[] }>`select x.project_code, x.photos from day_log x
    where ${where} and x.state <> '0'`.execute(ctx.db)
  return rows[0]
}
