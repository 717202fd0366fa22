import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { fileLink, wasGiven } from './links.ts'
import { pathOf } from './pictures.ts'

/**
 * Validates attachment ids. All who see a row get links to its files, so a caller may add only files visible to the caller; existing ids
 * stay.
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

/** The types of recordings begin with this. */
export const soundMime = 'audio/'

/**
 * Validates spoken notes: files as `keptFiles` takes them that are recordings.
 * @throws AppError `invalidInput` at `field`
 */
export async function keptVoices(
  ctx: Pick<Context, 'db'>,
  voices: readonly string[] | undefined,
  before: readonly string[],
  field: string,
): Promise<string[]> {
  const ids = await keptFiles(ctx, fileIdsOf(voices), before, field)
  const fresh = ids.filter((id) => !before.includes(id))
  if (fresh.length === 0) return ids
  const { rows } = await sql<{ mime: string }>`select mime from stored_file where id = any (${fresh})`.execute(ctx.db)
  if (rows.some((one) => !one.mime.startsWith(soundMime))) throw new AppError('invalidInput', '这不是录音文件', { field })
  return ids
}

/** File ids from values that are ids or links to files. */
export function fileIdsOf(files: readonly string[] | undefined): string[] {
  return [...new Set((files ?? []).map((one) => /[?&]id=([\w-]{1,64})/.exec(one)?.[1] ?? one))]
}

/** Links for rows that contain links from older versions: our own links are renewed, other addresses stay unchanged. */
export const shownLinks = (ctx: Pick<Context, 'secrets' | 'clock'>, kept: readonly string[]): string[] =>
  kept.map((one) => {
    const id = /^[\w-]{1,64}$/.test(one) ? one : wasGiven(ctx.secrets, one)
    return id ? fileLink(ctx.secrets, id, ctx.clock.now()) : one
  })

/** From file ids that a device sends: those uploaded by devices of its site, in order. Addresses and other files are left out. */
export async function filesOfSite(ctx: Pick<Context, 'db'>, projectCode: string, named: readonly string[]): Promise<string[]> {
  const ids = fileIdsOf(named)
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select zg_site_file(${projectCode}, id) as id from unnest(${ids}::text[]) as id`.execute(ctx.db)
  const known = new Set(rows.map((r) => r.id))
  return ids.filter((id) => known.has(id))
}

export const linksOf = (ctx: Pick<Context, 'secrets' | 'clock'>, ids: readonly unknown[] | null | undefined): string[] =>
  (ids ?? []).filter((id): id is string => typeof id === 'string').map((id) => fileLink(ctx.secrets, id, ctx.clock.now()))

export const linkOf = (ctx: Pick<Context, 'secrets' | 'clock'>, id: string | null | undefined): string | null =>
  id ? fileLink(ctx.secrets, id, ctx.clock.now()) : null

/**
 * Where contents stand on this machine, by the id of their file. The caller must have read the ids from visible rows.
 */
export async function filePaths(ctx: Pick<Context, 'system'>, folder: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{
    id: string
    sha256: string
  }>`select f.id, f.sha256 from stored_file f where f.id = any (${[...ids]})`.execute(ctx.system)
  return new Map(rows.map((row) => [row.id, pathOf(folder, row.sha256)]))
}
