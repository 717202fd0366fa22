import { dayMs } from '@zhugong/contract/kit/time'
import { partTypes } from '@zhugong/contract/labour/codes'
import { rectifyPart } from '@zhugong/contract/rules/exec-model'
import { type RawBuilder, sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { addDays, formatDay } from '#kit/clock'
import { type Context, type Group, groupTypes } from '#kit/context'
import { logAlarms, markRectified } from '../alarms/public.ts'
import { writeLog } from '../process/public.ts'
import { draftNotice, issueNotice, rectifyKind } from '../rectify/public.ts'
import { alarmSource } from './source.ts'

const atOnce = 200
/** Older events make no notice: after a downtime nobody is ordered to mend what was over yesterday. */
const staleMs = dayMs
const starts: readonly string[] = ['open', 'upgrade', 'reopen']

interface Event {
  id: number
  alarmId: string
  event: string
}
interface Ordered extends Event {
  execName: string
  definition: unknown
  /** The group whose action it is; null: the platform's, carried out by the site. */
  execGroup: string | null
  projectCode: string
  deviceId: string
  deviceName: string
  alarmKey: string
  label: string
  level: number
  thresholdText: string
  startTime: Date
  ownerCorp: string | null
}

/**
 * Reads events of alarms and carries out the `rectify` actions of their rules. Each alarm has a transaction of its own, so that one failing
 * alarm does not block the others. Returns true if more may be waiting.
 */
export async function takeAlarmEvents(deps: BackgroundDependencies): Promise<boolean> {
  const { rows } = await sql<Event>`select id, alarm_id, event from alarm_outbox where not rectified order by id limit ${atOnce}`.execute(
    deps.db,
  )
  if (rows.length === 0) return false
  const ordered = await orderedBy(deps, sql`o.id = any (${rows.map((one) => one.id)})`)
  for (const one of ordered) {
    if (!starts.includes(one.event)) continue
    await order(deps, one).catch((error: unknown) => deps.log.error({ err: error, alarm: one.alarmId }, 'notice of an alarm'))
  }
  for (const one of rows) if (one.event === 'clear') await noteAgreement(deps, one.alarmId)
  await markRectified(
    deps.db,
    rows.map((one) => one.id),
  )
  return rows.length === atOnce
}

/** Events whose rule has an enabled `rectify` action. Drills and alarms of the past order nothing. */
async function orderedBy(deps: BackgroundDependencies, which: RawBuilder<unknown>): Promise<Ordered[]> {
  const { rows } = await sql<Ordered>`select o.id, o.alarm_id, o.event, e.name as exec_name, e.definition, e.group_id as exec_group,
      a.project_code, a.device_id, a.device_name, a.alarm_key, a.label, a.level, a.threshold_text, a.start_time, d.owner_corp
    from alarm_outbox o join alarm a on a.id = o.alarm_id join rule_trigger t on t.id = a.rule_id
      join rule_exec e on e.id = any (t.exec_ids) left join device d on d.id = a.device_id
    where ${which} and e.kind = 'rectify' and e.enabled and not a.simulated and not a.historical
      and (e.project_code is null or e.project_code = a.project_code) and o.create_time > ${new Date(deps.clock.now() - staleMs)}
    order by o.id`.execute(deps.db)
  return rows
}

/** Issues the notice, or notes on a running one that the alarm came again. */
async function order(deps: BackgroundDependencies, one: Ordered): Promise<void> {
  const { days, fromLevel, category, requirement } = rectifyPart.parse(one.definition)
  if (one.level > fromLevel) return
  const issuer = await issuerOf(deps, one)
  await asProduct(deps, { userId: '', name: `规则动作 ${one.execName}`, groupId: issuer.id, group: issuer }, async (ctx) => {
    // Another process may have taken this event.
    const free = await sql`select from alarm_outbox where id = ${one.id} and not rectified for update skip locked`.execute(ctx.db)
    if (free.rows.length === 0) return
    if (await joinRunning(ctx, one)) return
    const today = formatDay(ctx.clock.now())
    const corp = await responsibleOf(ctx, one)
    if (!corp) return tellAlarm(ctx, one.alarmId, `${one.execName}：未下发整改，项目没有在场的责任单位`)
    const notice = {
      projectCode: one.projectCode,
      source: { kind: alarmSource, id: one.alarmId },
      corpCode: corp.corpCode,
      sourceType: byMonitoring,
      noticeType: withDeadline,
      category,
      level: usualLevel,
      majorClause: null,
      checkDate: formatDay(one.startTime),
      deadline: addDays(today, days),
      responsiblePerson: corp.pmName,
      lines: [
        {
          description: `${one.deviceName}${one.label}${one.thresholdText ? `（${one.thresholdText}）` : ''}`,
          part: one.deviceName,
          clause: null,
          requirement,
          person: null,
          photos: [],
        },
      ],
    }
    // An authority's paper is issued by an officer: the alarm only drafts it.
    const drafts = issuer.type === groupTypes.government
    const made = drafts ? await draftNotice(ctx, notice) : (await issueNotice(ctx, notice)).notice
    if (drafts) await writeLog(ctx, rectifyKind.kind, made, { action: 'create', from: null, to: made.state })
    else await tellAlarm(ctx, one.alarmId, `${one.execName}：已下发整改通知 ${made.code ?? ''}，责任单位 ${corp.corpName}`)
  })
}

/** 监测告警 in dictionary inspectType, 限期整改通知书 in rectifyNoticeType, 一般事故隐患 in hiddenDangerLevel: what is grave a person judges. */
const byMonitoring = '14'
const withDeadline = '2'
const usualLevel = '1'

const tellAlarm = (ctx: Context, alarmId: string, text: string) =>
  logAlarms(ctx.db, [alarmId], { at: ctx.clock.now(), event: 'rectify', text })

/** The group that issues: whose action it is, or the site itself. */
async function issuerOf(deps: BackgroundDependencies, one: Ordered): Promise<Group> {
  const { rows } = await sql<Group>`select id, type, code, name, area_code from tenant
    where ${one.execGroup === null ? sql`type = ${groupTypes.project} and code = ${one.projectCode}` : sql`id = ${one.execGroup}`}`.execute(
    deps.db,
  )
  if (!rows[0]) throw new Error(`no group issues the notices of ${one.projectCode}`)
  return rows[0]
}

/** A notice about the same machine and alarm that is still running takes the new alarm in, instead of a second notice. */
async function joinRunning(ctx: Context, one: Ordered): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`select r.id from rectify r join alarm a on a.id = r.source_id
    where r.source_kind = ${alarmSource} and r.project_code = ${one.projectCode} and r.close_time is null
      and a.device_id = ${one.deviceId} and a.alarm_key = ${one.alarmKey} and r.issuer_group = ${ctx.group.id}
    order by r.create_time desc limit 1`.execute(ctx.db)
  if (!rows[0]) return false
  const row = await rectifyKind.lock(ctx, rows[0].id)
  await writeLog(ctx, rectifyKind.kind, row, { action: 'again', from: row.state, to: row.state, opinion: one.thresholdText || null })
  return true
}

/** The owner of the machine if its company is on the site, otherwise the general contractor. */
async function responsibleOf(ctx: Context, one: Ordered) {
  const { rows } = await sql<{ corpCode: string; corpName: string; pmName: string }>`
    select u.corp_code, c.corp_name, u.pm_name from project_corp u join corporation c using (corp_code)
    where u.project_code = ${one.projectCode} and u.exit_time is null and (u.corp_code = ${one.ownerCorp} or u.corp_type = ${partTypes.leader})
    order by u.corp_code is distinct from ${one.ownerCorp}, u.entry_time limit 1`.execute(ctx.db)
  return rows[0]
}
/** The history of a running notice tells when its reading agreed. */
async function noteAgreement(deps: BackgroundDependencies, alarmId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from rectify
    where source_kind = ${alarmSource} and source_id = ${alarmId} and close_time is null`.execute(deps.db)
  for (const { id } of rows)
    await asProduct(deps, { userId: '', name: '系统', groupId: '' }, async (ctx) => {
      const row = await rectifyKind.lock(ctx, id)
      await writeLog(ctx, rectifyKind.kind, row, { action: 'agrees', from: row.state, to: row.state })
    })
}
