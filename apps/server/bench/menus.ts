import pg from 'pg'
import { line, quantile } from './measure.ts'

const entries = 400
const rounds = 50

export interface MenusSetup {
  databaseUrl: string
  url: string
  login(account: string): Promise<string>
}

interface Node {
  children: Node[]
}
const entriesIn = (nodes: readonly Node[]): number => nodes.reduce((sum, one) => sum + 1 + entriesIn(one.children), 0)

async function took(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i <= rounds; i++) {
    const begun = performance.now()
    await work()
    if (i > 0) times.push(performance.now() - begun)
  }
  return times
}

/**
 * Measures the menu call of an account that sees at least four hundred entries, as a browser requests it at the first page, against the
 * bare statement that reads the same entries. There are fewer pages than that, so each page gets directories of its own. The data is
 * deleted with the database.
 */
export async function benchMenus({ databaseUrl, url, login }: MenusSetup): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  try {
    const token = await login('admin')
    const call = async () => {
      const answer = await fetch(`${url}/api/v1/sys/ui/tree/init`, {
        method: 'POST',
        headers: { token, group: '*', 'content-type': 'application/json' },
        body: '{}',
      })
      const { status, data } = (await answer.json()) as { status: number; data: Node[] }
      if (status !== 0) throw new Error(`the menus answered ${status}`)
      return entriesIn(data)
    }
    // Two directories of its own around each page: the path of a page must be unique, the path to it need not be. Three levels are the
    // maximum.
    await pool.query(
      `insert into menu (id, parent_id, name, title, menu_type, sort)
       select 'outer-' || id, null, 'outer-' || name, title, 'DIR', sort from menu where menu_type = 'MENU' and enable = '1' and not removed`,
    )
    await pool.query(
      `insert into menu (id, parent_id, name, title, menu_type, sort)
       select 'inner-' || id, 'outer-' || id, 'inner-' || name, title, 'DIR', sort from menu where menu_type = 'MENU' and enable = '1' and not removed`,
    )
    await pool.query(`update menu set parent_id = 'inner-' || id where menu_type = 'MENU' and enable = '1' and not removed`)
    const seen = await call()
    if (seen < entries) throw new Error(`${seen} entries are seen, not ${entries}`)
    const bare = () =>
      pool.query(
        `select id, parent_id, app_id, name, title, menu_type, path, icon, sort from menu where enable = '1' and not removed order by sort, id`,
      )
    const [product, limit] = [await took(call), await took(bare)]
    const show = (ms: number) => `${ms.toFixed(2)} ms`
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const) {
      const [p, b] = [quantile(product, share), quantile(limit, share)]
      line(`menus of ${seen} entries, ${name}`, show(p), `bare ${show(b)}`, `${(p / b).toFixed(2)} x`)
    }
  } finally {
    await pool.end()
  }
}
