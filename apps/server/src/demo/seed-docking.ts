import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownErrors } from '@zhugong/contract/docking/codes'
import { type ObjectType, objectOf, objectTypes, rankOf } from '@zhugong/contract/docking/standard'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { sql } from 'kysely'
import { deliveredFields, everythingOf, fanOut } from '#domains/docking/public'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import type { Db, NewRow } from '#kit/db'
import { newId } from '#kit/ids'
import type { Secrets } from '#kit/secret'
import { hashToken } from '#kit/serve'
import { demoUpper } from '../docking-upper/demo-upper.ts'

/** Number of connected sites; the others show as not connected. */
const sites = 3
const daysBefore = 30
/** Days for which the demonstration's upper platform has counts as well. */
const keptDays = 8
const failedOf = { expiry: 37, mismatch: 5 } as const
const refusedBelow = 12
const removedStays = 3

/** Number per day of recurring objects, for a site of about a hundred people. */
const daily: Partial<Record<ObjectType, number>> = {
  attendanceRecord: 180,
  projectWorker: 4,
  workerBase: 3,
  entryExitHistory: 3,
  training: 5,
}

/** Number of objects sent once, on the day a site was connected. */
const atOnce: Partial<Record<ObjectType, number>> = {
  corporation: 6,
  project: 1,
  projectCorp: 8,
  team: 14,
  workerCert: 40,
  workerContract: 110,
}
const connectedBack = 12

/**
 * An upward connection with the objects of three sites: 37 people whose papers lack a date, 5 not verified, one unknown error code, one locked team;
 * an hour yesterday without answers; and a lower platform with 12 refusals.
 */
export async function seedDocking(db: Db, city: City, secrets: Secrets, now: number, dataDir: string): Promise<void> {
  const codes = await chosenSites(db)
  await seedPlatforms(db, city, secrets, now)
  for (const projectCode of codes) {
    await db
      .insertInto('dockingEnrol')
      .values({ platformId: demoUpper.id, projectCode, since: new Date(now) })
      .execute()
    for (const statement of everythingOf(projectCode)) await statement.execute(db)
  }
  while ((await fanOut(db, now)) > 0);
  await letAllArrive(db, now)
  await failSome(db, now)
  await removeSome(db, now)
  await seedDays(db, codes, now, dataDir)
  await seedBelow(db, city, secrets, now)
}

/** The hospital's site and those with the most people. */
async function chosenSites(db: Db): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select p.project_code as code from project p where p.prj_status = '003'
    order by exists (select 1 from tenant t join member m on m.group_id = t.id join app_user u on u.id = m.user_id
      where t.type = 3 and t.code = p.project_code and u.account = 'hospital-pm') desc,
      (select count(*) from project_worker pw where pw.project_code = p.project_code and pw.exit_time is null) desc limit ${sites}`.execute(
    db,
  )
  return rows.map((row) => row.code)
}

const groupOf = (db: Db, account: string) =>
  db
    .selectFrom('member as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .select(['m.groupId', 'u.id as userId', 'u.name'])
    .where('u.account', '=', account)
    .executeTakeFirstOrThrow()

async function seedPlatforms(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const [operator, body] = [await groupOf(db, 'admin'), await groupOf(db, 'city-fang')]
  const cityArea = city.areas[0]?.code ?? '420200'
  const at = (days: number, hour = 10) => formatInstant(startOfDay(addDays(formatDay(now), -days)) + hour * hourMs)
  const step = (step: string, days: number, note = '', by = operator.name) => ({ step, at: at(days), by, note })
  const admitted = [
    step('登记测试结果审核通过', 40),
    step('提交测试结果', 43, '13 类数据各 20 条'),
    step('登记测试通过', 44),
    step('登记资料审核通过', 50),
    step('提交资料', 58, '接入申请表、信息系统等级保护备案证明'),
  ]
  const outage = {
    step: '连接恢复',
    at: at(1, 15),
    by: '系统',
    note: `自 ${at(1, 14)} 起对方无响应，恢复后按顺序补传`,
  }
  await db
    .insertInto('dockingPlatform')
    .values([
      {
        id: demoUpper.id,
        groupId: operator.groupId,
        name: '市建筑工人实名制管理平台',
        level: '3',
        areaCode: cityArea,
        profile: 'national',
        appKey: demoUpper.appKey,
        secret: secrets.seal(demoUpper.secret),
        objects: [...objectTypes],
        progress: '08',
        status: '01',
        steps: JSON.stringify([outage, ...admitted]),
        lastAnswer: new Date(now),
        createBy: operator.userId,
        createTime: new Date(now - 60 * dayMs),
      },
      {
        id: newId(now),
        groupId: body.groupId,
        name: '省级监管平台',
        level: '2',
        areaCode: cityArea,
        profile: 'national',
        profileChecked: true,
        endpoint: 'https://shengji.example.cn/api/docking',
        appKey: 'city-4202',
        secret: secrets.seal(randomBytes(16).toString('hex')),
        objects: ['project', 'projectCorp', 'projectWorker', 'attendanceRecord'],
        progress: '03',
        status: '02',
        steps: JSON.stringify([
          step('登记资料审核不通过', 3, '接入申请表缺少公章', body.name),
          step('提交资料', 9, '接入申请表', body.name),
        ]),
        createBy: body.userId,
        createTime: new Date(now - 12 * dayMs),
      },
    ])
    .execute()
  // Manual attendance is sent as "other"; two attendance types have no code there yet.
  const fields = deliveredFields('attendanceRecord').map((field) =>
    field.source === 'attendType' ? { ...field, codes: { '014': '011' } } : field,
  )
  await db
    .insertInto('dockingMapping')
    .values({
      platformId: demoUpper.id,
      objectType: 'attendanceRecord',
      version: 1,
      fields: JSON.stringify(fields),
      createTime: new Date(now - 20 * dayMs),
      createBy: operator.name,
    })
    .execute()
}

/** All objects were sent in the last weeks. */
async function letAllArrive(db: Db, now: number): Promise<void> {
  await sql`
    update docking_record set upload_status = '1', attempts = 1, mapping_version = 0, due_at = null, wait_for = null, wait_lane = null,
      queued_time = ${new Date(now)}::timestamptz - make_interval(mins => (abs(hashtext(lane)) % 28000 + 60)::int),
      receipt_no = 'R' || to_char(${new Date(now)}::timestamptz - interval '10 days', 'YYYYMMDD') || lpad(seq::text, 7, '0')`.execute(db)
  await sql`update docking_record set receipt_time = queued_time + make_interval(secs => 4 + rank)`.execute(db)
  await sql`
    update project_worker p set upload_status = '1' from docking_record r where r.object_type = 'projectWorker' and r.source_id = p.id`.execute(
    db,
  )
  await sql`update project p set upload_status = '1' from docking_record r where r.object_type = 'project' and r.source_id = p.project_code`.execute(
    db,
  )
}

interface Failure {
  code: string
  field: string
  text: string
  answer: string
  outcome: 'held' | 'refused'
}

async function failSome(db: Db, now: number): Promise<void> {
  const { rows } = await sql<{ id: string; sourceId: string; lane: string }>`
    select r.id, r.source_id, r.lane from docking_record r join worker w on w.id = r.source_id
    where r.object_type = 'workerBase' and w.real_name_state = '1' order by hashtext(r.lane) limit ${failedOf.expiry + failedOf.mismatch}`.execute(
    db,
  )
  const { rows: unverified } = await sql<{ id: string; lane: string }>`
    select r.id, r.lane from docking_record r join worker w on w.id = r.source_id where r.object_type = 'workerBase' and w.real_name_state <> '1'`.execute(
    db,
  )
  await fail(db, unverified, now, { code: 'L005', field: '', text: knownErrors.L005?.text ?? '', answer: '', outcome: 'held' })
  const expiry = rows.slice(0, failedOf.expiry)
  await sql`update worker set expiry_date = null where id = any (${expiry.map((row) => row.sourceId)})`.execute(db)
  await fail(db, expiry, now, { code: 'L001', field: 'expiryDate', text: '证件有效期止为空，上级要求必填', answer: '', outcome: 'held' })
  await fail(db, rows.slice(failedOf.expiry), now, {
    code: 'E3001',
    field: 'idCardNumber',
    text: '身份证号与姓名核验不一致',
    answer: JSON.stringify({ code: 'E3001', field: 'idCardNumber', message: '核验不一致' }),
    outcome: 'refused',
  })
  const { rows: others } = await sql<{ id: string; sourceId: string; lane: string }>`
    select r.id, r.source_id, r.lane from docking_record r where r.object_type = 'team' order by hashtext(r.lane) limit 2`.execute(db)
  await fail(db, others.slice(0, 1), now, {
    code: 'P-2077',
    field: '',
    text: '上级返回（未收录）：team master conflict with register',
    answer: JSON.stringify({ code: 'P-2077', message: 'team master conflict with register' }),
    outcome: 'refused',
  })
  await sql`
    update docking_record set upload_status = '3', error_text = '上级已锁定该数据，不可修改' where id = any (${others.slice(1).map((row) => row.id)})`.execute(
    db,
  )
  await addTroubles(db, now)
  await sql`delete from docking_outbox`.execute(db)
}

/** People registered by mistake: created at the upper platform and deleted again. */
async function removeSome(db: Db, now: number): Promise<void> {
  const { rows: models } = await sql<{ projectCode: string; corpCode: string | null; afterLane: string | null; bizName: string }>`
    select project_code, corp_code, after_lane, biz_name from docking_record where object_type = 'projectWorker' and upload_status = '1'
    order by hashtext(source_id) limit ${removedStays}`.execute(db)
  for (const [i, model] of models.entries()) {
    const [sourceId, worker] = [newId(now), newId(now)]
    for (const op of ['1', '3'] as const) {
      const at = now - (i + 1) * 2 * dayMs + (op === '3' ? 5 * hourMs : 0)
      await db
        .insertInto('dockingRecord')
        .values({
          ...model,
          id: newId(now),
          platformId: demoUpper.id,
          objectType: 'projectWorker',
          rank: rankOf('projectWorker'),
          sourceId,
          lane: `worker:${worker}`,
          op,
          uploadStatus: '1',
          attempts: 1,
          mappingVersion: 0,
          queuedTime: new Date(at),
          receiptTime: new Date(at + 6_000),
          receiptNo: `R${formatDay(at).replaceAll('-', '')}9${String(i * 2 + Number(op === '3')).padStart(6, '0')}`,
        })
        .execute()
    }
  }
}

/** These records failed, and later records in their lanes wait. */
async function fail(
  db: Db,
  rows: readonly { id: string; lane: string }[],
  now: number,
  { code, field, text, answer, outcome }: Failure,
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map((row) => row.id)
  await sql`
    update docking_record set upload_status = '-1', error_code = ${code}, error_field = ${field}, error_text = ${text}, revision = 1, receipt_no = null,
      queued_time = ${new Date(now)}::timestamptz - make_interval(mins => (abs(hashtext(lane)) % 2800 + 30)::int) where id = any (${ids})`.execute(
    db,
  )
  await sql`
    update docking_record r set upload_status = '0', attempts = 0, receipt_no = null, receipt_time = null, mapping_version = null, wait_for = '工人档案未成功',
      queued_time = f.queued_time
    from docking_record f where f.id = any (${ids}) and f.object_type = 'workerBase' and r.platform_id = f.platform_id and r.lane = f.lane and r.seq > f.seq`.execute(
    db,
  )
  await db
    .insertInto('dockingAttempt')
    .values(
      ids.map((recordId, i) => ({
        id: newId(now),
        recordId,
        at: new Date(now - 20 * 60_000 - i * 1_000),
        tookMs: 80 + (i % 7) * 13,
        outcome,
        http: outcome === 'refused' ? 200 : null,
        answer,
        errorCode: code,
      })),
    )
    .execute()
}

/** An hour yesterday in which the upper platform did not answer: records were retried afterwards. */
async function addTroubles(db: Db, now: number): Promise<void> {
  const from = startOfDay(addDays(formatDay(now), -1)) + 14 * hourMs
  const { rows } = await sql<{ id: string; receiptNo: string }>`
    update docking_record set attempts = 2, queued_time = ${new Date(from - 60_000)}, receipt_time = ${new Date(from + hourMs + 20_000)}
    where id in (select id from docking_record where object_type = 'projectWorker' and upload_status = '1' order by hashtext(id) limit 6)
    returning id, receipt_no`.execute(db)
  if (rows.length === 0) return
  await db
    .insertInto('dockingAttempt')
    .values(
      rows.flatMap(({ id, receiptNo }, i) => [
        {
          id: newId(now),
          recordId: id,
          at: new Date(from + i * 2_000),
          tookMs: 20_000,
          outcome: 'trouble' as const,
          http: null,
          answer: '对方 20 秒内没有应答',
        },
        {
          id: newId(now),
          recordId: id,
          at: new Date(from + hourMs + 20_000 + i * 300),
          tookMs: 90,
          outcome: 'stored' as const,
          http: 200,
          answer: JSON.stringify({ code: 0, result: 'stored', receiptNo }),
        },
      ]),
    )
    .execute()
}

/** Daily counts of the last weeks; those of the last days are also stored at the upper platform. */
async function seedDays(db: Db, codes: readonly string[], now: number, dataDir: string): Promise<void> {
  const days: NewRow<'dockingDay'>[] = []
  const { rows: units } = await sql<{ projectCode: string; corpCode: string }>`
    select project_code, corp_code from project_worker where project_code = any (${[...codes]}) and exit_time is null group by 1, 2 order by 1, count(*) desc`.execute(
    db,
  )
  const corpsOf = Map.groupBy(units, (unit) => unit.projectCode)
  const current: string[] = []
  for (let back = daysBefore - 1; back >= 1; back--) {
    const day = addDays(formatDay(now), -back)
    for (const [i, projectCode] of codes.entries())
      for (const objectType of objectTypes) {
        const usual = daily[objectType] ?? (back === connectedBack ? atOnce[objectType] : undefined)
        if (usual === undefined) continue
        const accepted = Math.max(1, Math.round(usual * (0.7 + ((back * 7 + i * 3) % 10) / 20)))
        const refused = (back + i) % 6 === 0 && objectType !== 'training' ? 2 : 0
        const removed = objectType === 'projectWorker' && back % 3 === i ? 1 : 0
        const corps = objectType === 'project' || objectType === 'corporation' ? [] : (corpsOf.get(projectCode) ?? [])
        const corpCode = corps[(back + i) % Math.max(corps.length, 1)]?.corpCode ?? ''
        days.push({ platformId: demoUpper.id, projectCode, objectType, day, corpCode, accepted, removed, refused })
        if (back < keptDays)
          for (let n = 0; n < accepted + removed; n++)
            current.push(
              JSON.stringify({
                key: `past-${day}-${i}-${objectType}-${n}`,
                op: n < accepted ? '1' : '3',
                object: objectOf(objectType).upper,
                businessId: '',
                receiptNo: '',
                day,
              }),
            )
      }
  }
  await db.insertInto('dockingDay').values(days).execute()
  writeFileSync(join(dataDir, 'upper-platform.jsonl'), `${current.join('\n')}\n`, { mode: 0o600 })
}

const refusedWords = [
  { objectType: 'workerBase', code: 'E1001', field: 'grantOrg', text: '发证机关为空，上级要求必填' },
  { objectType: 'projectWorker', code: 'E1002', field: 'workType', text: '工种不在上级字典中' },
  { objectType: 'attendanceRecord', code: 'E1002', field: 'attendType', text: '通行方式不在上级字典中' },
  { objectType: 'team', code: 'E1001', field: 'responsiblePersonName', text: '责任人为空，上级要求必填' },
] as const

async function seedBelow(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const body = await groupOf(db, 'city-fang')
  const district = city.areas[1]
  const id = newId(now)
  const secret = secrets.sign('demo-below', id)
  await db
    .insertInto('dockingKey')
    .values({
      id,
      groupId: body.groupId,
      name: `${district?.name ?? '辖区'}建设监管平台`,
      areaCode: district?.code ?? '420202',
      keyHash: hashToken(secret),
      keyHint: 'zgd_9Kx2…w7Qa',
      received: 4_312,
      duplicate: 37,
      rejected: refusedBelow,
      lastTime: new Date(now - 8 * 60_000),
      createTime: new Date(now - 25 * dayMs),
      createBy: body.userId,
    })
    .execute()
  await db
    .insertInto('dockingRejected')
    .values(
      Array.from({ length: refusedBelow }, (_, i) => {
        const words = refusedWords[i % refusedWords.length] ?? refusedWords[0]
        return {
          id: newId(now),
          keyId: id,
          idemKey: `below-${i}`,
          objectType: words.objectType,
          businessId: `D${String(20_231 + i * 17)}`,
          errorCode: words.code,
          errorField: words.field,
          errorText: words.text,
          at: new Date(now - (i * 5 + 1) * hourMs),
        }
      }),
    )
    .execute()
}
