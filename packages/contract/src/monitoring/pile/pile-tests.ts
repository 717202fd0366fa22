import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { day, dayRange, filled, nullable, numericRange, ofProject, paged, pageQuery, ref, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch } from '../../telemetry/model.ts'
import { pileKindKeys } from './pile-kinds.ts'

/** Laboratory tests of finished piles: low strain, or static load with twice the working load. */

export const pileTestKinds = { lowStrain: '低应变', staticLoad: '静载' } as const
/** Integrity classes of a low strain test (JGJ 106-2014, 3.5.1). */
export const integrity = { sound: '1', slight: '2', marked: '3', severe: '4' } as const
export const integrityNames = { '1': 'Ⅰ类', '2': 'Ⅱ类', '3': 'Ⅲ类', '4': 'Ⅳ类' } as const
const loadStep = z.tuple([z.number({ error: '荷载应为数字' }).min(0).max(100_000), z.number({ error: '沉降应为数字' }).min(0).max(500)])
export const pileTest = z.object({
  id: z.string(),
  kind: z.enum(['lowStrain', 'staticLoad']),
  testedOn: z.string(),
  integrity: z.enum(['1', '2', '3', '4']).nullable(),
  waveSpeed: z.number().nullable(),
  maxLoad: z.number().nullable(),
  settlement: z.number().nullable(),
  steps: z.array(z.tuple([z.number(), z.number()])),
  isPassed: z.boolean().nullable(),
  tester: z.string(),
  report: z.string().nullable(),
  note: z.string().nullable(),
  createBy: z.string(),
  createTime: epoch,
})
export type PileTest = z.infer<typeof pileTest>

/** Tests of a site's piles, newest first. */
export const listPileTests = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pileTest',
  summary: '桩检测记录',
  needs: 'foundation-pile.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    kind: z.enum(['lowStrain', 'staticLoad']).default('staticLoad'),
    pileNo: text(40).optional(),
    testedOn: dayRange.optional(),
    settlement: numericRange.optional(),
    isPassed: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
    sort: sortBy('testedOn', 'settlement', 'maxLoad'),
  }),
  response: paged(
    pileTest.extend({
      pileId: z.string(),
      pileNo: z.string(),
      pileKind: z.enum(pileKindKeys),
      projectCode: z.string(),
      projectName: z.string(),
    }),
  ),
})
export const pileTestList = listOf(listPileTests, {
  feature: 'pileTest',
  columns: {
    projectName: '项目',
    pileNo: '桩号',
    pileKind: '桩型',
    testedOn: '检测日期',
    maxLoad: '最大荷载（kN）',
    settlement: '最大沉降（mm）',
    isPassed: '承载力',
    tester: '检测单位',
    report: '报告编号',
    note: '说明',
  },
})

const maxSteps = 40
export const addPileTest = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pile/:id/test',
  summary: '录入桩检测结果',
  needs: 'foundation-pile.edit',
  params: z.object({ id: ref('pile') }),
  query: ofProject,
  body: z
    .object({
      kind: z.enum(['lowStrain', 'staticLoad'], { error: '检测方法应为低应变或静载' }),
      testedOn: day,
      integrity: nullable(z.enum(['1', '2', '3', '4'], { error: '桩身完整性应为 Ⅰ 至 Ⅳ 类' })),
      waveSpeed: nullable(
        z
          .number({ error: '波速应为数字' })
          .int('波速应为整数')
          .min(1000, '波速应在 1000 到 8000 m/s 之间')
          .max(8000, '波速应在 1000 到 8000 m/s 之间'),
      ),
      /** Load in kN and settlement in mm per step. */
      steps: z.array(loadStep).max(maxSteps, `最多 ${maxSteps} 级荷载`).default([]),
      isPassed: nullable(z.boolean()),
      tester: filled(60, '检测单位'),
      report: nullable(text(60, '报告编号')),
      note: nullable(text(200, '说明')),
    })
    .superRefine((body, ctx) => {
      const wrong = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
      if (body.kind === 'lowStrain' && body.integrity === null) wrong('integrity', '请选择桩身完整性类别')
      if (body.kind === 'lowStrain') return
      if (body.steps.length < 3) wrong('steps', '静载至少填写三级荷载与沉降')
      if (body.steps.some(([load], i) => i > 0 && load <= (body.steps[i - 1]?.[0] ?? 0))) wrong('steps', '荷载应逐级增大')
      if (body.isPassed === null) wrong('isPassed', '请选择承载力是否满足')
    }),
  response: z.object({ id: z.string() }),
})
