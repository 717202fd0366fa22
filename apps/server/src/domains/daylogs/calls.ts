import * as construction from '@zhugong/contract/daylogs/construction'
import * as own from '@zhugong/contract/daylogs/own-log'
import * as safety from '@zhugong/contract/daylogs/safety-log'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { changeLog, createLog, removeLog } from './acts.ts'
import { readDetail } from './detail.ts'
import { constructionCounts, countMatrix, matrixCounts, readMatrix, safetyCounts } from './matrix.ts'
import { prefillOfInstitution, prefillOfSite } from './prefill.ts'
import { conditions, countLogs, readLogs } from './rows.ts'
import { archiveMonth, remind } from './together.ts'

export function dayLogRoutes(serve: Serve): void {
  serve(safety.safetyLogRecords, safetyLogs)
  serve(safety.prefillSafetyLog, ({ query }, ctx) => prefillOfSite(ctx, 'safetyPLog', query))
  serve(safety.getSafetyLog, ({ params: { id } }, ctx) => readDetail(ctx, 'safetyPLog', id))
  serve(safety.createSafetyLog, ({ query, body }, ctx) => createLog(ctx, 'safetyPLog', query.projectCode, body))
  serve(safety.changeSafetyLog, ({ params: { id }, body }, ctx) => changeLog(ctx, 'safetyPLog', id, body))
  serve(safety.removeSafetyLog, ({ params: { id } }, ctx) => removeLog(ctx, 'safetyPLog', id))
  serve(safety.handleSafetyLogs, ({ query, body }, ctx) =>
    body.action === 'remind' ? remind(ctx, body) : archiveMonth(ctx, query.projectCode, body.month),
  )
  serve(construction.listConstructionLogs, constructionLogs)
  serve(construction.prefillConstructionLog, ({ query }, ctx) => prefillOfSite(ctx, 'construction', query))
  serve(construction.getConstructionLog, ({ params: { id } }, ctx) => readDetail(ctx, 'construction', id))
  serve(construction.createConstructionLog, ({ query, body }, ctx) => createLog(ctx, 'construction', query.projectCode, body))
  serve(construction.changeConstructionLog, ({ params: { id }, body }, ctx) => changeLog(ctx, 'construction', id, body))
  serve(construction.removeConstructionLog, ({ params: { id } }, ctx) => removeLog(ctx, 'construction', id))
  serve(own.listOwnLogs, ownLogs)
  serve(own.prefillOwnLog, ({ query }, ctx) => prefillOfInstitution(ctx, query.day, query.projects ?? []))
  serve(own.getOwnLog, ({ params: { id } }, ctx) => readDetail(ctx, 'log', id))
  serve(own.createOwnLog, ({ query, body }, ctx) => createLog(ctx, 'log', query.projectCode, body))
  serve(own.changeOwnLog, ({ params: { id }, body }, ctx) => changeLog(ctx, 'log', id, body))
  serve(own.removeOwnLog, ({ params: { id } }, ctx) => removeLog(ctx, 'log', id))
}

const safetyLogs: HandlerOf<typeof safety.safetyLogRecords> = async ({ query }, ctx) => {
  if (query.view === 'matrix') {
    const { projectCode, month, standing, projectName, areaCode } = query
    const sort = query.sort as Parameters<typeof readMatrix>[1]['sort']
    const filters = { projectCode, month, standing, projectName, areaCode, sort }
    const table = await readMatrix(ctx, filters, pageSlice(query))
    return { ...table, total: await countMatrix(ctx, filters), counts: await matrixCounts(ctx, { projectCode }) }
  }
  const { view: _view, standing: _standing, projectName: _name, areaCode: _area, sort, ...rest } = query
  const where = conditions(ctx, 'safetyPLog', rest)
  const bySort = sort as NonNullable<Parameters<typeof readLogs>[2]['sort']>
  const list = await readLogs(ctx, where, { sort: bySort, ...pageSlice(query) })
  return { list, total: await countLogs(ctx, where), counts: await safetyCounts(ctx, query) }
}

const constructionLogs: HandlerOf<typeof construction.listConstructionLogs> = async ({ query }, ctx) => {
  const where = conditions(ctx, 'construction', query)
  const list = await readLogs(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countLogs(ctx, where), counts: await constructionCounts(ctx, query) }
}

const ownLogs: HandlerOf<typeof own.listOwnLogs> = async ({ query }, ctx) => {
  const where = conditions(ctx, 'log', query)
  return { list: await readLogs(ctx, where, { sort: query.sort, ...pageSlice(query) }), total: await countLogs(ctx, where) }
}
