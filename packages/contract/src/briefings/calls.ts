import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, flag, nullable, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { type Doubt, doubts } from './doubts.ts'
import { gangFields, gangMoves, managerFields, managerMoves } from './moves.ts'

const gangPath = '/api/v1/oa/process/safetyPTechnical'
const managerPath = '/api/v1/oa/process/technical'
const view = 'safety-management.view'
const doubt = z.enum(Object.keys(doubts) as [Doubt, ...Doubt[]])

export const briefingRow = z.object({
  id: z.string(),
  type: z.enum(['safetyPTechnical', 'technical']),
  /** Null for a draft. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  name: z.string(),
  /** Of a briefing of managers. */
  kind: z.string().nullable(),
  kindName: z.string().nullable(),
  /** Of a briefing of a gang; dictionary workerType. */
  workType: z.string().nullable(),
  workTypeName: z.string().nullable(),
  part: z.string(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  discloser: z.string(),
  date: z.string(),
  bigProjectId: z.string().nullable(),
  bigProjectName: z.string().nullable(),
  /** Receivers who signed, by hand or on paper. */
  signed: z.number().int(),
  total: z.number().int(),
  /** Receivers whose absence was given a reason. */
  excused: z.number().int(),
  doubts: z.array(doubt),
  /** Signing began after the day of the briefing. */
  late: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type BriefingRow = z.output<typeof briefingRow>

const filters = {
  tab: z.enum(['todo', 'open', 'month', 'draft']).optional(),
  name: text(50).optional(),
  part: text(50).optional(),
  discloser: text(50).optional(),
  date: dayRange.optional(),
  /** Percent of the receivers who signed. */
  signed: numericRange.optional(),
  bigProjectId: pointsTo('bigproject', text(64)).optional(),
  /** About a dangerous work, or not. */
  dangerous: flag.optional(),
  doubtful: flag.optional(),
  state: several.optional(),
}
const gangFilters = { ...filters, workType: several.optional(), team: pointsTo('team', several).optional() }
const managerFilters = { ...filters, kind: several.optional() }
const sorts = ['date', 'signed', 'name'] as const

const gapRow = z.object({
  /** `kind` and `id` together. */
  key: z.string(),
  /** `work`: a dangerous work ready or running; `team`: a new gang. */
  kind: z.enum(['work', 'team']),
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpName: z.string(),
  name: z.string(),
  remark: z.string(),
  /** Planned or real beginning of the work, or entry of the gang. */
  since: z.string(),
  /** People of the gang on the site; null for a work. */
  people: z.number().int().nullable(),
  /** Begins within three days. */
  soon: z.boolean(),
  /** When the site was last told to make up for it. */
  remindedAt: z.string().nullable(),
})
export type BriefingGap = z.output<typeof gapRow>

const unbriefedRow = z.object({
  /** Id of the stay. */
  id: z.string(),
  workerId: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  name: z.string(),
  workTypeName: z.string(),
  corpName: z.string(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  entryTime: z.string(),
  /** Came today. */
  present: z.boolean(),
  /** Named in a briefing for his trade that he has not signed. */
  waiting: z.boolean(),
})
export type Unbriefed = z.output<typeof unbriefedRow>

const counts = z.object({
  todo: z.number().int(),
  open: z.number().int(),
  month: z.number().int(),
  /** People who signed a briefing this month. */
  covered: z.number().int(),
  doubtful: z.number().int(),
  gaps: z.number().int(),
  soon: z.number().int(),
  unbriefed: z.number().int(),
  /** Of them, those who entered this week. */
  fresh: z.number().int(),
})

const listQuery = pageQuery.extend({ ...ofProject.shape, ...gangFilters, sort: sortBy(...sorts) })
const gapQuery = { name: text(50).optional(), kind: several.optional(), soon: flag.optional(), sort: sortBy('since') }
const peopleQuery = {
  name: text(50).optional(),
  workType: several.optional(),
  team: pointsTo('team', several).optional(),
  fresh: flag.optional(),
  present: flag.optional(),
  sort: sortBy('entryTime', 'name'),
}
const listAnswer = paged(briefingRow).extend({ counts })

/** Briefings of gangs; with `view=gap` what has none, with `view=people` who has none for his trade. */
export const gangBriefings = endpoint({
  method: 'GET',
  path: gangPath,
  summary: '安全技术交底列表',
  description: 'view=gap：应交底未交底的危大工程与新班组；view=people：本工种未交底的在场人员。',
  needs: view,
  answers: 'list',
  query: listQuery.extend({
    view: z.enum(['gap', 'people']).optional(),
    kind: gapQuery.kind,
    soon: flag.optional(),
    fresh: flag.optional(),
    present: flag.optional(),
    sort: sortBy(...sorts, 'since', 'entryTime'),
  }),
  response: z.union([listAnswer, paged(gapRow), paged(unbriefedRow)]),
})
export const listGangBriefings = viewOf(gangBriefings, { query: listQuery, response: listAnswer })
export const briefingGaps = viewOf(gangBriefings, {
  query: pageQuery.extend({ ...ofProject.shape, ...gapQuery, view: z.literal('gap') }),
  response: paged(gapRow),
})
export const unbriefedPeople = viewOf(gangBriefings, {
  query: pageQuery.extend({ ...ofProject.shape, ...peopleQuery, view: z.literal('people') }),
  response: paged(unbriefedRow),
})

const columns = {
  code: '编号',
  projectName: '项目',
  name: '交底名称',
  part: '部位',
  discloser: '交底人',
  date: '交底日期',
  signed: '签字',
  bigProjectName: '危大工程',
  doubts: '存疑',
  state: '状态',
} as const

export const gangBriefingList = listOf(listGangBriefings, {
  feature: 'safetyPTechnical',
  columns: { ...columns, workType: '工种', teamName: '班组', corpName: '单位' },
})
export const gapList = listOf(briefingGaps, {
  feature: 'briefingGap',
  columns: {
    kind: '类别',
    name: '名称',
    projectName: '项目',
    corpName: '单位',
    remark: '说明',
    since: '开工或进场',
    people: '在场人数',
    remindedAt: '最近督促',
  },
})
export const unbriefedList = listOf(unbriefedPeople, {
  feature: 'briefingPeople',
  columns: {
    name: '姓名',
    workType: '工种',
    teamName: '班组',
    corpName: '单位',
    projectName: '项目',
    entryTime: '进场日期',
    present: '今日在场',
    waiting: '待补签',
  },
})

/** Briefings of managers about plans and supervision. */
export const listManagerBriefings = endpoint({
  method: 'GET',
  path: managerPath,
  summary: '方案与监督交底列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, ...managerFilters, sort: sortBy(...sorts) }),
  response: listAnswer,
})
export const managerBriefingList = listOf(listManagerBriefings, { feature: 'technical', columns: { ...columns, kind: '类型' } })

const receiver = z.object({
  /** Also the name of its seat. */
  id: z.string(),
  stayId: z.string(),
  name: z.string(),
  unit: z.string(),
  /** Trade or post. */
  role: z.string(),
  /** `waiting`: may still sign; `gone`: has left the site without a signature; `excused`: absent for a reason. */
  state: z.enum(['signed', 'paper', 'waiting', 'excused', 'gone']),
  reason: z.string().nullable(),
  signedAt: z.string().nullable(),
  /** Came on the day of the signature; null where no gate says. */
  onSite: z.boolean().nullable(),
  /** Came today. */
  presentToday: z.boolean(),
})
export type BriefingReceiver = z.output<typeof receiver>

const measure = z.object({ id: z.string(), name: z.string(), hazardName: z.string(), content: z.string() })
const work = z.object({
  id: z.string(),
  name: z.string(),
  part: z.string(),
  category: z.string(),
  stateName: z.string(),
  planName: z.string().nullable(),
  /** Why it cannot be briefed yet; null: it can. */
  hindrance: z.string().nullable(),
})

const briefingDetail = briefingRow.extend({
  content: z.string(),
  files: z.array(z.string()),
  /** Scans of sheets signed on paper. */
  scans: z.array(z.string()),
  witness: z.string().nullable(),
  measures: z.array(measure.omit({ content: true })),
  work: work.nullable(),
  receivers: z.array(receiver),
  /** SHA-256 of what is signed. */
  digest: z.string(),
  /** Valid signatures: what a change of the content makes void. */
  signatureCount: z.number().int(),
  replaces: z.object({ id: z.string(), code: z.string().nullable() }).nullable(),
  replacedBy: z.object({ id: z.string(), code: z.string().nullable() }).nullable(),
  /** The records before and after it in time. */
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
})
export type BriefingDetail = z.output<typeof briefingDetail>

const id = z.object({ id: ref('briefing') })
const one = { needs: view, params: id, query: ofProject, response: briefingDetail } as const
const made = z.object({ id: z.string(), code: z.string().nullable(), version: z.number().int(), state: z.string() })
const newId = pointsTo('briefing', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确'))
const start = { id: newId, action: z.enum(['save', 'begin']) }

export const getGangBriefing = endpoint({ method: 'GET', path: `${gangPath}/:id`, summary: '安全技术交底详情', ...one })
/** Creates a draft, or begins to collect signatures. The device names the id, so that a repeated request creates nothing more. */
export const createGangBriefing = endpoint({
  method: 'POST',
  path: gangPath,
  summary: '新建安全技术交底',
  needs: gangMoves.begin.needs,
  acts: 'own',
  query: ofProject,
  body: z.object({ ...start, ...gangFields }),
  response: made,
})
export const changeGangBriefing = endpoint({
  method: 'PUT',
  path: `${gangPath}/:id`,
  summary: '办理安全技术交底',
  description:
    '按 action 办理：save、begin、amend（voiding 为将失效的签名数）、add、excuse、scan、finish、archive、void、redo、comment、remind；version 为读取时的版本。',
  needs: codesOfMoves(gangMoves),
  acts: 'answer',
  actions: rightsOfMoves(gangMoves),
  params: id,
  query: ofProject,
  body: moveBody(gangMoves, {}),
  response: made,
})
export const removeGangBriefing = endpoint({
  method: 'DELETE',
  path: `${gangPath}/:id`,
  summary: '删除安全技术交底草稿',
  needs: gangMoves.save.needs,
  acts: 'own',
  params: id,
  query: ofProject,
})

export const getManagerBriefing = endpoint({ method: 'GET', path: `${managerPath}/:id`, summary: '方案与监督交底详情', ...one })
export const createManagerBriefing = endpoint({
  method: 'POST',
  path: managerPath,
  summary: '新建方案与监督交底',
  needs: managerMoves.begin.needs,
  acts: 'review',
  query: ofProject,
  body: z.object({ ...start, ...managerFields }),
  response: made,
})
export const changeManagerBriefing = endpoint({
  method: 'PUT',
  path: `${managerPath}/:id`,
  summary: '办理方案与监督交底',
  description: '与安全技术交底相同。',
  needs: codesOfMoves(managerMoves),
  acts: 'review',
  actions: rightsOfMoves(managerMoves),
  params: id,
  query: ofProject,
  body: moveBody(managerMoves, {}),
  response: made,
})
export const removeManagerBriefing = endpoint({
  method: 'DELETE',
  path: `${managerPath}/:id`,
  summary: '删除方案与监督交底草稿',
  needs: managerMoves.save.needs,
  acts: 'review',
  params: id,
  query: ofProject,
})

const person = z.object({
  stayId: z.string(),
  name: z.string(),
  corpName: z.string(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  /** Trade or post. */
  role: z.string(),
  workType: z.string().nullable(),
  post: z.string().nullable(),
  /** Came today. */
  present: z.boolean(),
  /** Has signed a briefing for his trade. */
  briefed: z.boolean(),
})
export type BriefingPerson = z.output<typeof person>

const desk = z.object({
  teams: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      corpCode: z.string(),
      corpName: z.string(),
      workType: z.string().nullable(),
      people: z.number().int(),
      present: z.number().int(),
    }),
  ),
  people: z.array(person),
  managers: z.array(person),
  works: z.array(work),
  measures: z.array(measure),
})
export type BriefingDesk = z.output<typeof desk>

/** What a briefing is written from: gangs, people, managers, dangerous works and measures of the site. */
export const briefingDesk = endpoint({
  method: 'GET',
  path: `${gangPath}/desk`,
  summary: '交底可选的班组、人员、危大工程与措施',
  description: 'team：该班组的人员；name：按姓名找其他人员。',
  needs: gangMoves.save.needs,
  answers: 'object',
  query: ofProject.extend({ team: pointsTo('team', text(64)).optional(), name: text(50).optional() }),
  response: desk,
})

/** Tells a site to make up for a gap, at most once a day. */
export const remindGap = endpoint({
  method: 'POST',
  path: `${gangPath}/remind`,
  summary: '督促补交底',
  needs: gangMoves.remind.needs,
  acts: 'review',
  query: ofProject,
  /** One of them. */
  body: z
    .object({ bigProjectId: nullable(ref('bigproject')), teamId: nullable(ref('team')) })
    .refine((b) => (b.bigProjectId === null) !== (b.teamId === null), { path: ['teamId'], message: '请选择一个危大工程或班组' }),
  response: z.object({ told: z.number().int() }),
})
