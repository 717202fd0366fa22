import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import type { Database } from '#kit/db'
import { inTransaction } from '#kit/transaction'
import { rectifyPhoto, rectifyScenes } from './media/rectify-scene.ts'
import { problems } from './rectify-problems.ts'
import { measureScenes } from './seed-checks.ts'
import { type Drawn, draw, keepFile } from './seed-pictures.ts'

const key = 'demo-rectify-photos'

/**
 * Photographs of the problems and of what was done about them: one pair for each kind of problem, shared by all notices of a site. An
 * answer that was returned shows that little had changed.
 */
export async function seedRectifyPhotos(database: Database, city: City, folder: string): Promise<void> {
  const { pool } = database
  if ((await pool.query('select 1 from setting where key = $1', [key])).rowCount) return
  const drawn: Drawn[] = []
  const photos: { owner: string; scene: string; before: string; after: string }[] = []
  const bodies = rectifyScenes.map((scene) => ({ scene, before: rectifyPhoto(scene, false), after: rectifyPhoto(scene, true) }))
  for (const { projectCode } of city.projects)
    for (const { scene, ...pair } of bodies) {
      const id = (when: string) => idOf(city.seed, 'rectifyPhoto', projectCode, scene, when)
      const keep = (when: 'before' | 'after', name: string) =>
        keepFile(folder, projectCode, { id: id(when), name, mime: 'image/png' }, pair[when])
      drawn.push(await keep('before', '整改前.png'), await keep('after', '整改后.png'))
      photos.push({ owner: projectCode, scene, before: id('before'), after: id('after') })
    }
  const shown = photos.flatMap(({ scene, ...one }) =>
    problems.filter((words) => words.scene === scene).map(({ description }) => ({ ...one, description })),
  )
  const { papers, scans } = await drawReports(database, city, folder)
  drawn.push(...papers)
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by)
       select f.id, f.owner, t.id, f.name, f.mime, f.bytes, f.sha256, 'demo'
       from jsonb_to_recordset($1::jsonb) as f(id text, owner text, name text, mime text, bytes bigint, sha256 text)
         join tenant t on t.type = 3 and t.code = f.owner on conflict do nothing`,
      [JSON.stringify(drawn)],
    )
    await client.query(
      'create temp table shown on commit drop as select * from jsonb_to_recordset($1::jsonb) as s(owner text, description text, before text, after text)',
      [JSON.stringify(shown)],
    )
    await client.query(
      `update rectify_line l set photos = array[s.before] from shown s
       where l.project_code = s.owner and l.description = s.description and l.photos = '{}'`,
    )
    await client.query(
      `update rectify_answer a set photos = array[case when false in (a.review_passed, a.recheck_passed) then s.before else s.after end]
       from rectify_line l join shown s on s.owner = l.project_code and s.description = l.description
       where l.id = a.line_id and a.photos = '{}'`,
    )
    await client.query(
      `update site_check_problem p set photos = array[s.before], mended_photos = case when p.mended is null then '{}' else array[s.after] end
       from shown s where p.project_code = s.owner and p.description = s.description and p.photos = '{}'`,
    )
    const measures = measureScenes(city).map(({ id, projectCode, scene }) => {
      const pair = photos.find((one) => one.owner === projectCode && one.scene === scene)
      return { id, before: pair?.before, after: pair?.after }
    })
    await client.query(
      `with pair as (select * from jsonb_to_recordset($1::jsonb) as p(id text, before text, after text)),
         work as (update safety_measure_work w set photos = array[pair.after] from pair where w.measure_id = pair.id and w.photos = '{}')
       update safety_measure m set photos = array[pair.before] from pair where m.id = pair.id and m.photos = '{}'`,
      [JSON.stringify(measures)],
    )
    await client.query(
      `update rectify_reply y set scans = array[s.file] from jsonb_to_recordset($1::jsonb) as s(id text, round int, file text)
       where y.rectify_id = s.id and y.round = s.round and y.scans = '{}'`,
      [JSON.stringify(scans)],
    )
  })
  await pool.query('insert into setting (key, value) values ($1, $2) on conflict do nothing', [key, JSON.stringify({ drawn: true })])
}

/** The paper of every reply that an authority wrote down. */
async function drawReports({ pool }: Database, city: City, folder: string) {
  const { rows } = await pool.query<{ id: string; round: number; projectCode: string; code: string; corpName: string; opinion: string }>(
    `select y.rectify_id as id, y.round, y.project_code as "projectCode", r.code, c.corp_name as "corpName", coalesce(y.opinion, '') as opinion
     from rectify_reply y join rectify r on r.id = y.rectify_id join corporation c on c.corp_code = r.corp_code where y.on_behalf`,
  )
  const papers: Drawn[] = []
  const scans: { id: string; round: number; file: string }[] = []
  for (const { id, round, projectCode, code, corpName, opinion } of rows) {
    const file = idOf(city.seed, 'rectifyReport', id, String(round))
    const lines = [code, corpName, opinion, '项目经理（签字）', '总监理工程师（签字）']
    papers.push(
      await draw(folder, projectCode, { id: file, name: '整改报告.png', mime: 'image/png', kind: 'licence', title: '整改报告', lines }),
    )
    scans.push({ id, round, file })
  }
  return { papers, scans }
}
