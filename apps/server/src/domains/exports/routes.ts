import { createReadStream, existsSync } from 'node:fs'
import { extname } from 'node:path'
import { exportCodes } from '@zhugong/contract/exports/codes'
import * as contract from '@zhugong/contract/exports/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, FileAnswer, requireCode } from '#kit/context'
import type { Row } from '#kit/db'
import { pageOf } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ServeDependencies } from '#kit/serve-dependencies'
import { exportFileName, isFiltered } from './file-name.ts'
import { exportLink, exportOfLink } from './links.ts'
import { exportableAs, exportNamed } from './registry.ts'
import { exportQueue, keptMs } from './run-export.ts'

const contentTypes: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
}

export function exportRoutes(
  serve: Serve,
  enqueue: (queue: string, data: { taskId: string }) => Promise<void>,
  authenticate: ServeDependencies['authenticate'],
) {
  serve(contract.listExports, listExports)
  serve(contract.submitExport, submitExport(enqueue))

  serve.open(contract.downloadExport, async ({ params, query }, ctx) => {
    // If the request has a session, it must belong to the owner of the link.
    const caller = token(ctx.headers.token)
    const task = await exportOfLink(ctx, { ...query, ...params })
    if (caller && (await authenticate(caller, undefined, ctx.ip)).user.id !== task.userId)
      throw new AppError('forbidden', '这是别人的导出文件')
    if (!task.path || !existsSync(task.path)) throw new AppError('refused', '导出文件已过期，请重新导出')
    const contentType = contentTypes[extname(task.path).slice(1)] ?? 'application/octet-stream'
    return new FileAnswer(task.fileName, contentType, createReadStream(task.path))
  })
}

const listExports: HandlerOf<typeof contract.listExports> = async ({ query }, ctx) => {
  let rows = ctx.db
    .selectFrom('exportTask')
    .where('userId', '=', ctx.user.id)
    .where('createTime', '>', new Date(ctx.clock.now() - keptMs))
  if (query.feature) rows = rows.where('feature', '=', query.feature)
  const list = (await rows.selectAll().orderBy('createTime', 'desc').$call(pageOf(query)).execute()).map((row) => toTask(ctx, row))
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const newest = list[0]
  return {
    exportStatus: query.feature && newest ? newest.exportStatus : contract.exportStatus.none,
    fileName: query.feature && newest ? newest.fileName : '',
    exportUrl: query.feature && newest ? newest.exportUrl : null,
    list,
    total,
  }
}

const submitExport =
  (enqueue: (queue: string, data: { taskId: string }) => Promise<void>): HandlerOf<typeof contract.submitExport> =>
  async ({ body }, ctx) => {
    const definition = exportableAs(body.exportType, body.feature)
    if (!definition) throw new AppError('invalidInput', '没有这个导出', { field: 'feature' })
    for (const code of exportCodes(definition.feature) ?? []) requireCode(ctx, code)
    const known = exportNamed(body.feature)?.columns
    const unknown = known && body.columns?.find((key) => !known.some((column) => column.key === key))
    if (unknown) throw new AppError('invalidInput', `${definition.title}没有“${unknown}”这一列，请刷新页面后重试`, { field: 'columns' })
    if (body.sensitive) {
      requireCode(ctx, 'export.sensitive')
      if (!body.purpose) throw new AppError('invalidInput', '导出未脱敏数据请填写用途', { field: 'purpose' })
    }
    const parsed = definition.query.safeParse(body.query)
    if (!parsed.success) throw new AppError('invalidInput', parsed.error.issues[0]?.message ?? '筛选条件不正确', { field: 'query' })
    const running = await ctx.db
      .selectFrom('exportTask')
      .select('id')
      .where('userId', '=', ctx.user.id)
      .where('feature', '=', body.feature)
      .where('status', '=', contract.exportStatus.running)
      .executeTakeFirst()
    if (running) throw new AppError('refused', '这个列表正在导出，请在导出中心查看进度')
    const id = ctx.newId()
    const request = {
      ...pick(body, 'exportType', 'columns', 'query', 'sensitive', 'purpose'),
      projectCode: ctx.projectCode,
    }
    await ctx.db
      .insertInto('exportTask')
      .values({
        id,
        userId: ctx.user.id,
        groupId: ctx.group.id,
        feature: body.feature,
        title: definition.title,
        fileName: exportFileName(definition.title, body.query, formatDay(ctx.clock.now()), body.exportType),
        status: contract.exportStatus.running,
        request: JSON.stringify(request),
        createTime: new Date(ctx.clock.now()),
      })
      .execute()
    ctx.note(body.sensitive ? `导出${definition.title}（未脱敏，用途：${body.purpose}）` : `导出${definition.title}`, id)
    ctx.afterCommit(() => enqueue(exportQueue, { taskId: id }))
    return { id, exportStatus: contract.exportStatus.running }
  }

const token = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

function toTask(ctx: Context, row: Row<'exportTask'>): contract.ExportTask {
  return rowOf(contract.exportTask, row, {
    filtered: isFiltered(row.request.query ?? {}),
    exportStatus: row.status,
    exportUrl:
      row.status === contract.exportStatus.done ? exportLink(ctx.secrets, row.id, ctx.principal.sessionHash, ctx.clock.now()) : null,
    rows: row.rowsDone,
    createTime: formatInstant(row.createTime),
    expireTime: row.expireTime ? formatInstant(row.expireTime) : null,
  })
}
