import pg from 'pg'
import { compare, took } from './measure.ts'

const documents = 1_000_000
const perFolder = 500
const pageSize = 20

export interface DocumentSetup {
  databaseUrl: string
  url: string
  login(account: string): Promise<string>
  /** An account of the site that is filled. */
  account: string
  projectCode: string
}

type Answer<T> = { status: number; message: string; data: T }

/**
 * Folder, search, tree and bin of one site with a million documents, beside bare statements that read the same rows and counts. Everything it
 * makes is gone with the database it is given.
 */
export async function benchDocuments({ databaseUrl, url, login, account, projectCode }: DocumentSetup): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  try {
    await fill(pool, projectCode)
    const token = await login(account)
    const get = async <T>(path: string): Promise<T> => {
      const answer = await fetch(`${url}/api/v1/oa/process/document${path}`, { headers: { token, group: '*' } })
      const { status, message, data } = (await answer.json()) as Answer<T>
      if (status !== 0) throw new Error(`${path}: ${message}`)
      return data
    }
    const about = `${documents} documents of one site`
    const { rows } = await pool.query<{ id: string }>('select id from document where project_code = $1 and name = $2', [
      projectCode,
      'bench folder 7',
    ])
    const folder = rows[0]?.id ?? ''
    const here = `projectCode=${projectCode}&space=project&size=${pageSize}`
    compare(`a folder, ${about}`, await took(() => get(`?${here}&parentId=${folder}`)), await took(() => bareFolder(pool, folder)))
    compare(`search, ${about}`, await took(() => get(`?${here}&keyword=77777`)), await took(() => bareSearch(pool, projectCode)))
    compare(
      `tree, ${about}`,
      await took(() => get(`/folders?projectCode=${projectCode}&space=project`)),
      await took(() => bareTree(pool, projectCode)),
    )
    compare(`recycle bin, ${about}`, await took(() => get(`/bin?projectCode=*&size=${pageSize}`)), await took(() => bareBin(pool)))
  } finally {
    await pool.end()
  }
}

/** Two thousand folders of five hundred files each; every hundredth file went into the bin. */
async function fill(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `insert into document (id, group_id, project_code, place, name, is_dir, owner_id, owner_name, create_by, create_time, update_time)
     select md5('bench folder' || f), t.id, $1, 'project ' || $1, 'bench folder ' || f, true, 'nobody', '样例', 'nobody', now(), now()
     from tenant t, generate_series(1, $2::int) f where t.type = 3 and t.code = $1`,
    [projectCode, documents / perFolder],
  )
  await pool.query(
    `insert into document (id, group_id, project_code, parent_id, place, path, ancestors, name, is_dir, file_id, mime, size, version_no, owner_id, owner_name,
       create_by, create_time, update_time, deleted_at, deleted_by, deleted_by_name, bin_id, bin_count, bin_bytes)
     select md5('bench document' || i), t.id, $1, f.id, f.id, 'bench folder ' || i % $3 + 1, array[f.id], '图纸 ' || i || '.pdf', false, 'none', 'application/pdf', 1000, 1,
       'nobody', '样例', 'nobody', now(), now() - i * interval '1 minute', case when gone then now() end, case when gone then 'nobody' end,
       case when gone then '样例' end, case when gone then md5('bench document' || i) end, case when gone then 1 end, case when gone then 1000 end
     from tenant t, generate_series(1, $2::int) i, lateral (select md5('bench folder' || i % $3 + 1) as id) f, lateral (select i % 100 = 0 as gone) g
     where t.type = 3 and t.code = $1`,
    [projectCode, documents, documents / perFolder],
  )
  await pool.query('vacuum analyze document')
}

async function bareFolder(pool: pg.Pool, folder: string): Promise<void> {
  await pool.query(
    `select * from document where place = $1 and deleted_at is null order by is_dir desc, update_time desc limit ${pageSize}`,
    [folder],
  )
  await pool.query('select count(*) from document where place = $1 and deleted_at is null', [folder])
}

async function bareSearch(pool: pg.Pool, projectCode: string): Promise<void> {
  const where = `project_code = $1 and deleted_at is null and (name ilike '%77777%' or path ilike '%77777%')`
  await pool.query(`select * from document where ${where} order by is_dir desc, update_time desc limit ${pageSize}`, [projectCode])
  await pool.query(`select count(*) from document where ${where}`, [projectCode])
}

const bareTree = (pool: pg.Pool, projectCode: string) =>
  pool.query(
    'select * from document where project_code = $1 and is_dir and deleted_at is null order by cardinality(ancestors), name limit 1001',
    [projectCode],
  )

async function bareBin(pool: pg.Pool): Promise<void> {
  await pool.query(`select * from document where bin_id = id order by deleted_at desc limit ${pageSize}`)
  await pool.query('select count(*), sum(bin_bytes) from document where bin_id = id')
}
