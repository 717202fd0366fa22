import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { fileLink } from './links.ts'

/**
 * Attachments are kept as ids. A row's links are given to whoever sees the row, so an id may enter a row only from somebody who sees
 * the file; what the row held already stays.
 */
export async function keptFiles(
  ctx: Pick<Context, 'db'>,
  ids: readonly string[],
  before: readonly unknown[] = [],
  field = 'files',
): Promise<string[]> {
  const fresh = ids.filter((id) => !before.includes(id))
  if (fresh.length) {
    const { rows } = await sql<{ id: string }>`select id from stored_file where id = any (${fresh})`.execute(ctx.db)
    const known = new Set(rows.map((r) => r.id))
    if (fresh.some((id) => !known.has(id))) throw new AppError('invalidInput', '附件不存在，请重新上传', { field })
  }
  return [...ids]
}

export const linksOf = (ctx: Pick<Context, 'secrets' | 'clock'>, ids: readonly unknown[] | null | undefined): string[] =>
  (ids ?? []).filter((id): id is string => typeof id === 'string').map((id) => fileLink(ctx.secrets, id, ctx.clock.now()))

export const linkOf = (ctx: Pick<Context, 'secrets' | 'clock'>, id: string | null | undefined): string | null =>
  id ? fileLink(ctx.secrets, id, ctx.clock.now()) : null
