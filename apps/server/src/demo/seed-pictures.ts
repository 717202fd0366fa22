import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { City, FileSeed } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import type pg from 'pg'
import type { Database } from '#kit/db'
import { inTransaction } from '#kit/transaction'

const key = 'demo-pictures'
/** Pictures drawn between two writes: some tenths of a second. */
const atOnce = 40

export interface Drawn {
  id: string
  /** Code of the owning project or company. */
  owner: string
  name: string
  mime: string
  bytes: number
  sha256: string
}

/**
 * Faces, certificates and contracts as files, stored and protected like uploads. Existing pictures are kept. Drawn site by site in the order of the
 * city.
 */
export async function seedPictures(database: Database, city: City, folder: string): Promise<void> {
  const { pool } = database
  if ((await pool.query('select 1 from setting where key = $1', [key])).rowCount) return
  for (const { projectCode } of city.projects) {
    const stays = city.projectWorkers.filter((w) => w.projectCode === projectCode)
    const here = new Set(stays.map((w) => w.workerId))
    const workers = city.workers.filter((w) => here.has(w.workerId))
    for (let i = 0; i < workers.length; i += atOnce) {
      const some = workers.slice(i, i + atOnce)
      const ids = new Set(some.map((w) => w.workerId))
      const papers = [
        ...city.workerCerts.filter((c) => ids.has(c.workerId)).map((c) => ({ table: 'worker_cert', id: c.id, files: c.files })),
        ...city.workerContracts.filter((c) => ids.has(c.workerId)).map((c) => ({ table: 'worker_contract', id: c.id, files: c.files })),
      ]
      const seeds = [...some.flatMap((w) => [w.headImage, ...(w.facePhoto ? [w.facePhoto] : [])]), ...papers.flatMap((p) => p.files)]
      const drawn: Drawn[] = []
      for (const seed of seeds) drawn.push(await draw(folder, projectCode, seed))
      await inTransaction(pool, async (client) => {
        await client.query('set local synchronous_commit = off')
        await client.query(
          `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by)
           select f.id, f.owner, t.id, f.name, f.mime, f.bytes, f.sha256, 'demo'
           from jsonb_to_recordset($1::jsonb) as f(id text, owner text, name text, mime text, bytes bigint, sha256 text)
             join tenant t on t.type = 3 and t.code = f.owner on conflict do nothing`,
          [JSON.stringify(drawn)],
        )
        await client.query(
          `update worker w set head_image = coalesce(w.head_image, p.head), face_photo = coalesce(w.face_photo, p.face)
           from jsonb_to_recordset($1::jsonb) as p(id text, head text, face text) where w.id = p.id`,
          [JSON.stringify(some.map((w) => ({ id: w.workerId, head: w.headImage.id, face: w.facePhoto?.id ?? null })))],
        )
        for (const table of ['worker_cert', 'worker_contract']) {
          await client.query(
            `update ${table} x set files = p.files from jsonb_to_recordset($1::jsonb) as p(id text, files jsonb)
             where x.id = p.id and x.files = '[]'::jsonb`,
            [JSON.stringify(papers.filter((p) => p.table === table).map((p) => ({ id: p.id, files: p.files.map((f) => f.id) })))],
          )
        }
      })
    }
  }
  await seedLicences(pool, city, folder)
  await pool.query('insert into setting (key, value) values ($1, $2) on conflict do nothing', [key, JSON.stringify({ drawn: true })])
}

/** Every ninth company lacks its licence, to show missing papers. */
async function seedLicences(pool: pg.Pool, city: City, folder: string): Promise<void> {
  const companies = city.corporations.filter((_, i) => i % 9 !== 8)
  const drawn: Drawn[] = []
  for (const c of companies) drawn.push(await draw(folder, c.corpCode, c.licenseFile))
  await pool.query(
    `with f as (
       select f.*, t.id as group_id from jsonb_to_recordset($1::jsonb) as f(id text, owner text, name text, mime text, bytes bigint, sha256 text)
         join tenant t on t.type = 2 and t.code = f.owner),
     made as (
       insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by)
       select id, group_id, name, mime, bytes, sha256, 'demo' from f on conflict do nothing)
     update corporation c set license_file = f.id from f where c.corp_code = f.owner and c.license_file is null`,
    [JSON.stringify(drawn)],
  )
}

/** Draws a paper and stores it like an upload; the caller inserts its row. */
export const draw = (folder: string, owner: string, seed: FileSeed): Promise<Drawn> => keepFile(folder, owner, seed, drawFile(seed))

/** Stores bytes like an uploaded file. */
export async function keepFile(
  folder: string,
  owner: string,
  seed: Pick<FileSeed, 'id' | 'name'> & { mime: string },
  body: Buffer,
): Promise<Drawn> {
  const sha256 = createHash('sha256').update(body).digest('hex')
  const path = join(folder, sha256.slice(0, 2), sha256)
  await mkdir(dirname(path), { recursive: true, mode: 0o750 })
  await writeFile(path, body, { mode: 0o640 })
  return { id: seed.id, owner, name: seed.name, mime: seed.mime, bytes: body.length, sha256 }
}
