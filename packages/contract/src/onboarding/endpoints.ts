import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, nullable, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { onboardingSteps, type StepState, stepKeys, stepStates, whole } from './steps.ts'

/**
 * Setup progress of sites: seven steps, derived from the data and never ticked by hand. Users only enter who is responsible for a step, and
 * why a step does not apply.
 */
const state = z.enum(Object.keys(stepStates) as [StepState, ...StepState[]])
const step = z.enum(stepKeys)

export const readinessRow = z.object({
  projectCode: z.string(),
  name: z.string(),
  cover: z.string().nullable(),
  prjStatus: z.string(),
  prjStatusName: z.string().nullable(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  address: z.string(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  contractorCorpName: z.string().nullable(),
  linkMan: z.string(),
  /** Masked. */
  linkPhone: z.string().nullable(),
  startDate: z.string().nullable(),
  onSite: z.number().int(),
  /** In whole percent. */
  readiness: z.number().int(),
  steps: z.array(z.object({ key: step, state })),
  /** The first open step; null when all are done. */
  stuck: step.nullable(),
  stuckDays: z.number().int().nullable(),
  /** The person responsible for the site's onboarding. */
  keeper: z.string().nullable(),
  starred: z.boolean(),
  enteredTime: z.string().nullable(),
})
export type ReadinessRow = z.output<typeof readinessRow>

export const listOnboarding = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/projectOnboarding',
  summary: '项目就绪度列表',
  needs: 'projectNav.view',
  answers: 'list',
  query: pageQuery.extend(ofProject.shape).extend({
    /** Part of the name, or its pinyin initials. */
    name: text(50).optional(),
    areaCode: several.optional(),
    prjStatus: several.optional(),
    readiness: numericRange.optional(),
    stuck: several.optional(),
    startDate: dayRange.optional(),
    keeper: text(50).optional(),
    /** All steps done; at one step for more than `stuckDays`; opened this month; marked by the caller. */
    chip: z.enum(['ready', 'long', 'new', 'starred']).optional(),
    sort: sortBy('readiness', 'name', 'startDate', 'stuckDays', 'onSite'),
  }),
  response: paged(readinessRow).extend({
    figures: z.object({ total: z.number().int(), ready: z.number().int(), long: z.number().int(), fresh: z.number().int() }),
  }),
})
export type OnboardingQuery = NonNullable<(typeof listOnboarding)['types']>['parsed']['query']

export const onboardingList = listOf(listOnboarding, {
  feature: 'projectOnboarding',
  columns: {
    name: '项目名称',
    projectCode: '项目编码',
    readiness: '就绪度 %',
    ...onboardingSteps,
    stuck: '卡在步骤',
    stuckDays: '停留天数',
    keeper: '开通负责人',
    prjStatus: '状态',
    areaCode: '所在地',
    contractorCorpName: '总承包',
    linkMan: '负责人',
    onSite: '在场',
    startDate: '开工',
  },
})

const check = z.object({
  title: z.string(),
  ok: z.boolean(),
  /** What the data shows now. */
  evidence: z.string(),
  /** Why the step is not done, as displayed; empty when it is done. */
  cause: z.string(),
  /** The page for the correction; null when nothing is to be corrected or the caller may not. */
  mend: z.object({ path: z.string(), title: z.string() }).nullable(),
})
export type OnboardingCheck = z.output<typeof check>
const said = z.object({
  assigneeId: z.string().nullable(),
  assigneeName: z.string().nullable(),
  dueDay: z.string().nullable(),
  note: z.string(),
  notNeeded: z.string().nullable(),
  updateBy: z.string().nullable(),
  updateTime: z.string().nullable(),
  version: z.number().int(),
})

export const getOnboarding = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/projectOnboarding/:id',
  summary: '项目就绪度详情',
  needs: 'projectNav.view',
  /** The project's code. */
  params: z.object({ id: ref('project') }),
  query: ofProject,
  response: readinessRow.extend({
    whole: said,
    details: z.array(said.extend({ key: step, state, since: z.string().nullable(), checks: z.array(check) })),
    parties: z.array(
      z.object({
        corpType: z.string(),
        title: z.string(),
        corpName: z.string().nullable(),
        manager: z.string().nullable(),
        phone: z.string().nullable(),
      }),
    ),
    /** Codes of the apps that the site may use now. */
    apps: z.array(z.object({ code: z.string(), name: z.string(), icon: z.string() })),
    /** People to whom a step may be assigned; only for callers who may assign it. */
    people: z.array(z.object({ id: z.string(), name: z.string(), groupName: z.string() })),
    checkedTime: z.string(),
  }),
})

/**
 * The unmasked phone number of a site's contact. Requested one at a time, by callers who see the whole site and may see numbers, and
 * logged.
 */
export const callContact = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/projectOnboarding/:id/contact',
  summary: '查看项目联系电话',
  needs: 'personnel.unmask',
  perMinute: 20,
  /** The project's code. */
  params: z.object({ id: ref('project') }),
  query: ofProject,
  response: z.object({ linkMan: z.string(), phone: z.string().nullable() }),
})

const version = z.number().int()
export const changeOnboarding = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/projectOnboarding/:id',
  summary: '登记项目入驻进度',
  needs: 'projectNav.onboard',
  /** A step, or `whole` for the whole site. */
  params: z.object({ id: z.enum([...stepKeys, whole]) }),
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('assign'),
      assigneeId: nullable(ref('user')),
      dueDay: nullable(day),
      note: text(200, '备注').default(''),
      version,
    }),
    z.object({ action: z.literal('off'), reason: filled(200, '不适用的原因'), version }),
    z.object({ action: z.literal('on'), version }),
    /** Sends the list of missing items to the administrators of the site. */
    z.object({ action: z.literal('send') }),
  ]),
  response: z.object({ told: z.number().int() }),
})
