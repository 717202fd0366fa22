import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/formwork/formwork'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'

interface Row extends Omit<calls.PourStep, 'at'> {
  at: Date
}
const toStep = ({ at, ...row }: Row): calls.PourStep => ({ ...row, at: at.getTime() })
const columns = sql`s.id, s.project_code, s.bay_name, s.at, s.kind, round(s.volume::numeric, 2)::float8 as volume, s.note, s.by_name`

export function pourStepRoutes(serve: Serve): void {
  serve(calls.listPourSteps, listPourSteps)
  serve(calls.addPourStep, addPourStep)
}

/** The newest step of a bay; undefined if there is none. */
export async function lastPourStep(db: Tx, projectCode: string, bayName: string): Promise<calls.PourStep | undefined> {
  const { rows } = await sql<Row>`select ${columns} from pour_step s where s.project_code = ${projectCode} and s.bay_name = ${bayName}
    order by s.at desc, s.id desc limit 1`.execute(db)
  return rows[0] && toStep(rows[0])
}

const listPourSteps: HandlerOf<typeof calls.listPourSteps> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from pour_step s
    where ${allOf(...inProjects('s.project_code', projectsFor(ctx, query.projectCode)), ...equals('s.bay_name', query.bayName))}
    order by s.at desc, s.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => toStep(row)), total: rows[0]?.total ?? 0 }
}

const addPourStep: HandlerOf<typeof calls.addPourStep> = async ({ query, body }, ctx) => {
  const [projectCode, ...more] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || more.length > 0) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  // Serializes steps of a bay: concurrent calls must not both start a pour.
  await sql`select pg_advisory_xact_lock(hashtext(${`pour ${projectCode} ${body.bayName}`}))`.execute(ctx.db)
  const last = await lastPourStep(ctx.db, projectCode, body.bayName)
  if (!calls.nextPourSteps(last?.kind).includes(body.kind))
    throw new AppError(
      'refused',
      `${last ? `当前为“${calls.pourStepKinds[last.kind]}”` : '还没有开始浇筑'}，不能${calls.pourStepKinds[body.kind]}`,
    )
  if (body.volume !== null && last && last.kind !== 'end' && last.volume !== null && body.volume < last.volume)
    throw new AppError('invalidInput', `累计方量不能少于已登记的 ${last.volume} m³`, { field: 'volume' })
  const id = ctx.newId()
  const at = Math.max(ctx.clock.now(), (last?.at ?? 0) + 1)
  await sql`insert into pour_step (id, project_code, bay_name, at, kind, volume, note, by_name)
    values (${id}, ${projectCode}, ${body.bayName}, ${new Date(at)}, ${body.kind}, ${body.volume}, ${body.note}, ${ctx.user.name})`.execute(
    ctx.db,
  )
  ctx.note(`${body.bayName} ${calls.pourStepKinds[body.kind]}`, id)
  return rowOf(calls.pourStep, body, {
    id,
    projectCode,
    at,
    byName: ctx.user.name,
  })
}
