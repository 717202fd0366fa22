import { exportCodes } from '@zhugong/contract/exports/codes'
import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Shared } from '#kit/context'
import type { Db, Row } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { principalLater } from '../access/public.ts'

/** Short lifetime: browsers send no session with a download, and a page that is open longer requests a new link. */
const linkMs = 5 * 60_000

const signedText = (id: string, expires: string, sessionHash: string) => `${id}|${expires}|${sessionHash}`

/** The download link of an export for one session. It expires after five minutes and with the session. */
export function exportLink(secrets: Secrets, id: string, sessionHash: string, now: number): string {
  const expires = String(now + linkMs)
  return `/api/v1/export/${id}/file?expires=${expires}&sign=${secrets.sign('export', signedText(id, expires, sessionHash))}`
}

const refusal = () => new AppError('forbidden', '下载地址已失效，请回到导出中心重新点击下载')

/** The export behind a link. Its owner's account, session and membership must still exist. */
export async function exportOfLink(
  ctx: Pick<Shared, 'system' | 'secrets' | 'clock'>,
  link: { id: string; expires: string; sign: string },
): Promise<Row<'exportTask'>> {
  const now = ctx.clock.now()
  if (!(Number(link.expires) > now)) throw refusal()
  const task = await ctx.system.selectFrom('exportTask').selectAll().where('id', '=', link.id).executeTakeFirst()
  if (!task || task.status !== exportStatus.done) throw refusal()
  const sessions = await sessionsOfOwner(ctx.system, task, now)
  if (!sessions.some((hash) => ctx.secrets.verify('export', signedText(link.id, link.expires, hash), link.sign))) throw refusal()
  await requireStill(ctx, task)
  return task
}

/**
 * A download needs the current rights of the owner: the list's codes in the scope of the export, and the one for unmasked values. Checked
 * at every download.
 */
async function requireStill({ system, clock }: Pick<Shared, 'system' | 'clock'>, task: Row<'exportTask'>): Promise<void> {
  const needs = [...(exportCodes(task.feature) ?? []), ...(task.request.sensitive ? ['export.sensitive'] : [])]
  const owner = await principalLater({ database: { kysely: system }, clock }, { ...task, projectCode: task.request.projectCode }, needs)
  if (!needs.every((code) => owner.codes.has(code))) throw new AppError('forbidden', '您已没有导出此列表的权限，不能再下载')
}

/** Hashes of the active sessions of an export's owner; none if the owner has left the group of the export. */
async function sessionsOfOwner(system: Db, task: Row<'exportTask'>, now: number): Promise<string[]> {
  const at = new Date(now)
  const rows = await system
    .selectFrom('session as s')
    .innerJoin('appUser as u', 'u.id', 's.userId')
    .innerJoin('member as m', 'm.userId', 's.userId')
    .select('s.tokenHash')
    .where('s.userId', '=', task.userId)
    .where('m.groupId', '=', task.groupId)
    .where('m.enable', '=', '1')
    .where('u.enable', '=', '1')
    .where('s.expiresAt', '>', at)
    .where('s.hardExpiresAt', '>', at)
    .execute()
  return rows.map((row) => row.tokenHash)
}
