import { z } from 'zod'
import { ageOn, checkIdCard, checkMobile } from '../kit/checks.ts'
import { checked, day, filled, normalised, nullable, text } from '../kit/fields.ts'
import { normalIdNumber, normalPhone } from '../kit/normal.ts'
import { fileRef } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'

export const mobile = checked(normalised(20, '手机号', normalPhone).min(1, '请填写手机号'), (v) => checkMobile(v))
export const idNumber = checked(normalised(30, '身份证号', normalIdNumber).min(1, '请填写身份证号'), (v) => checkIdCard(v))
/** Titles of dictionary titleLevel with which one is admitted: 高级及以上. */
export const seniorTitles: readonly string[] = ['3', '4']
export const mostSpecialties = 3

const email = checked(text(100, '邮箱'), (v) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(v) ? undefined : '邮箱格式不正确'))
const years = z.coerce
  .number({ error: '请填写专业工作年限' })
  .int('专业工作年限为整数')
  .min(0, '专业工作年限不能为负')
  .max(60, '专业工作年限过大')
const specialties = z
  .array(dict('expertSpecialty', '申报专业'), { error: '请选择申报专业' })
  .min(1, '请选择申报专业')
  .max(mostSpecialties, `申报专业最多 ${mostSpecialties} 个`)
  .refine((codes) => new Set(codes).size === codes.length, '申报专业重复')
const cert = z.object({ name: filled(100, '证书名称'), number: filled(50, '证书编号'), validEnd: nullable(day) })
export type ExpertCert = z.output<typeof cert>

/** Step 3 of the application. */
export const personFields = {
  name: filled(50, '姓名'),
  idCardNumber: idNumber,
  email: nullable(email),
  workUnit: filled(200, '工作单位'),
  duty: nullable(text(50, '职务')),
  title: dict('titleLevel', '职称'),
  titleMajor: filled(50, '职称专业'),
  degree: dict('education', '学历'),
  graduateSchool: nullable(text(100, '毕业院校')),
  workYears: years,
}
/** Step 4. */
export const careerFields = {
  specialties,
  resume: filled(4000, '工作简历').min(10, '工作简历至少 10 个字'),
  achievements: nullable(text(4000, '业绩成果')),
  certs: z.array(cert).max(20, '执业资格最多 20 项').default([]),
}
/** Step 5. */
export const paperFields = {
  photo: fileRef,
  unitOpinion: fileRef,
  commitments: fileRef,
}
/** One definition for the public application and for the clerk's form. */
export const expertBody = z.object({ ...personFields, ...careerFields, ...paperFields })
export type ExpertBody = z.output<typeof expertBody>

/** Conditions of admission, as a library sets them. */
export interface Admission {
  maxAge: number
  leastYears: number
}

/**
 * What stands against admission, by field; checked when the basic data are entered, so that nobody uploads papers in vain.
 * @param today yyyy-MM-dd
 */
export function admissionProblems(
  { birthday, title, workYears }: { birthday?: string | undefined; title: string; workYears: number },
  { maxAge, leastYears }: Admission,
  today: string,
): { field: string; message: string }[] {
  return [
    ...(birthday && ageOn(birthday, today) > maxAge ? [{ field: 'idCardNumber', message: `年龄超过 ${maxAge} 周岁，不符合入库条件` }] : []),
    ...(!seniorTitles.includes(title) ? [{ field: 'title', message: '职称应为高级及以上' }] : []),
    ...(workYears < leastYears ? [{ field: 'workYears', message: `专业工作年限应满 ${leastYears} 年` }] : []),
  ]
}

/** A clerk's registration: papers may follow, but are there when it is submitted. */
export const registerFields = {
  ...personFields,
  ...careerFields,
  phone: mobile,
  photo: nullable(fileRef),
  unitOpinion: nullable(fileRef),
  commitments: nullable(fileRef),
}
export const paperNames = { photo: '照片', unitOpinion: '单位推荐意见', commitments: '承诺书' } as const
