import { createHash } from 'node:crypto'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/personnel/import'
import { sql } from 'kysely'
import { plainText } from '#kit/cell-text'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject, requireCode } from '#kit/context'
import { offThread } from '#kit/off-thread/off-thread'
import type { HandlerOf, Serve } from '#kit/serve'
import { sealCells } from './check.ts'
import { changeImport } from './mend.ts'
import { findImport, getImport, listImports } from './rows.ts'
import { importQueue } from './run.ts'
import type { SheetLine, SheetRead } from './sheet-thread.ts'
import { countRows } from './state.ts'
import { importTemplate } from './template.ts'

export type Enqueue = (queue: string, data: { taskId: string }) => Promise<void>

/** Ten thousand rows take seconds; a file that takes longer than this is refused. */
const readingMs = 30_000
/** Uploading the same file again within this time requires a confirmation. */
const sameWithinMs = 30 * 86_400_000
/** Rows inserted by one statement. */
const writtenAtOnce = 1_000
/** Unfinished imports allowed per group. */
const mostOpen = 20

export function importRoutes(serve: Serve, enqueue: Enqueue): void {
  serve(contract.listImports, listImports)
  serve(contract.getImport, getImport)
  serve(contract.importTemplate, ({ query }, ctx) => importTemplate(ctx, projectOf(ctx, query.projectCode)))
  serve(contract.importExcel, importExcel(enqueue))
  serve(contract.importBase, importBase(enqueue))
  serve(
    contract.changeImport,
    changeImport((id) => enqueue(importQueue, { taskId: id })),
  )
}

/** The project that people enter; null for imports of files only. */
const projectOf = (ctx: Context, requested: string | null | undefined): string | null =>
  requested && requested !== '*' ? oneProject(ctx, requested) : null

function requireRights(ctx: Context, projectCode: string | null): void {
  requireCode(ctx, 'personnel.create')
  if (projectCode) requireCode(ctx, 'labour.entry')
}

interface Brought {
  projectCode: string | null
  kind: contract.ImportKind
  fileName: string
  fileHash: string
  again: boolean
  read: SheetRead
}

const importExcel =
  (enqueue: Enqueue): HandlerOf<typeof contract.importExcel> =>
  async (_input, ctx) => {
    const { body, fileName, fields } = await ctx.upload()
    const replaced = fields.importId ? await findImport(ctx, fields.importId, true) : undefined
    if (replaced && (!contract.isBeforeRun(replaced.state) || (await countRows(ctx.db, replaced.id)).done > 0))
      throw new AppError('refused', '这次导入已经确认，不能再替换文件，请新建一次导入', { field: 'importId' })
    const projectCode = replaced ? replaced.projectCode : projectOf(ctx, fields.projectCode)
    requireRights(ctx, projectCode)
    const read = await offThread.run<SheetRead>(new URL('./sheet-thread.ts', import.meta.url), body, {
      group: ctx.group.id,
      signal: ctx.gone,
      timeLimitMs: readingMs,
      tooLong: '文件过于复杂，读取超时，请使用导入模板',
    })
    const kind = projectCode ? 'project' : 'base'
    const fileHash = createHash('sha256').update(body).digest('hex')
    // The owner's spelling is kept, full-width brackets too: the name is never searched.
    const named =
      fileName
        .replace(/[\p{Cc}\p{Cf}]/gu, '')
        .trim()
        .slice(0, 200) || '未命名.xlsx'
    const begun = await begin(ctx, enqueue, { projectCode, kind, fileName: named, fileHash, again: fields.again === '1', read })
    if (replaced && begun.id) await ctx.db.deleteFrom('workerImport').where('id', '=', replaced.id).execute()
    return begun
  }

const importBase =
  (enqueue: Enqueue): HandlerOf<typeof contract.importBase> =>
  async ({ body }, ctx) => {
    const projectCode = projectOf(ctx, body.projectCode)
    requireRights(ctx, projectCode)
    const lines = body.rows.flatMap((row, i): SheetLine[] => {
      const cells = tidy(row)
      return Object.keys(cells).length ? [{ row: i + 1, cells, hidden: false }] : []
    })
    const fileHash = createHash('sha256').update(JSON.stringify(lines)).digest('hex')
    const fileName = `粘贴 ${lines.length} 行`
    return begin(ctx, enqueue, {
      projectCode,
      kind: 'paste',
      fileName,
      fileHash,
      again: body.again,
      read: { lines, unknownColumns: [], remarks: [] },
    })
  }

/** Cells as pasted by users, as text without invisible characters. */
export const tidy = (cells: contract.ImportCells): contract.ImportCells =>
  Object.fromEntries(Object.entries(cells).flatMap(([field, value]) => (plainText(value) ? [[field, plainText(value)]] : [])))

/** Stores the rows and starts the check in the background. A repeated file needs confirmation first. */
async function begin(ctx: Context, enqueue: Enqueue, brought: Brought) {
  const { read, projectCode, kind, fileName, fileHash } = brought
  if (read.lines.length === 0) throw new AppError('invalidInput', '文件里没有人员，请从表头下一行开始填写', { field: 'file' })
  const now = new Date(ctx.clock.now())
  const same = brought.again ? undefined : await sameFile(ctx, brought)
  if (same) {
    ctx.note('导入与以前相同的文件，未接收')
    return { id: null, same }
  }
  const open = await sql<{ n: number }>`
    select count(*)::int as n from worker_import where group_id = ${ctx.group.id} and state in ('0', '1', '4')`.execute(ctx.db)
  if ((open.rows[0]?.n ?? 0) >= mostOpen) throw new AppError('tooMany', `本机构已有 ${mostOpen} 个导入在进行，请等它们完成`)
  const id = ctx.newId()
  await ctx.db
    .insertInto('workerImport')
    .values({
      id,
      groupId: ctx.group.id,
      projectCode,
      kind,
      fileName,
      fileHash,
      state: contract.importState.waiting,
      total: read.lines.length,
      unknownColumns: JSON.stringify(read.unknownColumns),
      remarks: JSON.stringify(read.remarks),
      createBy: ctx.user.id,
      createName: ctx.user.name,
      createTime: now,
      updateTime: now,
    })
    .execute()
  for (let at = 0; at < read.lines.length; at += writtenAtOnce)
    await ctx.db
      .insertInto('workerImportRow')
      .values(
        read.lines.slice(at, at + writtenAtOnce).map((line) => ({
          importId: id,
          rowNo: line.row,
          cells: sealCells(ctx, line.cells),
          hidden: line.hidden,
          idHash: null,
          cardHash: null,
          team: null,
          result: null,
          workerId: null,
          projectWorkerId: null,
        })),
      )
      .execute()
  ctx.note(`导入人员文件 ${read.lines.length} 行`, id)
  ctx.afterCommit(() => enqueue(importQueue, { taskId: id }))
  return { id, same: null }
}

async function sameFile(ctx: Context, { fileHash, projectCode }: Brought) {
  const now = ctx.clock.now()
  const before = await ctx.db
    .selectFrom('workerImport')
    .select(['id', 'fileName', 'createTime'])
    .where('groupId', '=', ctx.group.id)
    .where('fileHash', '=', fileHash)
    .where(sql<boolean>`project_code is not distinct from ${projectCode}`)
    .where('cancelled', '=', false)
    .where('createTime', '>', new Date(now - sameWithinMs))
    .orderBy('createTime', 'desc')
    .executeTakeFirst()
  if (!before) return undefined
  const text = `与 ${agoOf(now - before.createTime.getTime())}的导入相同`
  return { id: before.id, fileName: before.fileName, createTime: formatInstant(before.createTime), text }
}

const agoOf = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return '刚才'
  if (minutes < 60) return `${minutes} 分钟前`
  return minutes < 1_440 ? `${Math.floor(minutes / 60)} 小时前` : `${Math.floor(minutes / 1_440)} 天前`
}
