import pg from 'pg'
import { compare, took } from './measure.ts'

const receipts = 50_000
const notices = 2_000
const pageSize = 20

export interface AnnouncementSetup {
  databaseUrl: string
  url: string
  login(account: string): Promise<string>
  /** Who sent the notice with all receipts, and a recipient of all notices. */
  sender: string
  reader: string
}

type Answer<T> = { status: number; message: string; data: T }

/**
 * Lists and figures of a notice with fifty thousand receipts, and the box of a reader with two thousand notices, beside bare statements that read
 * the same rows and counts. Everything it makes is gone with the database it is given.
 */
export async function benchAnnouncements({ databaseUrl, url, login, sender, reader }: AnnouncementSetup): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  try {
    await fill(pool, sender, reader)
    const clientOf = async (account: string) => {
      const token = await login(account)
      return async <T>(path: string): Promise<T> => {
        const answer = await fetch(`${url}/api/v1/oa/process/notice${path}`, { headers: { token, group: '*' } })
        const { status, message, data } = (await answer.json()) as Answer<T>
        if (status !== 0) throw new Error(`${path}: ${message}`)
        return data
      }
    }
    const fromSender = await clientOf(sender)
    const fromReader = await clientOf(reader)
    const page = `projectCode=*&size=${pageSize}`
    const about = `${receipts} receipts`
    compare(
      `receipts missing, ${about}`,
      await took(() => fromSender(`/receipts?${page}&noticeId=bench&missing=true`)),
      await took(() => bareReceipts(pool)),
    )
    compare(
      `figures and units, ${about}`,
      await took(() => fromSender('/bench?projectCode=*&part=receipts')),
      await took(() => bareFigures(pool)),
    )
    compare(`sent, ${about} in one`, await took(() => fromSender(`?${page}&box=out`)), await took(() => bareSent(pool, sender)))
    compare(`received, ${notices} notices`, await took(() => fromReader(`?${page}&box=in`)), await took(() => bareReceived(pool, reader)))
  } finally {
    await pool.end()
  }
}

const columns =
  'id, group_id, group_name, title, type, content, body, need_receipt, need_signature, deadline, top, publish_time, state, create_by, create_name, create_time'
const ofAccount = `select m.group_id, u.id as user_id from app_user u join member m on m.user_id = u.id and m.is_default where u.account = `

/** Of the readers of the large notice seven in ten have signed. */
async function fill(pool: pg.Pool, sender: string, reader: string): Promise<void> {
  await pool.query(
    `insert into announcement (${columns})
     select 'bench', g.id, g.name, '压测通知', '1', '<p>正文</p>', '正文', true, false, now() + interval '1 day', false, now(), '2', 'nobody', '样例', now()
     from (${ofAccount} $1) s join tenant g on g.id = s.group_id`,
    [sender],
  )
  await pool.query(
    `insert into announcement_reader (announcement_id, user_id, group_id, group_name, group_type, area_code, name, from_group, read_time, receipt_time)
     select 'bench', 'bench' || i, 'bench unit ' || i % 200, '单位 ' || i % 200, 3, '42020' || i % 3, '读者 ' || i, s.group_id, now(), case when i % 10 < 7 then now() end
     from (${ofAccount} $1) s, generate_series(1, $2::int) i`,
    [sender, receipts],
  )
  await pool.query(
    `insert into announcement (${columns})
     select 'bench ' || i, g.id, g.name, '压测通知 ' || i, '1', '<p>正文</p>', '正文', i % 2 = 0, false, now() + interval '1 day', false,
       now() - i * interval '1 minute', '2', 'nobody', '样例', now()
     from (${ofAccount} $1) s join tenant g on g.id = s.group_id, generate_series(1, $2::int) i`,
    [sender, notices],
  )
  await pool.query(
    `insert into announcement_reader (announcement_id, user_id, group_id, group_name, group_type, name, from_group, read_time)
     select 'bench ' || i, r.user_id, r.group_id, '单位', 3, '读者', s.group_id, case when i % 3 = 0 then now() end
     from (${ofAccount} $1) s, (${ofAccount} $2) r, generate_series(1, $3::int) i`,
    [sender, reader, notices],
  )
  await pool.query('vacuum analyze announcement, announcement_reader')
}

async function bareReceipts(pool: pg.Pool): Promise<void> {
  const where = `announcement_id = 'bench' and receipt_time is null`
  await pool.query(`select * from announcement_reader where ${where} order by group_name, user_id limit ${pageSize}`)
  await pool.query(`select count(*) from announcement_reader where ${where}`)
}

async function bareFigures(pool: pg.Pool): Promise<void> {
  const counts = 'count(*), count(read_time), count(receipt_time), count(*) filter (where receipt_time is null)'
  await pool.query(`select ${counts} from announcement_reader where announcement_id = 'bench'`)
  await pool.query(`select group_id, group_name, ${counts} from announcement_reader where announcement_id = 'bench' group by 1, 2`)
  await pool.query(`select area_code, ${counts} from announcement_reader where announcement_id = 'bench' group by 1`)
}

async function bareSent(pool: pg.Pool, account: string): Promise<void> {
  const own = `group_id = (select group_id from (${ofAccount} $1) s)`
  const { rows } = await pool.query<{ id: string }>(
    `select id from announcement where ${own} order by top desc, publish_time desc limit ${pageSize}`,
    [account],
  )
  await pool.query(`select count(*) from announcement where ${own}`, [account])
  await pool.query(
    'select announcement_id, count(*), count(read_time), count(receipt_time) from announcement_reader where announcement_id = any ($1) group by 1',
    [rows.map(({ id }) => id)],
  )
}

async function bareReceived(pool: pg.Pool, account: string): Promise<void> {
  const from = `from announcement a join announcement_reader r on r.announcement_id = a.id
    and r.user_id = (select user_id from (${ofAccount} $1) s) where a.state in ('2', '3', '4')`
  await pool.query(`select a.id, a.title ${from} order by a.top desc, a.deadline, a.publish_time desc limit ${pageSize}`, [account])
  // The list counts itself and the three figures of its strip.
  for (let i = 0; i < 4; i++) await pool.query(`select count(*) ${from}`, [account])
}
