import { createServer } from 'node:http'
import pg from 'pg'
import { largeSite, sheetMonth } from './people-rows.ts'

/**
 * The reference for the calls about people: the bare SQL behind a bare HTTP server, without session, scope, row-level security or contract.
 */
const [databaseUrl = '', port = '0', projectCode = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })

interface Question {
  text: string
  values: unknown[]
}
const month = [`${sheetMonth}-01`, `${sheetMonth}-28`]
/**
 * A page of stays with everything its rows show: person and company, the first passage of today, the last passage, the certificate, the
 * face.
 */
const shown = (page: string) => `
  select w.*, c.corp_name, t.team_name, p.name as project_name, k.real_name_state, case when w.exit_time is null then coalesce(k.face_photo, k.head_image) end as face,
    d.first_in, d.results, (select max(e.time) from attendance_event e where e.project_code = w.project_code and e.worker_id = w.worker_id) as last_pass,
    (select max(x.valid_end) from worker_cert x where x.worker_id = w.worker_id and x.cert_type in ('7', '8') and x.status = '1' and x.audit_status = '1') as cert_end
  from (select * from project_worker where ${page} order by entry_time desc, id desc limit 20) w
    left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id left join project p on p.project_code = w.project_code
    left join worker k on k.id = w.worker_id
    left join attendance_day d on d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = current_date
  order by w.entry_time desc, w.id desc`
const filter = 'project_code = $1 and work_role = $2 and worker_name ilike $3'
/** For each call, the statements that its page needs: the rows, and the figures above them. */
const questions: Readonly<Record<string, readonly Question[]>> = {
  list: [
    { text: shown('project_code = $1'), values: [projectCode] },
    { text: 'select count(*)::int as total from project_worker where project_code = $1', values: [projectCode] },
  ],
  filtered: [
    { text: shown(filter), values: [projectCode, '20', '%人77%'] },
    { text: `select count(*)::int as total from project_worker where ${filter}`, values: [projectCode, '20', '%人77%'] },
  ],
  sheet: [
    {
      text: `select d.worker_id, max(pw.worker_name) as name, max(c.corp_name) as corp, sum(d.attend_day), sum(d.work_hours),
          array_agg(d.results order by d.work_day), array_agg(d.first_in order by d.work_day), array_agg(d.last_out order by d.work_day)
        from attendance_day d join project_worker pw on pw.id = d.stay_id left join corporation c on c.corp_code = d.corp_code
        where d.project_code = $1 and d.work_day between $2 and $3 group by d.worker_id order by corp, name, d.worker_id limit 20`,
      values: [largeSite, ...month],
    },
    {
      text: `select work_day, count(*) filter (where attend_day = 1)::int, sum(work_hours), count(distinct worker_id)::int
        from attendance_day where project_code = $1 and work_day between $2 and $3 group by work_day`,
      values: [largeSite, ...month],
    },
  ],
  overview: [
    {
      text: `select pw.corp_code, max(c.corp_name), count(*)::int, count(*) filter (where d.first_in is not null)::int, count(ap.time)::int
        from project_worker pw left join corporation c on c.corp_code = pw.corp_code
          left join attendance_day d on d.project_code = pw.project_code and d.worker_id = pw.worker_id and d.work_day = current_date
          left join attendance_presence ap on ap.project_code = pw.project_code and ap.worker_id = pw.worker_id
        where pw.project_code = $1 and pw.exit_time is null group by pw.corp_code`,
      values: [largeSite],
    },
    {
      text: `select count(*)::int from device v left join device_latest l on l.device_id = v.id where v.project_code = $1 and v.family = 'faceGate'`,
      values: [largeSite],
    },
    {
      text: `select e.*, (select worker_name from project_worker pw where pw.project_code = e.project_code and pw.worker_id = e.worker_id limit 1)
        from attendance_event e where project_code = $1 and quarantine is null order by time desc, id desc limit 20`,
      values: [largeSite],
    },
  ],
}
createServer((request, response) => {
  const requested = questions[request.url?.slice(1) ?? ''] ?? []
  void Promise.all(requested.map((one) => pool.query(one.text, one.values))).then((answers) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ status: requested.length > 0 ? 0 : 1, data: answers.map((answer) => answer.rows) })),
  )
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
