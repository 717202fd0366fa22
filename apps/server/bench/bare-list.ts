import { createServer } from 'node:http'
import pg from 'pg'

/** The limit of a list call: the bare SQL over a bare HTTP server, without session, scope, policy or contract. */
const [databaseUrl = '', port = '0', projectCode = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
createServer((_request, response) => {
  void Promise.all([
    pool.query('select * from project_worker where project_code = $1 order by entry_time desc, id desc limit 20', [projectCode]),
    pool.query('select count(*)::int as total from project_worker where project_code = $1', [projectCode]),
  ]).then(([list, count]) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ status: 0, data: { list: list.rows, total: count.rows[0].total } })),
  )
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
