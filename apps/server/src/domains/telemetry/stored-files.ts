import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { newId } from '#kit/ids'

/** Pictures are recognised by their first bytes; other files from devices are not stored. */
const pictures: readonly { mime: string; extension: string; head: RegExp }[] = [
  { mime: 'image/jpeg', extension: 'jpg', head: /^ffd8ff/ },
  { mime: 'image/png', extension: 'png', head: /^89504e470d0a1a0a/ },
  { mime: 'image/webp', extension: 'webp', head: /^52494646.{8}57454250/ },
]

export interface StoredFile {
  sha256: string
  /** Undefined if the content is no picture, or the project has no group to own it. */
  id?: string
  mime?: string
}

/** Stores pictures sent by devices and applications under their content hash and lists them for the project. */
export class StoredFiles {
  private readonly pool: pg.Pool
  private readonly folder: string

  constructor(pool: pg.Pool, folder: string) {
    this.pool = pool
    this.folder = folder
  }

  async store(
    projectCode: string,
    name: string,
    body: Buffer,
    by: string,
    source: 'attendance' | 'device' = 'device',
  ): Promise<StoredFile> {
    // Hash of the picture as received, which gates and records refer to.
    const sha256 = createHash('sha256').update(body).digest('hex')
    const head = body.toString('hex', 0, 16)
    const kind = pictures.find((p) => p.head.test(head))
    if (!kind) return { sha256 }
    const { rows } = await this.pool.query<{ id: string; group_id: string | null }>(
      `select f.id, t.id as group_id from tenant t left join stored_file f on f.project_code = $1 and f.sha256 = $2
       where t.type = 3 and t.code = $1 limit 1`,
      [projectCode, sha256],
    )
    const [row] = rows
    if (!row?.group_id) return { sha256 }
    // Already stored: returns the existing id.
    if (row.id) return { sha256, id: row.id, mime: kind.mime }
    const path = join(this.folder, sha256.slice(0, 2), sha256)
    if (!existsSync(path)) {
      await mkdir(dirname(path), { recursive: true, mode: 0o750 })
      const aside = `${path}.${randomBytes(4).toString('hex')}`
      await writeFile(aside, body, { mode: 0o640 })
      await rename(aside, path)
    }
    const id = newId()
    await this.pool.query(
      `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by, source) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        projectCode,
        row.group_id,
        `${name.replace(/[^\p{L}\p{N} _-]/gu, '').slice(0, 80) || '照片'}.${kind.extension}`,
        kind.mime,
        body.length,
        sha256,
        by,
        source,
      ],
    )
    return { sha256, id, mime: kind.mime }
  }
}
