import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { paged, pointsTo, ref, text } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'
import { exitReasonGiven } from '../labour/exits.ts'
import { batchResult, stayFields, stayRules } from '../labour/model.ts'
import { flowFilters, flowRow } from './flow-model.ts'
import { listWorkers, peopleQuery, peopleSorts } from './people.ts'

/** Entries and exits, with the previous or next project. */

export const listFlow = viewOf(listWorkers, {
  query: peopleQuery.extend({ ...flowFilters, view: z.literal('flow'), sort: peopleSorts.flow }),
  response: paged(flowRow),
})
export const flowList = listOf(listFlow, {
  feature: 'entryExit',
  columns: {
    flowDate: '时间',
    flowType: '类型',
    name: '姓名',
    corpCode: '单位',
    teamId: '班组',
    projectName: '项目',
    workType: '工种或岗位',
    other: '来处或去处',
    exitReason: '退场原因',
    source: '来源',
    stayDays: '在场天数',
  },
})

const days = z.coerce.number().int('天数为整数').min(7, '至少 7 天').max(180, '最多 180 天').default(30)
const inProject = z.object({ projectCode: pointsTo('project', text(64)).optional() })
/** Figures and bars: entries and exits counted as in the list. */
export const flowFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/flow/figures',
  summary: '流动人员概况',
  needs: 'personnel.view',
  query: inProject,
  response: z.object({
    cameThisMonth: z.number().int(),
    leftThisMonth: z.number().int(),
    onSite: z.number().int(),
    /** People with gate records at more than one project on one day, in the last thirty days. */
    crossing: z.number().int(),
    /** The last thirty days, ending today. */
    days: z.array(z.object({ day: z.string(), came: z.number().int(), left: z.number().int() })),
  }),
})
/**
 * Data of the flow chart for some days: how many people went from where to where. Places are projects, or teams of one project, and also
 * 首次登记 and 再次进场 on the left and exit reasons on the right.
 */
export const flowMoves = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/flow/moves',
  summary: '人员流向',
  needs: 'personnel.view',
  query: inProject.extend({ by: z.enum(['project', 'team']).default('project'), days }),
  response: z.object({
    from: z.string(),
    edges: z.array(
      z.object({
        fromKind: z.enum(['new', 'again', 'place']),
        from: z.string(),
        fromName: z.string(),
        toKind: z.enum(['place', 'left']),
        to: z.string(),
        toName: z.string(),
        count: z.number().int(),
      }),
    ),
  }),
})
/** People with gate records at several projects on one day: legitimately, or because somebody else used their identity. */
export const crossSite = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/flow/cross',
  summary: '同日多项目人员',
  needs: 'personnel.view',
  answers: 'list',
  query: inProject,
  response: z.object({
    list: z.array(
      z.object({
        workerId: z.string(),
        name: z.string(),
        day: z.string(),
        places: z.array(
          z.object({ projectCode: z.string(), projectName: z.string(), firstIn: z.string().nullable(), lastOut: z.string().nullable() }),
        ),
      }),
    ),
    total: z.number().int(),
  }),
})

/**
 * 授权到项目: registers people of the caller's group at another of its projects as 0 预登记. With `transfer` their current stays end at the same
 * time; otherwise both stay open. Person, certificates and consent are reused; contract and entry training must be done for the new site.
 */
export const grantWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/project/grant',
  summary: '工人项目授权',
  needs: 'personnel.grant',
  acts: 'own',
  body: z
    .object({
      workerIds: z.array(ref('worker')).min(1, '请选择人员').max(200, '一次最多 200 人'),
      projectCode: ref('project'),
      corpCode: stayFields.corpCode,
      teamId: stayFields.teamId,
      workRole: stayFields.workRole,
      /** Omitted: each person keeps the trade of the current stay. */
      workType: stayFields.workType,
      post: stayFields.post,
      /** Omitted: each person keeps that of the current stay. */
      paymentType: stayFields.paymentType,
      hasBuyInsurance: stayFields.hasBuyInsurance,
      transfer: z.boolean().default(false),
      exitReason: exitReasonGiven.default('9'),
    })
    .superRefine((b, context) => stayRules({ ...b, workType: b.workType ?? 'same', isTeamLeader: false }, context)),
  response: batchResult,
})
