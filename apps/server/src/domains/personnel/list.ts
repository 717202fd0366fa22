import * as contract from '@zhugong/contract/personnel/people'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import { rowOf, rowSchemaOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { countDues, dueRows } from './cert-dues.ts'
import { countStock, stockRows } from './cert-stock.ts'
import { countFiles, fileRows } from './file-rows.ts'
import { countFlow, flowRows } from './flow.ts'
import { quick } from './people-filters.ts'
import { countRoster, rosterRows } from './roster-rows.ts'
import { stayPage } from './stay-rows.ts'
import { countTrained, trainRows } from './train-rows.ts'

export function listRoutes(serve: Serve) {
  serve(contract.listWorkers, listWorkers)
  serve(contract.pickWorkers, pickWorkers)
}

const listWorkers: HandlerOf<typeof contract.listWorkers> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { sort, view, ...filters } = query
  if (view === 'file') {
    const files = { ...filters, sort: contract.peopleSorts.file.parse(sort) }
    return { list: await fileRows(ctx, files, { limit, offset }), total: await countFiles(ctx, filters) }
  }
  if (view === 'roster') {
    const at = { ...filters, projectCode: oneProject(ctx, query.projectCode) }
    return { list: await rosterRows(ctx, at, { limit, offset }), total: await countRoster(ctx, at) }
  }
  if (view === 'cert') {
    const certs = { ...filters, sort: contract.peopleSorts.cert.parse(sort) }
    return { list: await stockRows(ctx, certs, { limit, offset }), total: await countStock(ctx, certs) }
  }
  if (view === 'certAlarm') {
    const dues = { ...filters, sort: contract.peopleSorts.certAlarm.parse(sort) }
    return { list: await dueRows(ctx, dues, { limit, offset }), total: await countDues(ctx, dues) }
  }
  if (view === 'flow') {
    const moves = { ...filters, sort: contract.peopleSorts.flow.parse(sort) }
    return { list: await flowRows(ctx, moves, { limit, offset }), total: await countFlow(ctx, moves) }
  }
  if (view === 'train') {
    const taught = { ...filters, sort: contract.peopleSorts.train.parse(sort) }
    return { list: await trainRows(ctx, taught, { limit, offset }), total: await countTrained(ctx, taught) }
  }
  const stays = { ...filters, sort: contract.peopleSorts.project.parse(sort) }
  return stayPage(ctx, stays, { limit, offset })
}

const pickWorkers: HandlerOf<typeof contract.pickWorkers> = async ({ query }, ctx) => {
  const where = allOf(
    ...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)),
    ...equals('w.teamId', query.teamId),
    ...quick(ctx, query.name),
    condition(sql`w.exit_time is null`),
  )
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row<'projectWorker'> & { teamName: string | null }>`
      select w.*, t.team_name from project_worker w left join team t on t.id = w.team_id
      where ${where} order by w.worker_name, w.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from project_worker w where ${where}`.execute(ctx.db)
  return {
    list: rows.map((w) =>
      rowOf(rowSchemaOf(contract.pickWorkers), w, {
        projectWorkerId: w.id,
        name: w.workerName,
        idCardNumber: w.idCardMask,
        workTypeName: w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post),
      }),
    ),
    total: total.rows[0]?.n ?? 0,
  }
}
