import { type FlowNode, type FlowNodeInput, flowNode } from '@zhugong/contract/workflow/flow'
import type { City } from '@zhugong/simulator/city-types'
import { sql } from 'kysely'
import { dayMs } from '#kit/clock'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'

/** Whose site has a flow of its own. */
const manager = 'zhigu-pm'
const daysOpen = [5, 1] as const

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
/** A post nobody has on this site: the page shows it red, and what comes to it goes to the administrators. */
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

/** One site with a third version of its own, two changes of registration that wait, one of them for longer than it should, a stop and a suppression. */
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
  await fileChanges(db, now)
  await fileState(db, now)
  await askSilence(db, city, now)
}

/** A crane that is to be jacked: the safety officer asks for its alarms to be silent, the site's manager is to agree. */
async function askSilence(db: Db, city: City, now: number): Promise<void> {
  const hourMs = 3_600_000
  const officer = city.personas.find((one) => one.account === 'hospital-safety')
  const crane = city.devices.find((one) => one.projectCode === officer?.projectCode && one.family === 'towerCrane')
  if (!crane) return
  await sql`insert into device_suppress (id, project_code, device_id, alarm_keys, kind, reason, person_name, from_time, until_time, create_by, create_time, state, asked_by,
      asked_group)
    select ${newId(now)}, ${crane.projectCode}, ${crane.id}, ${['tiltAlarm', 'windAlarm']}, 'jacking', '附着后顶升一节，安拆单位与监理旁站', '周大勇',
      ${new Date(now + 2 * hourMs)}, ${new Date(now + 8 * hourMs)}, u.name, ${new Date(now - hourMs)}, '1', u.id, t.id
    from app_user u join tenant t on t.type = 3 and t.code = ${crane.projectCode} where u.account = 'hospital-safety'`.execute(db)
}

/** A developer that asks for a stop of the work, in the season of storms. */
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
      action: 'stop',
      fromState: '003',
      reason: '基坑周边管线迁改，主体作业面全部停工约 20 天',
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

/** Projects whose owner or contractor is to be registered otherwise. */
async function fileChanges(db: Db, now: number): Promise<void> {
  const projects = await db
    .selectFrom('project as p')
    .innerJoin('tenant as t', (join) => join.onRef('t.code', '=', 'p.projectCode').on('t.type', '=', 3))
    .select(['p.projectCode', 'p.contractorCorpCode', 't.id as groupId', 't.name as groupName'])
    .where('p.contractorCorpCode', 'is not', null)
    .orderBy('p.projectCode')
    .limit(daysOpen.length)
    .execute()
  for (const [at, project] of projects.entries()) {
    const other = await db
      .selectFrom('corporation')
      .select('corpCode')
      .where('corpCode', '<>', project.contractorCorpCode ?? '')
      .orderBy('corpCode')
      .offset(at)
      .limit(1)
      .executeTakeFirst()
    const clerk = await db
      .selectFrom('member as m')
      .innerJoin('appUser as u', 'u.id', 'm.userId')
      .select(['u.id', 'u.name'])
      .where('m.groupId', '=', project.groupId)
      .orderBy('u.account')
      .executeTakeFirst()
    if (!other || !clerk) continue
    await db
      .insertInto('projectChange')
      .values({
        id: newId(now),
        projectCode: project.projectCode,
        changes: JSON.stringify({ contractorCorpCode: { from: project.contractorCorpCode, to: other.corpCode } }),
        reason: '总承包合同主体变更，已签补充协议',
        filedGroup: project.groupId,
        filedBy: clerk.id,
        filedName: `${project.groupName} ${clerk.name}`,
        createTime: new Date(now - (daysOpen[at] ?? 1) * dayMs),
      })
      .onConflict((c) => c.doNothing())
      .execute()
  }
}
