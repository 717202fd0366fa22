import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf } from '@zhugong/simulator/random'
import { type DustScene, dustPhoto } from '@zhugong/simulator/yard-photo'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { drawYardPhotos } from './yard-photos.ts'

/** Photographs and papers as evidence: causes of exceedances, night permits, trucks at the cameras of gates and weighbridges. */
export async function seedProofs(tx: Tx, city: City, folder: string): Promise<void> {
  await keepAll(tx, await drawYardPhotos(city, folder), 'device')
  const said = await sql<{ id: string; projectCode: string; source: DustScene }>`
    select id, project_code, source from exceed_cause where files = '{}'`.execute(tx)
  for (const [i, { id, projectCode, source }] of said.rows.entries()) {
    // Every third cause has no picture.
    if (i % 3 === 2) continue
    const file = { id: idOf(city.seed, 'causePhoto', id), name: '现场照片.png', mime: 'image/png' as const }
    await keepAll(tx, [await keepFile(folder, projectCode, file, dustPhoto(source, id))])
    await sql`update exceed_cause set files = ${[file.id]}::text[] where id = ${id}`.execute(tx)
  }
  const permits = await sql<{ id: string; projectCode: string; permitNo: string }>`
    select id, project_code, permit_no from night_permit where files = '{}'`.execute(tx)
  for (const { id, projectCode, permitNo } of permits.rows) {
    const file = { id: idOf(city.seed, 'permitPaper', id), name: `${permitNo}.png`, mime: 'image/png' as const }
    const paper = drawFile({ ...file, kind: 'licence', title: '夜间施工许可证', lines: [permitNo] })
    await keepAll(tx, [await keepFile(folder, projectCode, file, paper)])
    await sql`update night_permit set files = ${[file.id]}::text[] where id = ${id}`.execute(tx)
  }
}

export async function keepAll(tx: Tx, drawn: readonly Drawn[], source?: 'device'): Promise<void> {
  await sql`insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by, source)
    select f.id, f.owner, t.id, f.name, f.mime, f.bytes, f.sha256, 'demo', ${source ?? null}
    from jsonb_to_recordset(${JSON.stringify(drawn)}::jsonb) as f(id text, owner text, name text, mime text, bytes bigint, sha256 text)
      join tenant t on t.type = 3 and t.code = f.owner on conflict do nothing`.execute(tx)
}
