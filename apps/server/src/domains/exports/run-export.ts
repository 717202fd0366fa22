import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { exportCodes } from '@zhugong/contract/exports/codes'
import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Clock } from '#kit/clock'
import { type Database, inScope } from '#kit/db'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import { isStorageFault, storageFullText } from '#kit/storage-fault'
import { principalLater } from '../access/public.ts'
import { pictureReader } from '../files/public.ts'
import { exportNamed, type ListContext, printNamed } from './registry.ts'
import { wantedOf, writeDocument, writeWorkbook } from './write-list.ts'
import { writePapers } from './write-papers.ts'

export const exportQueue = 'export'
/** Finished exports stay this long. */
export const keptMs = 7 * 86_400_000

export interface ExportDependencies {
  database: Database
  clock: Clock
  secrets: Secrets
  log: Log
  folder: string
}

/** Runs one export with the owner's current rights, not those at the time of the request. Errors are stored in the task. */
export async function runExport(deps: ExportDependencies, taskId: string): Promise<void> {
  const db = deps.database.kysely
  const task = await db
    .selectFrom('exportTask')
    .selectAll()
    .where('id', '=', taskId)
    .where('status', '=', exportStatus.running)
    .executeTakeFirst()
  if (!task) return
  const end = (change: { status: number; message: string; path?: string; bytes?: number; rowsDone?: number; progress?: number }) =>
    db
      .updateTable('exportTask')
      .set({ ...change, endTime: new Date(deps.clock.now()), expireTime: new Date(deps.clock.now() + keptMs) })
      .where('id', '=', taskId)
      .execute()
  const { exportType = 'xlsx', ...request } = task.request
  const path = join(deps.folder, `${taskId}.${exportType}`)
  try {
    mkdirSync(deps.folder, { recursive: true, mode: 0o750 })
    const needs = exportCodes(task.feature)
    const principal = await principalLater(deps, { ...task, projectCode: request.projectCode }, needs ?? [])
    if (!needs?.every((code) => principal.codes.has(code))) throw new AppError('forbidden', '您已没有导出此列表的权限')
    const tell = (progress: number, rowsDone: number) =>
      db.updateTable('exportTask').set({ progress, rowsDone }).where('id', '=', taskId).execute()
    const rows = await inScope(db, principal.scope, async (tx) => {
      const ctx: ListContext = { ...principal, principal, db: tx, scopeChecks: true, clock: deps.clock, secrets: deps.secrets }
      const print = exportType === 'xlsx' ? undefined : printNamed(task.feature)
      if (print) {
        const picture = pictureReader(db, join(deps.folder, '../files'))
        if (exportType === 'zip') return writePapers(print, { ...ctx, picture }, request.query, path, tell)
        const pdf = await print.draw({ ...ctx, picture }, print.query.parse(request.query))
        await pdf.writeTo(path)
        return 0
      }
      const definition = exportNamed(task.feature)
      if (!definition) throw new AppError('refused', '没有这个导出')
      const clear = request.sensitive && principal.codes.has('export.sensitive')
      const list = wantedOf(definition, { ...request, sensitive: clear })
      return exportType === 'pdf' ? writeDocument(list, ctx, path, tell) : writeWorkbook(list, ctx, path, tell)
    })
    await end({ status: exportStatus.done, message: '', path, bytes: statSync(path).size, rowsDone: rows, progress: 100 })
  } catch (error) {
    rmSync(path, { force: true })
    const isFull = isStorageFault(error)
    const isReported = error instanceof AppError
    if (!isReported) deps.log.error({ err: error, taskId, folder: deps.folder }, isFull ? 'DATA_DIR cannot be written' : 'export failed')
    const message = isReported ? error.message : isFull ? storageFullText : '导出失败，请重试；若仍失败请联系管理员'
    await end({ status: exportStatus.failed, message })
  }
}
