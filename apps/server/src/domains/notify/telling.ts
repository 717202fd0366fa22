import { mostReceivers, type NoticeChannel, noticeChannels } from '@zhugong/contract/notify/codes'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import { inTransaction } from '#kit/transaction'
import { isHealth } from '../readings/public.ts'
import type { NotifyDependencies } from './deps.ts'
import { groupMs, groupWhatFollows } from './groups.ts'
import { firstRoles, type Plan, type PlanSubject, readPlans } from './plans.ts'
import { findReceivers, lastResort, type Receiver, type ReceiverQuery } from './receivers.ts'
import { type AlarmFacts, inMessage, linkOf, stepOf } from './words.ts'

const perBatch = 50

interface Group {
  id: string
  project_code: string
  family: string
  level: number
  step: string
  exec_id: string
  alarm_ids: string[]
  digest: boolean
}

/** A new row of `exec_log`, with the data an in-app message needs. */
export interface Notice {
  projectCode: string
  alarmIds: string[]
  execId: string | null
  kind: 'notify' | 'webhook'
  step: string
  level: number
  channel: string
  receiverId: string | null
  receiverName: string
  receiverMask: string | null
  title: string
  text: string
  state: 'waiting' | 'sent' | 'skipped'
  result: string
  nextChannels: NoticeChannel[]
  link: string
  simulated: boolean
}

const alarmSql = `select a.id, a.project_code as "projectCode", coalesce(p.short_name, p.name) as "projectName", a.device_id as "deviceId", a.device_name as "deviceName", a.family,
  a.alarm_key as "alarmKey", a.label, a.level, a.metric, a.threshold_text as "thresholdText", a.peak_value as "peakValue", a.start_time as "startTime", a.active, a.simulated,
  a.rule_id as "ruleId", a.state, g.name as "gatewayName"
  from alarm a join project p on p.project_code = a.project_code left join device d on d.id = a.device_id left join gateway g on g.id = d.gateway_id`

/** Alarms with the facts used in messages, the oldest first. */
export async function readReported(client: pg.ClientBase | pg.Pool, ids: readonly string[]): Promise<AlarmFacts[]> {
  const { rows } = await client.query<AlarmFacts>(`${alarmSql} where a.id = any ($1) order by a.start_time, a.id`, [ids])
  // Messages go to phones, mailboxes and third-party servers, so health values are removed.
  return rows.map((a) => (isHealth(a.family, a.metric) ? { ...a, peakValue: null } : a))
}

/**
 * Sends the groups that are due: writes one notice per person and channel in the transaction that ends the group. Returns the number of
 * groups.
 */
export function tellGroups(deps: NotifyDependencies): Promise<number> {
  return inTransaction(deps.pool, async (client) => {
    const now = deps.now()
    const { rows: groups } = await client.query<Group>(
      `delete from notice_group where id in (select id from notice_group where due_at <= $1 order by due_at limit ${perBatch} for update skip locked)
       returning id, project_code, family, level, step, exec_id, alarm_ids, digest`,
      [new Date(now)],
    )
    if (groups.length === 0) return 0
    const alarms = new Map((await readReported(client, [...new Set(groups.flatMap((g) => g.alarm_ids))])).map((a) => [a.id, a]))
    const subjects = groups.flatMap((g) => g.alarm_ids.flatMap((id) => alarms.get(id) ?? []))
    const plans = await readPlans(client, subjects)
    const notices: Notice[] = []
    const atOnce: Parameters<typeof groupWhatFollows>[1][number][] = []
    for (const group of groups) {
      const named = group.alarm_ids.flatMap((id) => alarms.get(id) ?? [])
      const result = group.step === 'clear' ? await alreadyReported(client, named) : await withoutInhibited(client, group, named)
      const [first, ...rest] = result
      if (!first) continue
      const subject: PlanSubject = { ruleId: first.ruleId, projectCode: group.project_code, level: group.level }
      const plan = plans.one(subject, group.exec_id)
      if (!plan) continue
      notices.push(...(await noticesOf(client, group, [first, ...rest], plan, now)))
      if (group.level === 1 && (group.step === 'open' || group.step === 'upgrade') && plan.kind === 'notify' && !first.simulated) {
        const { project_code: projectCode, family, level, step, exec_id: execId, digest } = group
        atOnce.push({ projectCode, family, level, step, execId, digest, dueAt: now + groupMs })
      }
    }
    await groupWhatFollows(client, atOnce)
    await writeNotices(client, notices, now)
    return groups.length
  })
}

/** Removes alarms inhibited by a level 1 alarm of the same device and key (rules.md section 5). */
async function withoutInhibited(client: pg.ClientBase, group: Group, alarms: AlarmFacts[]): Promise<AlarmFacts[]> {
  if (group.level === 1 || alarms.length === 0) return alarms
  const { rows } = await client.query<{ id: string }>(
    `select a.id from alarm a where a.id = any ($1) and exists (select 1 from alarm w where w.device_id = a.device_id and w.alarm_key = a.alarm_key
       and w.id <> a.id and w.active and w.level = 1 and w.simulated = a.simulated)`,
    [alarms.map((a) => a.id)],
  )
  const inhibited = new Set(rows.map((r) => r.id))
  return alarms.filter((a) => !inhibited.has(a.id))
}

/** A clear notice is sent only for alarms that were notified before. */
async function alreadyReported(client: pg.ClientBase, alarms: AlarmFacts[]): Promise<AlarmFacts[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from unnest($1::text[]) as a(id) where exists (select 1 from exec_log x where x.alarm_ids @> array[a.id] and x.kind = 'notify' and x.state = 'sent')`,
    [alarms.map((a) => a.id)],
  )
  const ids = new Set(rows.map((r) => r.id))
  return alarms.filter((a) => ids.has(a.id))
}

function requestedOf(group: Group, plan: Plan): { asked: ReceiverQuery; channels: NoticeChannel[] } {
  const step = stepOf(group.step)
  if (step === 'urge') return { asked: { roles: ['项目经理', ...firstRoles], userIds: [], onDuty: true }, channels: ['1', '2'] }
  if (step === 'escalate') {
    const rung = plan.escalation[Number(group.step.split(':')[1])]
    return { asked: { roles: rung?.roles ?? [], userIds: [], onDuty: false }, channels: rung?.channels ?? plan.channels }
  }
  return { asked: { roles: plan.roles, userIds: plan.userIds, onDuty: plan.onDuty }, channels: plan.channels }
}

async function noticesOf(
  client: pg.ClientBase,
  group: Group,
  alarms: [AlarmFacts, ...AlarmFacts[]],
  plan: Plan,
  now: number,
): Promise<Notice[]> {
  const step = stepOf(group.step)
  const extra = step === 'urge' ? await urgeWords(client, alarms[0].id) : ''
  const base = {
    projectCode: group.project_code,
    alarmIds: alarms.map((a) => a.id),
    execId: group.exec_id || null,
    level: group.level,
    // Drills are marked in the log too.
    step: alarms[0].simulated && step === 'open' ? 'drill' : step,
    link: linkOf(alarms),
    simulated: alarms[0].simulated,
    ...inMessage(alarms, group.step, step === 'open' || step === 'upgrade' ? plan.text : null, extra),
  }
  if (plan.kind === 'webhook') {
    const host = plan.url ? new URL(plan.url).host : ''
    const one: Notice = {
      ...base,
      kind: 'webhook',
      channel: 'webhook',
      receiverId: null,
      receiverName: host,
      receiverMask: null,
      state: 'waiting',
      result: '',
      nextChannels: [],
      text: webhookBody(base.step, base.title, alarms),
    }
    return step === 'open' || step === 'upgrade' || step === 'drill' ? [one] : []
  }
  if (step === 'clear') {
    const { rows } = await client.query<{ receiver_id: string; receiver_name: string }>(
      `select distinct receiver_id, receiver_name from exec_log where alarm_ids && $1 and kind = 'notify' and state = 'sent' and receiver_id is not null limit ${mostReceivers}`,
      [base.alarmIds],
    )
    return rows.map((r) => ({
      ...base,
      execId: null,
      kind: 'notify' as const,
      channel: '1',
      receiverId: r.receiver_id,
      receiverName: r.receiver_name,
      receiverMask: null,
      state: 'sent' as const,
      result: '',
      nextChannels: [],
    }))
  }
  const { asked, channels } = requestedOf(group, plan)
  return spread(client, { ...base, kind: 'notify' }, asked, channels, now)
}

/** Alarms of this level are sent over every channel, ignoring muted ones. */
const gravest = 1
/** The kind of a message (`message.kind`), by which users mute channels. */
const kindOf = (step: string): string => (['due', 'warning', 'person'].includes(step) ? step : 'alarm')

/** One notice per person and channel. Roles without people and people without an address are recorded as skipped. */
export async function spread(
  client: pg.ClientBase,
  base: Omit<Notice, 'channel' | 'receiverId' | 'receiverName' | 'receiverMask' | 'state' | 'result' | 'nextChannels'>,
  requested: ReceiverQuery,
  channels: readonly NoticeChannel[],
  now: number,
): Promise<Notice[]> {
  const found = await findReceivers(client, base.projectCode, requested, now)
  const notices: Notice[] = []
  const skip = (receiverId: string | null, receiverName: string, channel: string, result: string) =>
    notices.push({ ...base, channel, receiverId, receiverName, receiverMask: null, state: 'skipped', result, nextChannels: [] })
  const people = new Map<string, Receiver>()
  for (const group of found) {
    for (const person of group.people) people.set(person.id, person)
    if (group.people.length > 0 || group.kind === 'duty') continue
    skip(null, group.name, channels[0] ?? '1', group.kind === 'role' ? '该角色当前无人' : '已不在本项目')
  }
  if (people.size === 0) {
    const [last] = await findReceivers(client, base.projectCode, { roles: [lastResort], userIds: [], onDuty: false }, now)
    for (const person of last?.people ?? []) people.set(person.id, person)
  }
  const spare = (Object.keys(noticeChannels) as NoticeChannel[]).filter((c) => !channels.includes(c))
  for (const person of [...people.values()].slice(0, mostReceivers)) {
    let reached = false
    const silent = base.level === gravest ? [] : (person.muted[kindOf(base.step)] ?? [])
    for (const channel of channels) {
      if (silent.includes(channel)) {
        skip(person.id, person.name, channel, '本人已关闭此通道')
        continue
      }
      const mask = channel === '2' ? person.phoneMask : channel === '4' ? person.emailMask : null
      if (channel !== '1' && !(channel === '2' ? person.phone : person.email)) {
        skip(person.id, person.name, channel, channel === '2' ? '未登记手机号' : '未登记邮箱')
        continue
      }
      reached = true
      notices.push({
        ...base,
        channel,
        receiverId: person.id,
        receiverName: person.name,
        receiverMask: mask,
        state: channel === '1' ? 'sent' : 'waiting',
        result: '',
        nextChannels: channel === '1' ? [] : spare.filter((one) => !silent.includes(one)),
      })
    }
    // If a phone number or address is missing, the in-app message is used instead.
    if (!reached) {
      notices.push({
        ...base,
        channel: '1',
        receiverId: person.id,
        receiverName: person.name,
        receiverMask: null,
        state: 'sent',
        result: '',
        nextChannels: [],
      })
    }
  }
  return notices
}

/** Writes notices; in-app ones are thereby delivered. Returns their ids in order. */
export async function writeNotices(client: pg.ClientBase, notices: readonly Notice[], now: number): Promise<string[]> {
  if (notices.length === 0) return []
  const at = new Date(now).toISOString()
  const rows = notices.map((n) => ({
    id: newId(now),
    project_code: n.projectCode,
    alarm_id: n.alarmIds[0] ?? null,
    alarm_ids: n.alarmIds,
    exec_id: n.execId,
    ...pick(n, 'kind', 'step', 'level', 'channel', 'title', 'text', 'state', 'result', 'link', 'simulated'),
    receiver_id: n.receiverId,
    receiver_name: n.receiverName,
    receiver_mask: n.receiverMask,
    next_channels: n.nextChannels,
    due_at: n.state === 'waiting' ? at : null,
    sent_at: n.state === 'sent' ? at : null,
    create_time: at,
    message: n.channel === '1' && n.state === 'sent',
    message_id: newId(now),
  }))
  await client.query(
    `with n as (select * from jsonb_to_recordset($1::jsonb) as n(id text, project_code text, alarm_id text, alarm_ids jsonb, exec_id text, kind text, step text, level smallint,
         channel text, receiver_id text, receiver_name text, receiver_mask text, title text, text text, state text, result text, next_channels jsonb, due_at timestamptz,
         sent_at timestamptz, create_time timestamptz, message boolean, message_id text, link text, simulated boolean)),
       told as (insert into message (id, user_id, project_code, kind, level, title, text, link, alarm_id, simulated, create_time)
         select message_id, receiver_id, project_code, case when step in ('due', 'warning', 'person') then step else 'alarm' end, level, title, text, link, alarm_id, simulated, create_time from n where message)
     insert into exec_log (id, project_code, alarm_id, alarm_ids, exec_id, kind, step, level, channel, receiver_id, receiver_name, receiver_mask, title, text, state, result,
       attempts, next_channels, due_at, sent_at, create_time)
     select id, project_code, alarm_id, array(select jsonb_array_elements_text(alarm_ids)), exec_id, kind, step, level, channel, receiver_id, receiver_name, receiver_mask, title,
       text, state, result, case state when 'sent' then 1 else 0 end, array(select jsonb_array_elements_text(next_channels)), due_at, sent_at, create_time from n`,
    [JSON.stringify(rows)],
  )
  return rows.map((r) => r.id)
}

async function urgeWords(client: pg.ClientBase, alarmId: string): Promise<string> {
  const { rows } = await client.query<{ text: string; by_name: string | null }>(
    `select text, by_name from alarm_log where alarm_id = $1 and event = 'urge' order by at desc, id desc limit 1`,
    [alarmId],
  )
  return rows[0] ? `${rows[0].by_name ?? ''}：${rows[0].text}` : ''
}

const webhookBody = (step: string, title: string, alarms: readonly AlarmFacts[]): string =>
  JSON.stringify({
    event: step,
    title,
    alarms: alarms.map((a) => ({
      ...pick(
        a,
        'id',
        'projectCode',
        'projectName',
        'deviceId',
        'deviceName',
        'family',
        'alarmKey',
        'label',
        'level',
        'active',
        'simulated',
      ),
      value: a.peakValue,
      threshold: a.thresholdText,
      startTime: a.startTime.getTime(),
    })),
  })
