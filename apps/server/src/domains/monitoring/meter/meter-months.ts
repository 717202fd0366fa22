import { AppError } from '@zhugong/contract/kit/errors'
import type { MeterKind, MeterPrices, SheetRow } from '@zhugong/contract/monitoring/meter/meter-settle'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'

export interface SettledRows {
  projectCode: string
  projectName: string
  month: string
  rows: SheetRow[]
}

/** Settled months of a kind with their lines. */
export async function findSettled(
  ctx: Pick<Context, 'db'>,
  projects: readonly string[] | undefined,
  kind: MeterKind,
  { from, until }: { from: string; until: string },
): Promise<SettledRows[]> {
  const { rows } = await sql<SettledRows>`select m.project_code, p.name as project_name, m.month, m.rows
    from meter_month m join project p on p.project_code = m.project_code
    where ${allOf(...equals('m.kind', kind), ...inProjects('m.project_code', projects))} and m.month between ${from} and ${until}
    order by m.project_code, m.month`.execute(ctx.db)
  return rows
}

/** The last settled month with its final register values. */
export async function lastSettled(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  kind: MeterKind,
): Promise<{ month: string; ends: ReadonlyMap<string, number> } | undefined> {
  const { rows } = await sql<{ month: string; rows: SheetRow[] }>`select month, rows from meter_month
    where project_code = ${projectCode} and kind = ${kind} order by month desc limit 1`.execute(ctx.db)
  const [last] = rows
  return (
    last && {
      month: last.month,
      ends: new Map(last.rows.flatMap((one) => (one.endReading === null ? [] : [[one.deviceId, one.endReading] as const]))),
    }
  )
}

export function oneProject(ctx: Context, requested: string): string {
  const [projectCode, ...more] = projectsFor(ctx, requested) ?? []
  if (!projectCode || more.length > 0 || requested === '*') throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  return projectCode
}

interface Closed {
  id: string
  projectCode: string
  kind: MeterKind
  month: string
  totalUsage: number
  lossPercent: number | null
  amount: number | null
  price: MeterPrices | null
  rows: readonly SheetRow[]
  closeBy: string
  closeTime: number
}

/** Stores a settled month with its sheet. */
export async function keepMonth(db: Tx, one: Closed): Promise<void> {
  await sql`insert into meter_month (id, project_code, kind, month, total_usage, loss_percent, amount, price, peak_price, valley_price, rows, close_by, close_time)
    values (${one.id}, ${one.projectCode}, ${one.kind}, ${one.month}, ${one.totalUsage}, ${one.lossPercent}, ${one.amount}, ${one.price?.price ?? null},
      ${one.price?.peakPrice ?? null}, ${one.price?.valleyPrice ?? null}, ${JSON.stringify(one.rows)}::jsonb, ${one.closeBy}, ${new Date(one.closeTime)})`.execute(
    db,
  )
}
