import { z } from 'zod'
import { drawFile, witnesses } from '../draw/file.ts'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, flag, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { applyFields, assessorField, buildFields, fireMoves, partFields, singleMoves } from './moves.ts'
import { placeRule } from './place-rules.ts'

const path = '/api/v1/oa/process/fireAssess'
const view = 'fire-acceptance.view'

export const fireRow = z.object({
  id: z.string(),
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  corpCode: z.string(),
  kind: z.string(),
  kindName: z.string(),
  applyType: z.string(),
  applyTypeName: z.string(),
  applyCorp: z.string(),
  builds: z.number().int(),
  firePlaces: z.array(z.string()),
  firePlaceNames: z.array(z.string()),
  special: z.boolean(),
  submitTime: z.string().nullable(),
  acceptTime: z.string().nullable(),
  dueDate: z.string().nullable(),
  /** Working days to the deadline, negative when it is over; null when it does not run. */
  daysLeft: z.number().int().nullable(),
  /** The applicant repairs papers, and the deadline stands still. */
  paused: z.boolean(),
  pausedDays: z.number().int(),
  assessDate: z.string().nullable(),
  assessors: z.array(z.string()),
  inRandom: z.boolean().nullable(),
  /** Null where it is not the caller's to know. */
  subsDone: z.number().int().nullable(),
  subsTotal: z.number().int().nullable(),
  finishDate: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type FireRow = z.output<typeof fireRow>

export const fireTabs = { accept: '待受理', running: '评定中', recheck: '待复评', done: '已办结', mine: '我的' } as const
type FireTab = keyof typeof fireTabs
const filters = {
  tab: z.enum(Object.keys(fireTabs) as [FireTab, ...FireTab[]]).optional(),
  code: text(50).optional(),
  projectName: text(50).optional(),
  areaCode: several.optional(),
  kind: several.optional(),
  applyType: several.optional(),
  applyCorp: text(50).optional(),
  firePlaces: several.optional(),
  acceptTime: dayRange.optional(),
  finishDate: dayRange.optional(),
  /** 临近时限, 超期. */
  deadline: z.enum(['near', 'late']).optional(),
  /** Accepted (or drawn), and nobody is named yet. */
  unassigned: flag.optional(),
  /** Passed in the first round. */
  firstPassed: flag.optional(),
  /** The day on which the opinion of the first round was signed. */
  firstTime: dayRange.optional(),
  /** 备案 that waits for the draw. */
  undrawn: flag.optional(),
  assessor: text(50).optional(),
  state: several.optional(),
}
const sorts = ['dueDate', 'code', 'acceptTime', 'submitTime', 'finishDate'] as const
const counts = z.object({
  waiting: z.number().int(),
  unassigned: z.number().int(),
  running: z.number().int(),
  late: z.number().int(),
})
export const listFire = endpoint({
  method: 'GET',
  path,
  summary: '消防现场评定列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, ...filters, sort: sortBy(...sorts) }),
  response: paged(fireRow).extend({ counts }),
})
export const fireList = listOf(listFire, {
  feature: 'fireAssess',
  columns: {
    code: '受理编号',
    projectName: '项目',
    areaName: '区域',
    kind: '业务类型',
    applyType: '申请类别',
    applyCorp: '申请单位',
    builds: '单体数',
    firePlaces: '重点场所',
    acceptTime: '受理时间',
    dueDate: '办理时限',
    daysLeft: '剩余工作日',
    pausedDays: '补正停计（工作日）',
    assessors: '评定人员',
    subsDone: '已评子项',
    subsTotal: '子项数',
    finishDate: '办结日期',
    state: '状态',
  },
})

const judgement = z.object({ verdict: z.string(), line: z.string(), causes: z.array(z.string()), complete: z.boolean() })
const buildRow = buildFields.extend({
  id: z.string(),
  places: z.array(z.string()),
  placeNames: z.array(z.string()),
  projects: z.array(z.string()),
  /** Running verdict of the round, by project; null where it is not the caller's to know. */
  judged: judgement
    .extend({
      subsDone: z.number().int(),
      subsTotal: z.number().int(),
      projects: z.array(judgement.extend({ code: z.string(), name: z.string() })),
    })
    .nullable(),
})
export type FireBuild = z.output<typeof buildRow>
const problem = z.object({
  pointId: z.string(),
  round: z.number().int(),
  buildId: z.string(),
  buildName: z.string(),
  itemCode: z.string(),
  itemName: z.string(),
  subCode: z.string(),
  subName: z.string(),
  level: z.string(),
  checkPart: z.string(),
  description: z.string(),
  photos: z.array(z.string()),
  /** Its sub-item failed: a 复评 looks at it. */
  failing: z.boolean(),
  proof: z.object({ note: z.string(), files: z.array(z.string()), at: z.string() }).nullable(),
})
const round = z.object({
  round: z.number().int(),
  verdict: z.string(),
  verdictName: z.string(),
  line: z.string(),
  causes: z.array(z.string()),
  opinion: z.string().nullable(),
  remark: z.string().nullable(),
  submittedAt: z.string().nullable(),
  issuedAt: z.string().nullable(),
  issuedBy: z.string().nullable(),
  docNo: z.string().nullable(),
})
const detail = fireRow.extend({
  contact: z.string(),
  /** Masked for everybody but the applicant and the authority. */
  tel: z.string(),
  isPart: z.boolean(),
  designReviewNo: z.string().nullable(),
  designReviewDate: z.string().nullable(),
  licenseNo: z.string(),
  noAcceptReason: z.string().nullable(),
  noAcceptName: z.string().nullable(),
  noAcceptNote: z.string().nullable(),
  /** The version of the catalogue it began with. */
  catalogue: z.string(),
  authorityName: z.string().nullable(),
  round: z.number().int(),
  submitted: z.boolean(),
  team: z.array(assessorField.extend({ unit: z.string().nullable() })),
  buildRows: z.array(buildRow),
  parts: z.array(partFields),
  materials: z.array(z.string()),
  pauses: z.array(z.object({ from: z.string(), to: z.string().nullable(), reason: z.string() })),
  problems: z.array(problem),
  rounds: z.array(round),
  drawing: z
    .object({
      id: z.string(),
      ratio: z.number(),
      candidates: z.number().int(),
      drawn: z.number().int(),
      listHash: z.string(),
      drawnAt: z.string(),
      drawnName: z.string(),
    })
    .nullable(),
  /** May write points now. */
  mine: z.boolean(),
  /** Whose view: the applicant sees findings only when they are signed. */
  internal: z.boolean(),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
})
export type FireDetail = z.output<typeof detail>

const id = z.object({ id: ref('fireCase') })
const newId = z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')
const made = z.object({ id: z.string(), version: z.number().int(), state: z.string() })

export const getFire = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '消防现场评定详情',
  needs: view,
  params: id,
  query: ofProject,
  response: detail,
})

/** Projects of the applicant with their units, kinds of place, and the officers and experts of the authority. */
export const fireSetup = endpoint({
  method: 'GET',
  path: `${path}/setup`,
  summary: '消防验收申请与派组可选项',
  needs: ['fire-acceptance.apply', 'fire-acceptance.assign'],
  answers: 'object',
  groupTypes: [0, 1, 2],
  query: ofProject.extend({ caseId: ref('fireCase').optional() }),
  response: z.object({
    projects: z.array(z.object({ code: z.string(), name: z.string() })),
    licenseNo: z.string().nullable(),
    units: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        structureType: z.string().nullable(),
        area: z.number().nullable(),
        height: z.number().nullable(),
        floorsUp: z.number().int().nullable(),
        floorsDown: z.number().int().nullable(),
      }),
    ),
    /** Kinds of place in force at the authority of the project. */
    rules: z.array(placeRule),
    people: z.array(
      z.object({
        userId: z.string().nullable(),
        expertId: z.string().nullable(),
        name: z.string(),
        unit: z.string(),
        /** Why it cannot be assigned; null: it can. */
        recused: z.string().nullable(),
        /** Open cases. */
        load: z.number().int(),
      }),
    ),
  }),
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createFire = endpoint({
  method: 'POST',
  path,
  summary: '新建消防验收申请',
  needs: fireMoves.submit.needs,
  groupTypes: [2],
  query: ofProject,
  largeBody: 'every building of an application',
  body: z.object({ id: pointsTo('fireCase', newId), action: z.enum(['save', 'submit']), ...applyFields }),
  response: made,
})
export const changeFire = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理消防验收',
  description: '按 action 办理；version 为读取时的版本。结论由要点推定，不能填写。',
  needs: codesOfMoves(fireMoves),
  acts: 'site',
  actions: rightsOfMoves(singleMoves),
  largeBody: 'every building of an application, or the proof of every failed point',
  params: id,
  query: ofProject,
  body: moveBody(singleMoves, {}),
  response: made,
})
export const removeFire = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除消防验收草稿',
  needs: fireMoves.save.needs,
  params: id,
  query: ofProject,
})

const mostAtOnce = 100
const several_ = z
  .array(z.object({ id: ref('fireCase'), version: z.number().int() }))
  .min(1, '请选择申请')
  .max(mostAtOnce, `一次最多 ${mostAtOnce} 件`)
export const acceptFires = endpoint({
  method: 'POST',
  path: `${path}/accept`,
  summary: '批量受理',
  needs: fireMoves.accept.needs,
  groupTypes: [1],
  query: ofProject,
  body: z.object({ cases: several_ }),
  response: z.object({ accepted: z.number().int() }),
})
/** Draws among accepted 备案; the list, the seed and the result are kept and can be repeated by anybody. */
export const drawFires = endpoint({
  method: 'POST',
  path: `${path}/draw`,
  summary: '备案随机抽取',
  needs: fireMoves.draw.needs,
  groupTypes: [1],
  query: ofProject,
  body: z.object({
    id: pointsTo('fireDraw', newId),
    cases: several_,
    /** Percent. */
    ratio: z.number({ error: '请填写抽取比例' }).min(1, '比例至少 1%').max(100, '比例最多 100%'),
    witnesses,
  }),
  response: z.object({ id: z.string(), drawn: z.number().int(), left: z.number().int() }),
})
export const verifyFireDraw = endpoint({
  method: 'GET',
  path: `${path}/draw/:id`,
  summary: '备案抽取的名单、种子与复核',
  needs: view,
  groupTypes: [0, 1],
  params: z.object({ id: ref('fireDraw') }),
  query: ofProject,
  response: z.object({ file: drawFile, agrees: z.boolean(), chain: z.object({ entries: z.number().int(), sound: z.boolean() }) }),
})

/** The opinion of a case, and the check tables of a building or empty ones. */
export const firePaper = z.object({ id: ref('fireCase') })
export const fireTables = z.object({ id: ref('fireCase').optional(), table: filled(4, '检查表').optional() })
