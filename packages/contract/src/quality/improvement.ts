import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { causeGroups, improvementFields, improvementMoves } from './improvement-moves.ts'

const path = '/api/v1/oa/process/qualityImprovement'
const view = 'inspection.view'

export const improvementRow = z.object({
  id: z.string(),
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  title: z.string(),
  qualityProblem: z.string(),
  qualityProblemName: z.string(),
  /** Kind of source of its findings. */
  source: z.string(),
  sourceName: z.string(),
  /** Parts of its findings. */
  parts: z.array(z.string()),
  findingCount: z.number().int(),
  causes: z.array(z.enum(causeGroups)),
  corpCode: z.string(),
  corpName: z.string(),
  deadline: z.string(),
  /** Days past the deadline; 0 when on time or finished. */
  overdueDays: z.number().int(),
  recheckAfter: z.string(),
  /** The same defect of the same company in 60 days after closing; null before. */
  recurrence: z.number().int().nullable(),
  verdict: z.enum(['effective', 'ineffective']).nullable(),
  authorGroupName: z.string(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type ImprovementRow = z.output<typeof improvementRow>

/** A finding, as its source tells it or as it was picked. */
export const qualityFinding = z.object({
  kind: z.string(),
  kindName: z.string(),
  id: z.string(),
  /** Number of the record it is in, and the page that shows it. */
  code: z.string().nullable(),
  page: z.string(),
  part: z.string(),
  text: z.string(),
  measured: z.string().nullable(),
  at: z.string(),
  photos: z.array(z.string()),
})
export type QualityFinding = z.output<typeof qualityFinding>

const again = z.object({
  id: z.string(),
  checkId: z.string(),
  checkCode: z.string().nullable(),
  checkTime: z.string(),
  part: z.string(),
  description: z.string(),
})

const improvementDetail = improvementRow.extend({
  findings: z.array(qualityFinding),
  causeTexts: z.array(z.object({ group: z.enum(causeGroups), text: z.string() })),
  whys: z.array(z.string()),
  lines: z.array(z.object({ part: z.string(), text: z.string(), person: z.string().nullable() })),
  prevention: z.string(),
  targetRate: z.number().int().nullable(),
  /** The notice by which it is mended; null for a draft. */
  noticeId: z.string().nullable(),
  closeTime: z.string().nullable(),
  verdictOpinion: z.string().nullable(),
  verdictBy: z.string().nullable(),
  verdictAt: z.string().nullable(),
  /** It can be verified from this day on and has not been: days until then, below 0 when late. */
  verifyInDays: z.number().int().nullable(),
  /** The improvement before that did not work, and the one after this. */
  follows: z.object({ id: z.string(), code: z.string().nullable() }).nullable(),
  followedBy: z.object({ id: z.string(), code: z.string().nullable() }).nullable(),
  /** Findings of this defect and company in each week from eight weeks before it was issued; `week` is its Monday. */
  weeks: z.array(z.object({ week: z.string(), count: z.number().int() })),
  startDate: z.string(),
  recurrences: z.array(again),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type ImprovementDetail = z.output<typeof improvementDetail>

export const improvementTabs = ['running', 'effective', 'again', 'verify', 'todo'] as const

export const listImprovements = endpoint({
  method: 'GET',
  path,
  summary: '质量改进列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    /** `again`: the defect came again; `verify`: closed, not judged; `todo`: waits for the caller. */
    tab: z.enum(improvementTabs).optional(),
    code: text(50).optional(),
    title: text(50).optional(),
    qualityProblem: several.optional(),
    source: several.optional(),
    part: text(50).optional(),
    cause: several.optional(),
    corpName: text(50).optional(),
    deadline: dayRange.optional(),
    recurrence: numericRange.optional(),
    overdue: flag.optional(),
    state: several.optional(),
    sort: sortBy('overdueDays', 'deadline', 'recurrence', 'recheckAfter'),
  }),
  response: paged(improvementRow).extend({
    counts: z.object({
      running: z.number().int(),
      overdue: z.number().int(),
      effective: z.number().int(),
      again: z.number().int(),
      verify: z.number().int(),
      todo: z.number().int(),
    }),
    /** Kinds of sources that are known, for the filter. */
    sources: z.array(z.object({ value: z.string(), label: z.string() })),
  }),
})

export const improvementList = listOf(listImprovements, {
  feature: 'qualityImprovement',
  columns: {
    code: '编号',
    projectName: '项目',
    title: '名称',
    qualityProblem: '通病',
    source: '来源',
    parts: '涉及部位',
    findingCount: '问题数',
    causes: '原因',
    corpName: '责任单位',
    deadline: '期限',
    overdueDays: '逾期天数',
    recheckAfter: '验证日期',
    recurrence: '复发次数',
    state: '状态',
  },
})

/** Sites and defects: how often each was found in 90 days, and how many improvements run against it. */
export const improvementMatrix = endpoint({
  method: 'GET',
  path: `${path}/matrix`,
  summary: '质量通病与项目矩阵',
  needs: view,
  answers: 'object',
  query: ofProject,
  response: z.object({
    problems: z.array(z.object({ code: z.string(), name: z.string() })),
    sites: z.array(
      z.object({
        projectCode: z.string(),
        projectName: z.string(),
        cells: z.array(z.object({ problem: z.string(), found: z.number().int(), running: z.number().int() })),
      }),
    ),
  }),
})

/** Findings of a site that can be picked, by defect and company: the most frequent first. */
export const improvementFindings = endpoint({
  method: 'GET',
  path: `${path}/findings`,
  summary: '可纳入改进的质量问题',
  needs: improvementMoves.issue.needs,
  answers: 'object',
  query: ofProject,
  response: z.object({
    series: z.array(
      z.object({
        qualityProblem: z.string(),
        qualityProblemName: z.string(),
        corpCode: z.string(),
        corpName: z.string(),
        findings: z.array(qualityFinding),
      }),
    ),
  }),
})

const id = z.object({ id: ref('qualityImprovement') })

export const getImprovement = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '质量改进详情',
  needs: view,
  params: id,
  query: ofProject,
  response: improvementDetail,
})

const made = z.object({ id: z.string(), code: z.string().nullable(), version: z.number().int(), state: z.string() })

/** Creates a draft, or issues at once. The device names the id, so that a repeated request creates nothing more. */
export const createImprovement = endpoint({
  method: 'POST',
  path,
  summary: '新增质量改进',
  needs: improvementMoves.issue.needs,
  acts: 'review',
  groupTypes: [0, 2, 3],
  query: ofProject,
  body: z.object({
    id: pointsTo('qualityImprovement', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'issue']),
    ...improvementFields,
  }),
  response: made,
})

export const changeImprovement = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改质量改进',
  description: '按 action 办理：save、issue、effective、ineffective；签收、回复、复核、复查在其整改单上办理。version 为读取时的版本。',
  needs: codesOfMoves(improvementMoves),
  acts: 'review',
  actions: rightsOfMoves(improvementMoves),
  params: id,
  query: ofProject,
  body: moveBody(improvementMoves, {}),
  response: made,
})

export const removeImprovement = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除质量改进草稿',
  needs: improvementMoves.save.needs,
  acts: 'review',
  params: id,
  query: ofProject,
})
