import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportCodes } from '@zhugong/contract/exports/codes'
import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { writeXlsxStream } from 'hucre/xlsx'
import type { Clock } from '#kit/clock'
import type { Group, GroupType } from '#kit/context'
import { type Database, inScope } from '#kit/db'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import { codesOfMember, findScope, narrow } from '../access/public.ts'
import { exportNamed, type ListContext } from './registry.ts'

export const exportQueue = 'export'
/** Finished exports stay this long. */
export const keptMs = 7 * 86_400_000
const progressEveryRows = 2_000
/** Rows one worksheet can hold beside its header. */
const maxRows = 1_048_575

export interface ExportDependencies {
  database: Database
  clock: Clock
  secrets: Secrets
  log: Log
  folder: string
}

/** Writes one export from a cursor to a file in constant memory, with the rights its owner has now, not when it was asked for. */
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
  mkdirSync(deps.folder, { recursive: true, mode: 0o750 })
  const path = join(deps.folder, `${taskId}.xlsx`)
  try {
    const definition = exportNamed(task.feature)
    if (!definition) throw new Refusal('没有这个导出')
    const principal = await principalOf(deps, task.userId, task.groupId, task.request.projectCode)
    if (!exportCodes(definition.feature)?.every((code) => principal.codes.has(code))) throw new Refusal('您已没有导出此列表的权限')
    const clear = task.request.sensitive && principal.codes.has('export.sensitive')
    const wanted = task.request.columns
    // What was asked for in clear comes along whichever columns the page shows: no page shows it.
    const columns = definition.columns.filter((c) => (c.sensitive ? clear : !wanted?.length || wanted.includes(c.key)))
    const query = definition.query.parse(task.request.query)
    let done = 0
    await inScope(db, principal.scope, async (tx) => {
      const ctx: ListContext = { ...principal, db: tx, scopeChecks: true, clock: deps.clock, secrets: deps.secrets }
      const total = Math.min(await definition.count(ctx, query), maxRows)
      async function* rows() {
        for await (const row of definition?.rows(ctx, query) ?? []) {
          if (done >= maxRows) return
          done++
          if (done % progressEveryRows === 0) {
            const progress = Math.min(99, Math.floor((done / Math.max(1, total)) * 100))
            await db.updateTable('exportTask').set({ progress, rowsDone: done }).where('id', '=', taskId).execute()
          }
          yield columns.map((c) => plain(c.value(row)))
        }
      }
      const sheet = { name: definition.title.slice(0, 31), columns: columns.map((c) => ({ header: c.title, width: c.width ?? 16 })) }
      const stream = writeXlsxStream(rows(), sheet as never)
      await pipeline(Readable.fromWeb(stream as never), createWriteStream(path, { mode: 0o640 }))
    })
    await end({ status: exportStatus.done, message: '', path, bytes: statSync(path).size, rowsDone: done, progress: 100 })
  } catch (error) {
    rmSync(path, { force: true })
    if (!(error instanceof Refusal)) deps.log.error({ err: error, taskId }, 'export failed')
    await end({ status: exportStatus.failed, message: error instanceof Refusal ? error.message : '导出失败，请重试；若仍失败请联系管理员' })
  }
}

class Refusal extends Error {}

async function principalOf({ database, clock }: ExportDependencies, userId: string, groupId: string, projectCode: string) {
  const row = await database.kysely
    .selectFrom('member as m')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .select(['m.id as memberId', 't.id', 't.type', 't.code', 't.name', 't.areaCode', 'u.account', 'u.name as userName'])
    .where('m.userId', '=', userId)
    .where('m.groupId', '=', groupId)
    .where('m.enable', '=', '1')
    .where('u.enable', '=', '1')
    .where('t.enable', '=', '1')
    .executeTakeFirst()
  if (!row) throw new Refusal('您已不属于该机构')
  const group: Group = { id: row.id, type: row.type as GroupType, code: row.code, name: row.name, areaCode: row.areaCode }
  const scope = narrow(await findScope(database.kysely, group, userId), projectCode)
  if (!scope) throw new Refusal('项目已不在您的管辖范围内')
  const codes = new Set(await codesOfMember(database.kysely, row.memberId, group.type, clock.now()))
  return { scope, codes, group, projectCode, user: { id: userId, account: row.account, name: row.userName, mustChangePassword: false } }
}

/** A cell that starts like a formula is kept from being one in whatever opens the file. */
const plain = (value: string | number | null | undefined) =>
  value === null || value === undefined ? '' : typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
