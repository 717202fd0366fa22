import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { drawNumber } from '../process/public.ts'

/** The next number of a site's own series, for example `医院-XJ-2026-031`. */
export async function siteNumber(ctx: Context, projectCode: string, series: string): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select coalesce(short_name, name) as name from project where project_code = ${projectCode}`.execute(ctx.db)
  const { year, no } = await drawNumber(ctx, projectCode, series)
  return `${rows[0]?.name ?? projectCode}-${series}-${year}-${String(no).padStart(3, '0')}`
}
