import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'

/** Dictionary auditStatus: an application for apps is waiting, approved or refused. */
export const applyStates = { waiting: '0', passed: '1', refused: '2' } as const
/** Maximum number of apps in one application: it has one reason for all of them. */
export const mostRequested = 20

export const appApply = z.object({
  id: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  groupType: z.number().int(),
  projectCode: z.string().nullable(),
  apps: z.array(z.object({ id: z.string(), name: z.string() })),
  deadline: z.string().nullable(),
  reason: z.string(),
  state: z.string(),
  stateName: z.string().nullable(),
  opinion: z.string().nullable(),
  filedName: z.string(),
  createTime: z.string(),
  decidedName: z.string().nullable(),
  decideTime: z.string().nullable(),
  mayDecide: z.boolean(),
  mayWithdraw: z.boolean(),
  version: z.number().int(),
})
export type AppApply = z.infer<typeof appApply>

const path = '/api/v1/oa/process/appApply'
/** Applications of the caller's own group; for the platform those of all groups. The oldest waiting application comes first. */
export const listAppApplies = endpoint({
  method: 'GET',
  path,
  summary: '应用申请',
  needs: 'app.view',
  answers: 'list',
  query: ofProject.extend({ ...pageQuery.shape, appId: ref('app').optional(), state: several.optional() }),
  response: paged(appApply).extend({ waiting: z.number().int() }),
})
/** Applies for the caller's own group: for new apps, or for a later end. */
export const applyForApps = endpoint({
  method: 'POST',
  path,
  summary: '申请应用',
  needs: 'app.request',
  acts: 'aside',
  groupTypes: [1, 2, 3],
  query: ofProject,
  body: z.object({
    groupId: ref('group').optional(),
    appIds: z.array(ref('app')).min(1, '请选择应用').max(mostRequested, `一次最多 ${mostRequested} 个应用`),
    deadline: nullable(day),
    reason: filled(200, '申请原因').min(5, '申请原因至少 5 个字'),
  }),
  response: z.object({ id: z.string(), code: z.string() }),
})
/**
 * `pass` grants the apps in the same transaction, until the requested day or the one that the decider sets; `withdraw` is for the
 * applicant's group.
 */
export const decideAppApply = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理应用申请',
  needs: ['grant.create', 'app.request'],
  acts: 'aside',
  params: z.object({ id: ref('appApply') }),
  query: ofProject,
  body: z
    .object({
      action: z.enum(['pass', 'reject', 'withdraw'], { error: '请选择同意、驳回或撤回' }),
      opinion: text(200, '意见').default(''),
      deadline: day.optional(),
      version: z.number().int(),
    })
    .refine((b) => b.action !== 'reject' || b.opinion.length >= 2, { path: ['opinion'], message: '请填写驳回原因（至少 2 个字）' }),
})
