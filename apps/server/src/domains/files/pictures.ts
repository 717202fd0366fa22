import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#kit/db'

/** The path of a content in the upload folder. */
export const pathOf = (folder: string, sha256: string): string => join(folder, sha256.slice(0, 2), sha256)

/** Larger pictures are left out of documents. */
const mostBytes = 10 * 1024 ** 2

/**
 * Reads pictures for documents from the upload folder. The caller must have read the id from a visible row. Undefined for other formats
 * than JPEG and PNG, and for missing files.
 */
export const pictureReader =
  (db: Db, folder: string) =>
  async (id: string | null): Promise<Buffer | undefined> => {
    if (!id) return undefined
    const file = await db.selectFrom('storedFile').select(['sha256', 'bytes']).where('id', '=', id).executeTakeFirst()
    if (!file || Number(file.bytes) > mostBytes) return undefined
    const body = await readFile(pathOf(folder, file.sha256)).catch(() => undefined)
    const isJpeg = body?.[0] === 0xff && body[1] === 0xd8
    const isPng = body?.subarray(1, 4).toString('latin1') === 'PNG'
    return isJpeg || isPng ? body : undefined
  }
