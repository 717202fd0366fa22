import { randomBytes } from 'node:crypto'
import { codesFor } from '@zhugong/contract/access/codes'
import pg from 'pg'
import { factsOf, rightsOf } from '#domains/access/find-rights'
import { judge } from '#domains/access/rights'
import '#domains/access/tables'
import '#domains/organisation/tables'
import { openDatabase } from '#kit/db'
import { line } from './measure.ts'

const roles = 30
const projects = 1_000
const rounds = 100

/** Median of many calls, in milliseconds. */
async function middle(work: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < rounds; i++) {
    const begun = performance.now()
    await work()
    took.push(performance.now() - begun)
  }
  return took.sort((a, b) => a - b)[rounds >> 1] ?? 0
}

/**
 * Measures how the rights of an account with thirty roles, each for some of a thousand projects, are determined: computed, and cached by
 * their version, each against the bare statement that reads the same facts. The data is deleted with the database.
 */
export async function benchRights(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const id = randomBytes(8).toString('hex')
  await pool.query(`insert into tenant (id, type, code, name) values ($1, 2, $1, $1)`, [id])
  await pool.query(`insert into app_user (id, account, name, password_hash) values ($1, $1, '多角色', 'none')`, [id])
  await pool.query('insert into member (id, user_id, group_id) values ($1, $1, $1)', [id])
  const codes = codesFor(2)
  for (let i = 0; i < roles; i++) {
    const some = Array.from({ length: projects / 3 }, (_, j) => `B${(i * 37 + j * 3) % projects}`)
    await pool.query(
      `insert into role (id, group_id, groups_type, name, codes, role_scope, data_scope, projects) values ($1, $2, 2, $1, $3, '5', '4', $4)`,
      [`${id}${i}`, id, codes.filter((_, j) => (i + j) % 3), some],
    )
    await pool.query('insert into member_role (member_id, role_id) values ($1, $2)', [id, `${id}${i}`])
  }
  const database = openDatabase(databaseUrl, { max: 1 })
  const db = database.kysely
  try {
    const bare = await middle(() =>
      pool.query(
        `select r.codes, r.projects, mr.deadline from member_role mr join role r on r.id = mr.role_id where mr.member_id = $1 and r.groups_type = 2`,
        [id],
      ),
    )
    const anew = await middle(async () => {
      const facts = await factsOf(db, id, Date.now())
      return facts && judge(facts, Date.now())
    })
    const remembered = await middle(() => rightsOf(db, id, Date.now()))
    const show = (ms: number) => `${ms.toFixed(2)} ms`
    line(`rights of ${roles} roles over ${projects} projects, anew`, show(anew), `bare ${show(bare)}`, `${(anew / bare).toFixed(2)} x p50`)
    line('the same, remembered', show(remembered), `bare ${show(bare)}`, `${(remembered / bare).toFixed(2)} x p50`)
  } finally {
    await database.close()
    await pool.end()
  }
}
