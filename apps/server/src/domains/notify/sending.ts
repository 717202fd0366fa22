import type { NoticeChannel } from '@zhugong/contract/notify/codes'
import { InFlight } from '#kit/in-flight'
import type { Log } from '#kit/log'
import { OutgoingError } from '#kit/outgoing'
import { pick } from '#kit/pick'
import { inTransaction } from '#kit/transaction'
import type { NotifyDependencies } from './deps.ts'
import { writeNotices } from './telling.ts'

/** Webhooks go to servers named by sites; text messages and mail to the operator's servers, which limit concurrency. */
const webhookLimits = { perKey: 4, inAll: 48 }
const smsLimits = { perKey: 4, inAll: 16 }
const mailLimits = { perKey: 2, inAll: 8 }
/** If a process crashes while sending, another one takes the notice over after this time. */
const leaseMs = 120_000
/** Delays after the first attempt and after each of the three repeats. */
export const retryDelaysMs: readonly number[] = [10_000, 60_000, 300_000]

interface Row {
  id: string
  project_code: string
  alarm_ids: string[]
  exec_id: string | null
  kind: 'notify' | 'webhook'
  step: string
  level: number
  channel: string
  receiver_id: string | null
  receiver_name: string
  title: string
  text: string
  attempts: number
  next_channels: NoticeChannel[]
}

/** Thrown if a channel is not configured; repeating would not help. */
class NoWay extends Error {}

/** Running sends by channel. Channels do not wait for each other, nor sites for another site's server. */
export interface Sendings {
  webhook: InFlight
  sms: InFlight
  mail: InFlight
}
type Way = keyof Sendings

export const createSendings = (log: Log, onRoom?: () => void): Sendings => ({
  webhook: new InFlight(webhookLimits, log, onRoom),
  sms: new InFlight(smsLimits, log, onRoom),
  mail: new InFlight(mailLimits, log, onRoom),
})

const wayOf = ({ kind, channel }: Pick<Row, 'kind' | 'channel'>): Way => (kind === 'webhook' ? 'webhook' : channel === '2' ? 'sms' : 'mail')

/**
 * Starts sending due notices, up to the limits. Each notice is locked by one process and carries an id, so that receivers can detect
 * duplicates. Returns the number started.
 */
export async function sendDue(deps: NotifyDependencies, sendings: Sendings, delays: readonly number[] = retryDelaysMs): Promise<number> {
  const now = deps.now()
  const { rows: due } = await deps.pool.query<Pick<Row, 'kind' | 'channel' | 'project_code'>>(
    `select kind, channel, project_code from exec_log where state = 'waiting' and due_at <= $1 group by kind, channel, project_code order by min(due_at)`,
    [new Date(now)],
  )
  const claims = (Object.keys(sendings) as Way[]).flatMap((way) => {
    const mine = due.filter((one) => wayOf(one) === way)
    const shares = sendings[way].share(mine.map((one) => one.project_code))
    return mine.map((one) => ({ ...one, room: shares.get(one.project_code) ?? 0 })).filter(({ room }) => room > 0)
  })
  if (claims.length === 0) return 0
  const { rows } = await deps.pool.query<Row>(
    `update exec_log set attempts = attempts + 1, due_at = $2
     where id in (select r.id from jsonb_to_recordset($3::jsonb) as k(kind text, channel text, project_code text, room int) cross join lateral (
       select id from exec_log e where state = 'waiting' and due_at <= $1 and e.kind = k.kind and e.channel = k.channel and e.project_code = k.project_code
       order by due_at limit k.room for update skip locked) r)
     returning id, project_code, alarm_ids, exec_id, kind, step, level, channel, receiver_id, receiver_name, title, text, attempts, next_channels`,
    [new Date(now), new Date(now + leaseMs), JSON.stringify(claims)],
  )
  for (const row of rows) sendings[wayOf(row)].start(row.project_code, () => sendOne(deps, row, delays))
  return rows.length
}

async function sendOne(deps: NotifyDependencies, row: Row, delays: readonly number[]): Promise<void> {
  try {
    await deliver(deps, row)
  } catch (error) {
    const words = error instanceof NoWay || error instanceof OutgoingError ? error.message : wordsOf(error)
    const delay = error instanceof NoWay ? undefined : delays[row.attempts - 1]
    if (delay !== undefined) {
      await deps.pool.query(`update exec_log set due_at = $2, result = $3 where id = $1 and state = 'waiting'`, [
        row.id,
        new Date(deps.now() + delay),
        words,
      ])
      return
    }
    await giveUp(deps, row, words)
    return
  }
  await deps.pool.query(`update exec_log set state = 'sent', sent_at = $2, due_at = null, result = '' where id = $1`, [
    row.id,
    new Date(deps.now()),
  ])
}

async function deliver(deps: NotifyDependencies, row: Row): Promise<void> {
  const { senders, secrets, pool } = deps
  if (row.kind === 'webhook') {
    const { rows } = await pool.query<{ url: string | null; secret: Buffer | null }>(
      `select definition ->> 'url' as url, secret from rule_exec where id = $1 and enabled`,
      [row.exec_id],
    )
    const [hook] = rows
    if (!hook?.url) throw new NoWay('动作已停用或删除')
    return senders.webhook.send(hook.url, secrets.open(hook.secret), row.text, row.id)
  }
  const { rows } = await pool.query<{ phone: Buffer | null; email: Buffer | null }>(
    `select phone, email from app_user where id = $1 and enable = '1'`,
    [row.receiver_id],
  )
  const [person] = rows
  if (!person) throw new NoWay('账号已停用')
  if (row.channel === '2') {
    if (!senders.sms) throw new NoWay('短信通道未配置')
    const phone = secrets.open(person.phone)
    if (!phone) throw new NoWay('未登记手机号')
    return senders.sms.send(phone, `${row.title}。${row.text}`.slice(0, smsMost), row.id)
  }
  if (!senders.mail) throw new NoWay('邮件服务未配置')
  const email = secrets.open(person.email)
  if (!email) throw new NoWay('未登记邮箱')
  return senders.mail.send(email, row.title, row.text, row.id)
}

/** The length of ten text messages; gateways refuse longer texts. */
const smsMost = 670

/** Marks a notice as failed and tries the next channel. The in-app channel always succeeds. */
async function giveUp(deps: NotifyDependencies, row: Row, words: string): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(
      `update exec_log set state = 'failed', due_at = null, result = $2 where id = $1 and state = 'waiting'`,
      [row.id, words],
    )
    const { rows } = await client.query<{ simulated: boolean; hasPhone: boolean; hasEmail: boolean }>(
      `select coalesce((select simulated from alarm where id = $1), false) as simulated, phone is not null as "hasPhone", email is not null as "hasEmail" from app_user where id = $2`,
      [row.alarm_ids[0] ?? '', row.receiver_id],
    )
    const [person] = rows
    if (!rowCount || !person || row.kind === 'webhook') return
    const [next, ...rest] = row.next_channels.filter(
      (c) => c === '1' || (c === '2' ? person.hasPhone && deps.senders.sms : person.hasEmail && deps.senders.mail),
    )
    if (!next) return
    // If several channels of one notice fail, the substitute channel is used once.
    const { rows: result } = await client.query(
      `select 1 from exec_log where receiver_id = $1 and channel = $2 and step = $3 and alarm_ids = $4 and coalesce(exec_id, '') = $5 and create_time > now() - interval '1 hour'`,
      [row.receiver_id, next, row.step, row.alarm_ids, row.exec_id ?? ''],
    )
    if (result.length) return
    await writeNotices(
      client,
      [
        {
          projectCode: row.project_code,
          alarmIds: row.alarm_ids,
          execId: row.exec_id,
          kind: 'notify',
          ...pick(row, 'step', 'level', 'title', 'text'),
          channel: next,
          receiverId: row.receiver_id,
          receiverName: row.receiver_name,
          receiverMask: null,
          state: next === '1' ? 'sent' : 'waiting',
          result: '',
          nextChannels: rest,
          link: row.alarm_ids.length === 1 ? `/alarm/record?alarmId=${row.alarm_ids[0]}` : '/alarm/record',
          simulated: person.simulated,
        },
      ],
      deps.now(),
    )
  })
}

/** Error text for the log; contains no server addresses or secrets. */
function wordsOf(error: unknown): string {
  const code = (error as { code?: unknown }).code
  const reply = (error as { responseCode?: unknown }).responseCode
  if (typeof reply === 'number') return `邮件服务器拒绝（${reply}）`
  if (code === 'ETIMEDOUT' || code === 'ESOCKET' || code === 'ECONNECTION' || code === 'ECONNREFUSED') return '无法连接发送服务'
  return '发送失败'
}
