import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { day, filled, nullable, ofProject, paged, pageQuery, ref, several, text } from '../../kit/fields.ts'

/** 防坠试验 tests the safety device on the lift, 载荷试验 the brakes and the structure under rated load. */
export const liftTestKinds = { drop: '防坠试验', load: '载荷试验' } as const
export type LiftTestKind = keyof typeof liftTestKinds
export const liftTestResults = { pass: '合格', fail: '不合格' } as const
/** JGJ 215-2010: a drop test every three months. */
export const dropTestMonths = 3
/** Days before the due date from which a test counts as due soon. */
export const dropTestSoonDays = 7

/** When the next drop test is due: three months after the last passed one; null if there was none. */
export const dropTestDue = z.object({
  dropTestedOn: z.string().nullable(),
  dropTestDue: z.string().nullable(),
  dropTestDays: z.number().int().nullable(),
  /** The latest test, if it failed: the lift must not run until one is passed. */
  dropTestFailed: z.boolean(),
})
export type DropTestDue = z.infer<typeof dropTestDue>

export const liftTest = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  kind: z.enum(['drop', 'load']),
  testedOn: z.string(),
  result: z.enum(['pass', 'fail']),
  personName: z.string(),
  unitName: z.string(),
  /** Drop tests: braking distance in metres. */
  distanceMeters: z.number().nullable(),
  /** Load tests: load in percent of the rated load. */
  loadPercent: z.number().nullable(),
  remark: z.string(),
  files: z.array(z.string()),
  byName: z.string(),
  createTime: z.string(),
})
export type LiftTest = z.infer<typeof liftTest>

export const listLiftTests = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/liftTest',
  summary: '升降机试验记录',
  needs: 'lifter.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional(), kind: several.optional() }),
  response: paged(liftTest).extend({
    /** Lifts in use whose drop test is overdue, due within a week, or was never entered. */
    due: z.object({ overdue: z.number().int(), soon: z.number().int(), never: z.number().int() }),
  }),
})
const mostFiles = 6
export const addLiftTest = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/liftTest',
  summary: '登记升降机试验',
  needs: 'device-admin.edit',
  query: ofProject,
  body: z.object({
    deviceId: ref('device'),
    kind: z.enum(['drop', 'load'], { error: '请选择试验类型' }),
    testedOn: day,
    result: z.enum(['pass', 'fail'], { error: '请选择试验结果' }),
    personName: filled(50, '试验负责人'),
    unitName: text(100, '试验单位').default(''),
    distanceMeters: nullable(z.number('制动距离应为数字').min(0, '制动距离不能小于 0').max(5, '制动距离不能超过 5 米')),
    loadPercent: nullable(z.number('载荷应为数字').min(1, '载荷应为 1-150 %').max(150, '载荷应为 1-150 %')),
    remark: text(300, '说明').default(''),
    files: z.array(text(400, '附件')).max(mostFiles, `附件最多 ${mostFiles} 个`).default([]),
  }),
  response: z.object({ id: z.string() }),
})
/** Voids a wrongly entered record with a reason; it stays visible. */
export const voidLiftTest = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/liftTest/:id',
  summary: '作废升降机试验记录',
  needs: 'device-admin.edit',
  params: z.object({ id: ref('liftTest') }),
  query: ofProject,
  body: z.object({ reason: text(200, '作废原因').min(2, '请填写作废原因（至少 2 个字）') }),
})
