import { dayMs } from '@zhugong/contract/kit/time'
import { addDays, formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import { newId } from '#kit/ids'

/** The manager's requests as a data subject: one objection pending, one answered, an appeal in progress, a settled wage claim. */
export async function seedOwnRequests(tx: Tx, projectCode: string, now: number): Promise<void> {
  const stay = await tx
    .selectFrom('projectWorker as s')
    .innerJoin('appUser as u', 'u.workerId', 's.workerId')
    .innerJoin('project as p', 'p.projectCode', 's.projectCode')
    .select(['s.id', 's.workerId', 's.corpCode', 's.teamId', 'u.id as userId', 'p.name as projectName'])
    .where('u.account', '=', 'hospital-pm')
    .where('s.projectCode', '=', projectCode)
    .where('s.exitTime', 'is', null)
    .executeTakeFirst()
  if (!stay) return
  const ago = (days: number) => formatDay(now - days * dayMs)
  const bad = {
    type: '1',
    workerId: stay.workerId,
    projectCode,
    corpCode: stay.corpCode,
    teamId: stay.teamId,
    badRecordLevel: '1',
    actionDegree: '1',
    processResult: '约谈并限期改正',
    score: 2,
    files: JSON.stringify([]),
    auditStatus: '1',
    auditedName: '监督机构',
  }
  const current = newId(now)
  await tx
    .insertInto('workerBad')
    .values([
      {
        ...bad,
        id: current,
        badRecordType: '04',
        occurrenceDate: ago(40),
        reason: '起重吊装作业未安排信号工旁站，检查时当场改正',
        validUntil: addDays(ago(38), 365),
      },
      {
        ...bad,
        id: newId(now),
        badRecordType: '09',
        occurrenceDate: ago(500),
        reason: '临边防护拆除后未及时恢复，当日已恢复',
        validUntil: ago(130),
      },
    ])
    .execute()
  const request = {
    userId: stay.userId,
    workerId: stay.workerId,
    projectCode,
    corpCode: stay.corpCode,
    subject: null,
    subjectId: null,
    files: JSON.stringify([]),
    fromMonth: null,
    toMonth: null,
    amountCents: null,
    startDate: null,
    expiryDate: null,
    grantOrg: null,
    frontImage: null,
    backImage: null,
    opinion: null,
    decidedName: null,
    decideTime: null,
  }
  const answered = (days: number, opinion: string) => ({
    state: '2',
    opinion,
    decidedName: `${stay.projectName} 劳务员`,
    decideTime: new Date(now - days * dayMs),
  })
  await tx
    .insertInto('personRequest')
    .values([
      {
        ...request,
        id: newId(now),
        kind: 'recordDispute',
        subject: 'attendance',
        subjectId: `${stay.id}-${ago(2)}`,
        about: `${stay.projectName} ${ago(2)} 考勤（没有记录）`,
        reason: '当天在甲方办公区开协调会，从东门进出，闸机停电未记录，有会议签到表',
        createTime: new Date(now - dayMs),
      },
      {
        ...request,
        ...answered(21, '核对签到表和现场照片，已按 8 小时补录'),
        id: newId(now),
        kind: 'recordDispute',
        subject: 'attendance',
        subjectId: `${stay.id}-${ago(24)}`,
        about: `${stay.projectName} ${ago(24)} 考勤（进 07:02，出 无，0 小时）`,
        reason: '下班时人脸识别失败，由门卫登记离场，工时少记 8 小时',
        createTime: new Date(now - 23 * dayMs),
      },
      {
        ...request,
        id: newId(now),
        kind: 'badAppeal',
        subject: 'bad',
        subjectId: current,
        about: `不良行为 ${ago(40)}`,
        reason: '信号工已到岗，检查时在吊物另一侧，有对讲机录音和作业票为证',
        createTime: new Date(now - 3 * dayMs),
      },
      {
        ...request,
        ...answered(60, '系专户切换延迟，已于当日全额发放，回单已交本人'),
        id: newId(now),
        kind: 'wageComplaint',
        subjectId: stay.id,
        fromMonth: ago(95).slice(0, 7),
        toMonth: ago(95).slice(0, 7),
        amountCents: 1_260_000,
        about: stay.projectName,
        reason: '工资应于 15 日到账，至今未到',
        createTime: new Date(now - 63 * dayMs),
      },
    ])
    .execute()
}
