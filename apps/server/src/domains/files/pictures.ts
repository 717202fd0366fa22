import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#kit/db'

/** Where a content stands in the folder of uploads. */
export const pathOf = (folder: string, sha256: string): string => join(folder, sha256.slice(0, 2), sha256)

/** Larger pictures are not drawn into a document of hundreds. */
const mostBytes = 10 * 1024 ** 2

/**
 * Reads pictures for documents from the folder of uploads: whoever sees a row sees the pictures it names, as with its links. One that is
 * neither JPEG nor PNG, or that the folder has lost, is left out.
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
