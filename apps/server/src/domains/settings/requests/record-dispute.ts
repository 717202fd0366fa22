import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type disputeRecord, disputeSubjects } from '@zhugong/contract/settings/my-requests'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { ask, ownBad, ownStay, registerPersonKind } from './request.ts'

/**
 * An objection of a person to a record about them. The site's labour officer checks it and corrects the record on its own page (an
 * attendance correction, the training's marks), with that page's approvals.
 */
export function registerRecordDispute(): void {
  registerPersonKind({
    kind: 'recordDispute',
    prefix: 'JLYY',
    flow: [{ key: 'site', name: '项目劳务员', places: ['site'], by: { kind: 'code', code: 'personnel.edit' }, hours: 72, late: 'raise' }],
    reads: ['personnel.edit'],
    link: ({ projectCode }) => `/PersonRoster?projectCode=${projectCode ?? ''}`,
    fields: (row) => [{ label: '记录类别', value: row.subject && disputeSubjects[row.subject] }],
    answers: '请写明核实结果和如何更正（至少 5 个字）',
  })
}

type Body = ParsedFor<typeof disputeRecord>['body']

export const askDispute: HandlerOf<typeof disputeRecord> = async ({ body, query }, ctx) => {
  projectsFor(ctx, query.projectCode)
  const { id, code } = await ask(ctx, 'recordDispute', body, async (own, workerId) => ({
    subject: body.subject,
    ...(await subjects[body.subject](own, workerId, body)),
  }))
  return { id, code }
}

interface Subject {
  projectCode: string
  corpCode: string
  subjectId: string
  about: string
}
const subjects: Record<Body['subject'], (own: Context, workerId: string, body: Body) => Promise<Subject>> = {
  stay,
  attendance,
  training,
  bad,
}

async function stay(own: Context, workerId: string, { stayId }: Body): Promise<Subject> {
  const s = await ownStay(own, workerId, stayId ?? '')
  const about = `${s.projectName} ${formatDay(s.entryTime)} 至 ${s.exitTime ? formatDay(s.exitTime) : '今'}`
  return { projectCode: s.projectCode, corpCode: s.corpCode, subjectId: s.id, about }
}

/** A day without a record can be disputed too, since the record may be missing wrongly. */
async function attendance(own: Context, workerId: string, { stayId, workDay = '' }: Body): Promise<Subject> {
  const s = await ownStay(own, workerId, stayId ?? '')
  if (workDay < formatDay(s.entryTime) || (s.exitTime && workDay > formatDay(s.exitTime)))
    throw new AppError('invalidInput', '该日不在本人于此项目的在场期内', { field: 'workDay' })
  const row = await own.db
    .selectFrom('attendanceDay')
    .select(['firstIn', 'lastOut', 'workHours', 'attendDay'])
    .where('projectCode', '=', s.projectCode)
    .where('workerId', '=', workerId)
    .where('workDay', '=', workDay)
    .executeTakeFirst()
  const clock = (v: Date | null | undefined) => (v ? formatInstant(v).slice(11, 16) : '无')
  const says = row ? `进 ${clock(row.firstIn)}，出 ${clock(row.lastOut)}，${row.workHours} 小时` : '没有记录'
  return {
    projectCode: s.projectCode,
    corpCode: s.corpCode,
    subjectId: `${s.id}-${workDay}`,
    about: `${s.projectName} ${workDay} 考勤（${says}）`,
  }
}

async function training(own: Context, workerId: string, { trainingId }: Body): Promise<Subject> {
  const row = await own.db
    .selectFrom('workerTraining')
    .select(['id', 'projectCode', 'corpCode', 'trainingType', 'trainDate', 'hours', 'score', 'passed'])
    .where('id', '=', trainingId ?? '')
    .where('workerId', '=', workerId)
    .executeTakeFirst()
  const t = found(row, '培训记录')
  const result = t.passed === null ? '未出成绩' : t.passed ? '合格' : '不合格'
  const about = `${dictName('trainingType', t.trainingType) ?? '培训'} ${t.trainDate}（${t.hours} 学时，${result}${t.score === null ? '' : `，${t.score} 分`}）`
  return { projectCode: t.projectCode, corpCode: t.corpCode, subjectId: t.id, about }
}

/** Only before confirmation; a confirmed record needs an appeal, which another group decides. */
async function bad(own: Context, workerId: string, { badId }: Body): Promise<Subject> {
  const b = await ownBad(own, workerId, badId ?? '')
  if (b.auditStatus === auditStates.passed) throw new AppError('refused', '该记录已认定，请提交申诉', { field: 'badId' })
  const about = `${dictName('badActionType', b.badRecordType) ?? '不良记录'} ${b.occurrenceDate}（待认定）`
  return { projectCode: b.projectCode, corpCode: b.corpCode, subjectId: b.id, about }
}
