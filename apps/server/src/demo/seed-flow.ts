import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { type FlowNode, type FlowNodeInput, flowNode } from '@zhugong/contract/workflow/flow'
import type { City } from '@zhugong/simulator/city-types'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'

/** Account whose site has a flow of its own. */
const manager = 'zhigu-pm'

const site: FlowNodeInput = { key: 'site', name: '项目', places: ['site'], by: { kind: 'code', code: 'attendance.approve' }, hours: 48 }
const company: FlowNodeInput = {
  key: 'company',
  name: '企业',
  places: ['leader'],
  by: { kind: 'code', code: 'attendance.approve' },
  beside: true,
  when: [{ fact: 'late', op: '=', value: true }],
  hours: 72,
  locked: true,
}
const review: FlowNodeInput = {
  key: 'review',
  name: '监理或建设单位',
  places: ['supervisor', 'owner'],
  by: { kind: 'code', code: 'attendance.approve' },
  beside: true,
  when: [{ fact: 'keyPost', op: '=', value: true }],
  hours: 72,
  locked: true,
}
const long: FlowNodeInput = {
  key: 'long',
  name: '项目经理复核',
  places: ['site'],
  by: { kind: 'code', code: 'attendance.close' },
  when: [{ fact: 'daysLate', op: '>', value: 3 }],
  hours: 24,
  late: 'raise',
}
/** A post not held by anybody on this site: the page marks it, and its items go to the administrators. */
const nobody: FlowNodeInput = {
  key: 'clerk',
  name: '劳资专管员',
  places: ['site'],
  by: { kind: 'post', post: '劳资专管员' },
  when: long.when ?? [],
}

const versions: readonly { note: string; nodes: readonly FlowNodeInput[] }[] = [
  { note: '沿用产品流程', nodes: [site, company, review] },
  { note: '补录超过三天由项目经理复核', nodes: [site, company, review, long] },
  { note: '补录超过三天先经劳资专管员', nodes: [site, company, review, nobody, long] },
]

/** A site with a third flow version, a stop and a suppression. */
export async function seedFlow(db: Db, city: City, now: number): Promise<void> {
  const projectCode = city.personas.find((p) => p.account === manager)?.projectCode
  const user = await db.selectFrom('appUser').select(['id', 'name']).where('account', '=', manager).executeTakeFirst()
  const group = await db
    .selectFrom('tenant')
    .select(['id', 'name'])
    .where('type', '=', 3)
    .where('code', '=', projectCode ?? '')
    .executeTakeFirst()
  if (!user || !group) return
  for (const [at, { note, nodes }] of versions.entries())
    await db
      .insertInto('flowSetting')
      .values({
        id: newId(now),
        groupId: group.id,
        kind: 'attendanceFix',
        version: at + 1,
        mode: 'own',
        nodes: JSON.stringify(nodes.map((node): FlowNode => flowNode.parse(node))),
        note,
        createBy: user.id,
        createName: user.name,
        createTime: new Date(now - (versions.length - at) * 20 * dayMs),
      })
      .execute()
  await fileState(db, now)
  await askSilence(db, city, now)
  await sendNotices(db, city, now)
  await testLifts(db, city, now)
}

/** Quarterly drop tests of lifts: one on time, one overdue, one failed and repeated, one missing. */
async function testLifts(db: Db, city: City, now: number): Promise<void> {
  const lifts = city.devices.filter((one) => one.family === 'lifter')
  const tests = [
    { lift: 0, kind: 'drop', ago: 110, result: 'pass', distance: 0.58 },
    { lift: 0, kind: 'drop', ago: 22, result: 'pass', distance: 0.61 },
    { lift: 0, kind: 'load', ago: 22, result: 'pass', load: 125 },
    { lift: 1, kind: 'drop', ago: 104, result: 'pass', distance: 0.55 },
    { lift: 2, kind: 'drop', ago: 90, result: 'fail', distance: 1.42, remark: '制动距离超过 1.2 m，更换防坠安全器' },
    { lift: 2, kind: 'drop', ago: 87, result: 'pass', distance: 0.63 },
  ]
  for (const one of tests) {
    const lift = lifts[one.lift]
    if (!lift) continue
    const at = new Date(now - one.ago * dayMs)
    await sql`insert into lift_test (id, project_code, device_id, kind, tested_on, result, person_name, unit_name, distance_meters, load_percent, remark, by_name, create_time)
      values (${newId(at.getTime())}, ${lift.projectCode}, ${lift.id}, ${one.kind}, ${formatDay(at)}, ${one.result}, '周大勇', '安拆单位与机械员', ${one.distance ?? null},
        ${one.load ?? null}, ${one.remark ?? ''}, '周大勇', ${at})`.execute(db)
  }
  // For the newest serious alarm older than a day: lift stopped, checked and released the same day.
  await sql`insert into lift_stop (id, project_code, device_id, alarm_id, stopped_at, reason, by_name, create_time, checked_on, person_name, unit_name, finding,
      resumed_at, resumed_by)
    select ${newId(now)}, a.project_code, a.device_id, a.id, a.start_time + interval '4 minutes', a.label || '，停用检查', '周大勇', a.start_time + interval '4 minutes',
      ((a.start_time + interval '2 hours') at time zone 'Asia/Shanghai')::date, '周大勇', '安拆单位', '门联锁开关松动，紧固并试运行 6 次正常',
      a.start_time + interval '150 minutes', '周大勇'
    from alarm a where a.device_id = any (${lifts.map((one) => one.id)}) and a.max_level = 1 and not a.simulated and a.start_time < ${new Date(now - dayMs)}
    order by a.start_time desc limit 1`.execute(db)
}

/** Recent notices to sites: one pending, one overdue, one answered, one withdrawn. */
async function sendNotices(db: Db, city: City, now: number): Promise<void> {
  const site = city.personas.find((one) => one.account === 'hospital-pm')?.projectCode
  const device = (family: string) => city.devices.find((one) => one.projectCode === site && one.family === family)
  const [station, crane] = [device('environment'), device('towerCrane')]
  if (!site || !station || !crane) return
  const notices = [
    {
      from: 'city-fang',
      kind: 'dust',
      id: station.id,
      subject: `${station.name} PM10 超限 32 %`,
      text: '立即开启喷淋雾炮，停止土方作业，查明原因后答复。',
      ago: 1,
      due: 3,
    },
    {
      from: 'city-fang',
      kind: 'supervise',
      id: crane.id,
      subject: `${crane.name} 力矩超限告警`,
      text: '请核查超力矩原因，完成处置后答复。',
      ago: 30,
      due: 24,
      read: true,
    },
    {
      from: 'yunze-lu',
      kind: 'urge',
      id: crane.id,
      subject: `${crane.name} 昨日上报率 61 %`,
      text: '请核查塔机监测数据上报情况，恢复正常后答复。',
      ago: 26,
      due: 24,
      read: true,
      answer: '网关电源松动，已加固并恢复上报。',
    },
    {
      from: 'yunze-lu',
      kind: 'talk',
      id: null,
      subject: '塔机司机约谈',
      text: '请安排当班司机到场约谈。',
      ago: 50,
      due: 72,
      back: '司机已调离，另行安排',
    },
  ]
  for (const one of notices) {
    const at = now - one.ago * hourMs
    const done = one.answer || one.back ? new Date(at + 5 * hourMs) : null
    await sql`insert into site_notice (id, project_code, batch, kind, text, deadline, reply_wanted, device_id, subject, from_id, from_name, from_group, from_group_name,
        read_time, read_name, state, answer, done_name, done_time, create_time)
      select ${newId(at)}, ${site}, ${newId(at)}, ${one.kind}, ${one.text}, ${new Date(at + one.due * hourMs)}, true, ${one.id}, ${one.subject}, u.id, u.name, t.id, t.name,
        ${one.read ? new Date(at + hourMs) : null}, ${one.read ? '项目安全员' : null}, ${one.back ? '4' : one.answer ? '2' : '1'}, ${one.answer ?? one.back ?? null},
        ${done ? (one.back ? '集团安全总监' : '项目安全员') : null}, ${done}, ${new Date(at)}
      from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id where u.account = ${one.from} order by m.is_default desc limit 1`.execute(
      db,
    )
  }
  await sql`insert into site_notice_step (id, notice_id, project_code, at, action, text, by_name, by_group, deadline)
    select md5(id || ' send'), id, project_code, create_time, 'send', text, from_name, from_group_name, deadline from site_notice
    union all select md5(id || ' read'), id, project_code, read_time, 'read', '', read_name, '', null from site_notice where read_time is not null
    union all select md5(id || ' done'), id, project_code, done_time, case state when '2' then 'answer' else 'withdraw' end, answer, done_name, '', null
      from site_notice where done_time is not null`.execute(db)
}

/** A crane to be jacked: the safety officer requests suppression of its alarms, the site's manager must approve. */
async function askSilence(db: Db, city: City, now: number): Promise<void> {
  const officer = city.personas.find((one) => one.account === 'hospital-safety')
  const crane = city.devices.find((one) => one.projectCode === officer?.projectCode && one.family === 'towerCrane')
  if (!crane) return
  await sql`insert into device_suppress (id, project_code, device_id, alarm_keys, kind, reason, person_name, from_time, until_time, create_by, create_time, state, asked_by,
      asked_group)
    select ${newId(now)}, ${crane.projectCode}, ${crane.id}, ${['tiltAlarm', 'windAlarm']}, 'jacking', '附着后顶升一节，安拆单位与监理旁站', '周大勇',
      ${new Date(now + 2 * hourMs)}, ${new Date(now + 8 * hourMs)}, u.name, ${new Date(now - hourMs)}, '1', u.id, t.id
    from app_user u join tenant t on t.type = 3 and t.code = ${crane.projectCode} where u.account = 'hospital-safety'`.execute(db)
}

/** A developer's request to confirm completion while teams are still on the site. */
async function fileState(db: Db, now: number): Promise<void> {
  const project = await db
    .selectFrom('project as p')
    .innerJoin('tenant as t', (join) => join.onRef('t.code', '=', 'p.buildCorpCode').on('t.type', '=', 2))
    .leftJoin('member as m', 'm.groupId', 't.id')
    .leftJoin('appUser as u', 'u.id', 'm.userId')
    .select(['p.projectCode', 't.id as groupId', 't.name as groupName', 'u.id as userId', 'u.name as userName'])
    .where('p.prjStatus', '=', '003')
    .orderBy('u.id', (by) => by.asc().nullsLast())
    .orderBy('p.projectCode')
    .limit(1)
    .executeTakeFirst()
  if (!project) return
  await db
    .insertInto('projectStateApply')
    .values({
      id: newId(now),
      projectCode: project.projectCode,
      action: 'complete',
      fromState: '003',
      reason: '主体及装饰工程均已完工，申请确认完工',
      filedBy: project.userId ?? '',
      filedName: `${project.groupName} ${project.userName ?? '项目代表'}`,
      filedGroup: project.groupId,
      opinion: null,
      decidedName: null,
      decideTime: null,
      createTime: new Date(now - dayMs),
    })
    .execute()
}
