import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StoredFile } from '@zhugong/contract/files/endpoints'
import { storedFile } from '@zhugong/contract/files/endpoints'
import { hasControlCharacters } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context, Shared, Upload } from '#kit/context'
import type { Db, Row } from '#kit/db'
import { rowOf } from '#kit/row-of'
import { contentKind, refusalOf } from './content-type.ts'
import { fileLink } from './links.ts'
import { withoutMetadata } from './metadata.ts'
import { pathOf } from './pictures.ts'

export const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex')

/** Stores a file by content hash. Writes to a temporary name first, so that partial files are never visible. */
export async function store(folder: string, sha256: string, body: Buffer): Promise<void> {
  const path = pathOf(folder, sha256)
  if (existsSync(path)) return
  await mkdir(dirname(path), { recursive: true, mode: 0o750 })
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(aside, body, { mode: 0o640 })
  await rename(aside, path)
}

/** The uploaded name without folders and control characters, with the extension of its content. */
export function plainName(given: string, extension: string): string {
  const base =
    given
      .replaceAll('\\', '/')
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/, '') ?? ''
  const clean = hasControlCharacters(base) ? '' : [...base.toWellFormed().replace(/[<>:"|?*]/g, '')].slice(0, 80).join('')
  return `${clean || '附件'}.${extension}`
}

/** The answer to the account that has sent a file. */
export const answerOf = (ctx: Pick<Context, 'secrets' | 'clock'>, file: Row<'storedFile'>): StoredFile =>
  rowOf(storedFile, file, {
    url: fileLink(ctx.secrets, file.id, ctx.clock.now()),
    size: Number(file.bytes),
    sha256: file.sentSha256 ?? file.sha256,
  })

/**
 * Keeps a picture or PDF of somebody without an account, for a group whose members may see it. Nothing else is accepted, whatever its name.
 * @throws AppError `invalidInput`
 */
export async function keepStrangersFile(
  { system, newId }: Pick<Shared, 'system' | 'newId'>,
  folder: string,
  { body: sent, fileName }: Pick<Upload, 'body' | 'fileName'>,
  groupId: string,
): Promise<{ id: string; name: string }> {
  const kind = contentKind(sent)
  if (!kind || !(kind.mime.startsWith('image/') || kind.extension === 'pdf'))
    throw new AppError('invalidInput', refusalOf(sent, '图片或 PDF'), { field: 'file' })
  const body = withoutMetadata(sent, kind.mime)
  const sha256 = hashOf(body)
  await store(folder, sha256, body)
  const id = newId()
  const name = plainName(fileName, kind.extension)
  await system
    .insertInto('storedFile')
    .values({ id, name, mime: kind.mime, bytes: body.length, sha256, groupId, createBy: '', projectCode: null })
    .execute()
  return { id, name }
}

/** Hands files of strangers to the group that decides about them. */
export const giveFiles = (db: Db, ids: readonly string[], groupId: string) =>
  sql`update stored_file set group_id = ${groupId} where id = any (${[...ids]}) and create_by = ''`.execute(db)
