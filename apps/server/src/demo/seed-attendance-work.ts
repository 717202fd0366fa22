import { approvedState } from '@zhugong/contract/attendance/facts'
import { fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import { dayMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { sql } from 'kysely'
import { chainFixes } from '#domains/attendance/fix-chain'
import { leadersOf, sheetOf, writeVersion } from '#domains/attendance/month-closing'
import { recomputeDirty } from '#domains/attendance/recompute'
import { keepLabourAlarms } from '#domains/labour-alarms/public'
import { keepTempAlarms } from '#domains/prevention/public'
import { formatDay } from '#kit/clock'
import type { Database, Db } from '#kit/db'
import { newId } from '#kit/ids'

/** Accounts of the clerk who requests corrections, and of the manager who decides them and closes months. */
const accounts = { clerk: 'hospital-labour', manager: 'hospital-pm' }

interface People {
  clerk: { id: string; name: string }
  manager: { id: string; name: string }
}

/** User actions on attendance of the main site: pending and approved corrections, a closed month, handled and ignored warnings, fevers. */
export async function seedAttendanceWork(database: Database, city: City, now: number): Promise<void> {
  const db = database.kysely
  const projectCode = city.projects[0]?.projectCode
  const people = await peopleOf(db)
  if (!projectCode || !people) return
  const clock = { now: () => now }
  await closeLastMonth(db, projectCode, people, now)
  await askForCorrections(db, projectCode, people, now)
  await chainFixes(db, clock)
  await recomputeDirty(db, clock)
  await warmGate(db, projectCode, now)
  await keepTempAlarms(db, clock)
  await workOnFevers(db, projectCode, people, now)
  await keepLabourAlarms(db, clock)
  await workOnWarnings(db, projectCode, people, now)
}

async function peopleOf(db: Db): Promise<People | undefined> {
  const rows = await db.selectFrom('appUser').select(['id', 'name', 'account']).where('account', 'in', Object.values(accounts)).execute()
  const clerk = rows.find((r) => r.account === accounts.clerk)
  const manager = rows.find((r) => r.account === accounts.manager)
  return clerk && manager && { clerk, manager }
}

/** In the first days of a month the last one is still being corrected, so that the one before it is the last that was closed. */
const correctedDays = 5
/** First day after the closed month, yyyy-MM-dd. */
const afterClosed = (now: number) => `${formatDay(now - correctedDays * dayMs).slice(0, 7)}-01`

/** The last complete month was confirmed by every team and closed on the third day after; later corrections are added to it. */
async function closeLastMonth(db: Db, projectCode: string, { clerk, manager }: People, now: number): Promise<void> {
  const first = afterClosed(now)
  const month = formatDay(Date.parse(`${first}T00:00:00Z`) - dayMs).slice(0, 7)
  const at = new Date(Math.min(now, Date.parse(`${first}T10:20:00+08:00`) + 2 * dayMs))
  const ctx = { db, clock: { now: () => now } } as const
  const sheet = await sheetOf(ctx, projectCode, month)
  const leaders = await leadersOf(ctx.db, projectCode)
  for (const [teamSysNo, rows] of Map.groupBy(sheet, (r) => r.teamSysNo)) {
    if (teamSysNo === null) continue
    await db
      .insertInto('attendanceMonthTeam')
      .values({
        projectCode,
        month,
        teamSysNo,
        attendDays: rows.reduce((n, r) => n + r.attendDays, 0),
        workHours: Math.round(rows.reduce((n, r) => n + r.workHours, 0) * 10) / 10,
        confirmedBy: clerk.id,
        confirmedName: clerk.name,
        confirmedAt: new Date(at.getTime() - dayMs),
        leaderName: leaders.get(teamSysNo) ?? null,
      })
      .execute()
  }
  if (sheet.length) await writeVersion(ctx, { projectCode, month, version: 1, by: manager, at, id: newId(now) })
}

/** Number of pending and of decided corrections; the last one concerns the closed month. */
const [waiting, passed] = [14, 9]
const reasons = [
  '闸机断电，班组长与监控为证',
  '下班随车从车辆通道离场，未过闸机',
  '刷脸未识别，由门卫登记出场',
  '夜间浇筑后从东门离场，东门闸机离线',
]

async function askForCorrections(db: Db, projectCode: string, { clerk, manager }: People, now: number): Promise<void> {
  const { rows } = await sql<{ workerId: string; corpCode: string; workDay: string; firstIn: Date }>`
    select worker_id, corp_code, work_day::text as work_day, first_in from attendance_day
    where project_code = ${projectCode} and 4 = any (results) and first_in is not null and settled order by work_day desc, worker_id limit ${waiting + passed - 1}`.execute(
    db,
  )
  const { rows: older } = await sql<{ workerId: string; corpCode: string; workDay: string; firstIn: Date }>`
    select worker_id, corp_code, work_day::text as work_day, first_in from attendance_day
    where project_code = ${projectCode} and 4 = any (results) and first_in is not null and settled
      and work_day < ${afterClosed(now)}::date order by work_day desc, worker_id limit 1`.execute(db)
  for (const [i, day] of [...rows, ...older].entries()) {
    const holds = i >= waiting
    const requestedAt = new Date(now - (holds ? 20 : 1) * 3_600_000 - i * 700_000)
    const approvedAt = new Date(requestedAt.getTime() + 5 * 3_600_000)
    const leave = !holds && i % 5 === 4
    const time = day.firstIn.getTime() + 10 * 3_600_000
    const isLate = day.workDay < formatDay(now - 3 * dayMs)
    await db
      .insertInto('attendanceCorrection')
      .values({
        id: newId(now),
        projectCode,
        workerId: day.workerId,
        corpCode: day.corpCode,
        kind: leave ? 'leave' : 'add',
        state: holds ? approvedState : fixStates.waiting,
        value: JSON.stringify({
          target: null,
          time: leave ? null : time,
          direction: leave ? null : '02',
          fromDay: leave ? day.workDay : null,
          toDay: leave ? day.workDay : null,
          gate: null,
          fromTime: null,
          toTime: null,
          shiftMs: null,
        }),
        requestedBy: clerk.id,
        requestedName: clerk.name,
        requestedAt,
        approvedBy: holds ? manager.id : null,
        approvedName: holds ? manager.name : null,
        approvedAt: holds ? approvedAt : null,
        byCompany: holds && isLate,
        workDay: day.workDay,
        reason: leave ? '家中有事，已向班组长请假' : reasons[i % reasons.length]!,
        files: JSON.stringify([]),
        needs: isLate ? ['site', 'company'] : ['site'],
        approvals: JSON.stringify(
          holds ? [{ role: 'site', by: manager.id, name: manager.name, at: approvedAt.getTime(), opinion: '属实', result: 'pass' }] : [],
        ),
        salt: null,
        seq: null,
        createTime: requestedAt,
      })
      .execute()
    if (holds)
      await sql`insert into attendance_dirty (project_code, worker_id, work_day)
        select ${projectCode}, ${day.workerId}, ${day.workDay}::date + d from generate_series(-1, 1) as d`.execute(db)
  }
}

/** A gate measured this many degrees too high for a day. */
const warmBy = 0.6

async function warmGate(db: Db, projectCode: string, now: number): Promise<void> {
  const { rows } = await sql<{ code: string }>`
    select terminal_code as code from attendance_event where project_code = ${projectCode} and device_id is not null
    group by 1 order by count(*) limit 1`.execute(db)
  const code = rows[0]?.code
  if (!code) return
  await sql`
    update attendance_event set temperature = temperature + ${warmBy} where project_code = ${projectCode} and terminal_code = ${code}
      and temperature is not null and time between ${new Date(now - 1.4 * dayMs)} and ${new Date(now - 0.9 * dayMs)}`.execute(db)
  await sql`
    update attendance_event set temperature = case when id like '%7' then 38.3 else 37.7 end where id in (
      select id from attendance_event where project_code = ${projectCode} and worker_id is not null and temperature is not null
        and terminal_code <> ${code} and time >= ${new Date(now - 1.5 * dayMs)} order by md5(id) limit 5)`.execute(db)
}

async function workOnFevers(db: Db, projectCode: string, { manager }: People, now: number): Promise<void> {
  const alarms = await db
    .selectFrom('tempAlarm')
    .select(['id', 'time', 'temperature'])
    .where('projectCode', '=', projectCode)
    .orderBy('time', 'desc')
    .orderBy('id')
    .execute()
  // Three are pending; the others are resolved by a second measurement.
  for (const [i, alarm] of alarms.entries()) {
    if (i < 3) continue
    const isMachine = (alarm.temperature ?? 0) < 37.7
    const at = Math.min(now, alarm.time.getTime() + (18 + i) * 60_000)
    const recheck = isMachine ? 36.6 : 37.9
    await db
      .updateTable('tempAlarm')
      .set({
        handleState: isMachine ? '4' : '2',
        handler: manager.id,
        handlerName: manager.name,
        handleTime: new Date(at),
        recheck,
        recheckTime: new Date(at - 5 * 60_000),
        outcome: isMachine ? null : '就医',
        course: JSON.stringify([
          { at: at - 5 * 60_000, name: manager.name, action: '登记复测', text: `${recheck.toFixed(1)} °C` },
          {
            at,
            name: manager.name,
            action: isMachine ? '误报' : '处理',
            text: isMachine ? '闸机偏高，复测正常' : '送诊所，两日后返岗',
          },
        ]),
        version: 2,
      })
      .where('id', '=', alarm.id)
      .execute()
  }
  await db
    .insertInto('tempAlarmSetting')
    .values({
      projectCode,
      value: JSON.stringify({ threshold: 37.3, high: 38 }),
      updateName: manager.name,
      updateTime: new Date(now - dayMs),
    })
    .onConflict((oc) => oc.column('projectCode').doUpdateSet({ updateName: manager.name, updateTime: new Date(now - dayMs) }))
    .execute()
}

/** Shares ignored with a reason, and handled; the others are pending. */
const shares = { left: 0.25, seen: 0.2 }

async function workOnWarnings(db: Db, projectCode: string, { clerk }: People, now: number): Promise<void> {
  const { rows } = await sql<{ id: string; type: string }>`
    select id, type from labor_alarm where project_code = ${projectCode} order by md5(worker_id || type), id`.execute(db)
  // Spread over several days.
  await sql`update labor_alarm set time = time - (('x' || substr(md5(worker_id || type), 1, 4))::bit(16)::int % 12) * interval '1 day'`.execute(
    db,
  )
  const [left, seen] = [Math.ceil(rows.length * shares.left), Math.ceil(rows.length * shares.seen)]
  for (const [i, { id, type }] of rows.slice(0, left + seen).entries()) {
    const isLeft = i < left
    const remark = isLeft
      ? type === '203' || type === '103'
        ? '返聘技术人员，不从事高处作业'
        : '材料已交，系统登记中'
      : type === '207'
        ? '已补签，合同待上传'
        : '已通知班组整改'
    await sql`
      update labor_alarm set state = ${isLeft ? '3' : '2'}, handler = ${clerk.id}, handler_name = ${clerk.name}, handle_remark = ${remark},
        handle_time = ${new Date(now - (i + 1) * 5 * 3_600_000)}, time = least(time, ${new Date(now - (i + 2) * 6 * 3_600_000)}), version = 1
      where id = ${id}`.execute(db)
  }
}
