import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, month, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { listWorkers, peopleQuery, peopleSorts } from './people.ts'
import { sessionBody, sessionChange, sessionDetail, sessionRow, trainFilters, trainRow } from './train-model.ts'

/** Training: sessions with participants, and the training of each person. */

export const listTrained = viewOf(listWorkers, {
  query: peopleQuery.extend({ ...trainFilters, view: z.literal('train'), sort: peopleSorts.train }),
  response: paged(trainRow),
})
export const trainedList = listOf(listTrained, {
  feature: 'workerTraining',
  columns: {
    name: '姓名',
    workType: '工种或岗位',
    teamId: '班组',
    corpCode: '单位',
    projectName: '项目',
    entryTime: '进场日期',
    entryTrained: '可进场',
    entry: '入场教育',
    company: '公司级',
    project: '项目级',
    team: '班组级',
    resume: '复工',
    special: '专项',
    trainHours: '累计学时',
    lastTrain: '最近培训',
    passedGate: '最近通行',
  },
})
export const trainFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/train/figures',
  summary: '人员培训概况',
  needs: 'personnel.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    onSite: z.number().int(),
    trained: z.number().int(),
    untrained: z.number().int(),
    /** Of the untrained people, those who passed a gate nevertheless. */
    untrainedPassed: z.number().int(),
    /** The last training must be repeated now or within a month. */
    due: z.number().int(),
    /** Teams with untrained people, most of them first. */
    teams: z.array(
      z.object({ teamId: z.string().nullable(), teamName: z.string(), onSite: z.number().int(), untrained: z.number().int() }),
    ),
  }),
})
/** 三级安全教育登记卡: one person in the current or last visible stay, with all other training. */
export const trainCard = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/train/:id',
  summary: '人员培训详情',
  needs: 'personnel.view',
  params: z.object({ id: ref('worker') }),
  response: z.object({
    workerId: z.string(),
    name: z.string(),
    gender: z.string().nullable(),
    age: z.number().int(),
    idCardNumber: z.string(),
    photo: z.string().nullable(),
    stay: trainRow.nullable(),
    levels: z.array(
      z.object({
        type: z.string(),
        title: z.string(),
        least: z.number(),
        date: z.string().nullable(),
        hours: z.number(),
        trainer: z.string().nullable(),
        content: z.string().nullable(),
        score: z.number().nullable(),
        passed: z.boolean(),
      }),
    ),
    list: z.array(
      z.object({
        id: z.string(),
        sessionId: z.string().nullable(),
        projectWorkerId: z.string(),
        name: z.string().nullable(),
        trainingType: z.string(),
        typeName: z.string().nullable(),
        trainDate: z.string(),
        hours: z.number(),
        /** Fewer hours than the minimum of this kind. */
        short: z.boolean(),
        score: z.number().nullable(),
        passed: z.boolean().nullable(),
        trainer: z.string().nullable(),
        projectName: z.string().nullable(),
        ofThisStay: z.boolean(),
        changed: z.number().int(),
      }),
    ),
    years: z.array(z.object({ year: z.string(), hours: z.number(), times: z.number().int() })),
  }),
})

/** Training is read and held with the codes of the people's files, or with those of safety management. */
const trainViews = ['personnel.view', 'safety-management.view'] as const
const trainWrites = ['personnel.train', 'safety-management.edit'] as const

const sessionQuery = pageQuery.extend({
  ...ofProject.shape,
  name: text(100).optional(),
  trainingType: several.optional(),
  startTime: dayRange.optional(),
  closed: text(5).optional(),
  trainer: text(50).optional(),
  team: text(50).optional(),
  state: several.optional(),
  tab: z.enum(['todo', 'retest', 'month']).optional(),
  workerId: pointsTo('worker', text(64)).optional(),
  sort: sortBy('startTime', 'name'),
})
export const listSessions = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/train',
  summary: '培训场次',
  needs: trainViews,
  answers: 'list',
  query: sessionQuery,
  response: paged(sessionRow),
})
export const sessionList = listOf(listSessions, {
  feature: 'trainSession',
  columns: {
    startTime: '开始时间',
    name: '培训名称',
    trainingType: '类型',
    projectName: '项目',
    trainer: '培训人',
    teams: '班组',
    duration: '学时',
    people: '应到',
    attended: '签到',
    passed: '合格',
    retest: '待补考',
    state: '状态',
  },
})

const proposal = z.object({
  key: z.string(),
  kind: z.enum(['entry', 'resume', 'yearly', 'work']),
  title: z.string(),
  remark: z.string(),
  trainingType: z.string(),
  /** yyyy-MM-dd. */
  date: z.string(),
  people: z.number().int(),
})
export type TrainProposal = z.output<typeof proposal>

/** The month of a site: sessions, and what should be planned besides. */
export const trainBoard = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/train/board',
  summary: '培训计划',
  needs: trainViews,
  answers: 'object',
  query: ofProject.extend({ month }),
  response: z.object({
    sessions: z.array(sessionRow),
    /** For one project only. */
    proposals: z.array(proposal),
    counts: z.object({
      planned: z.number().int(),
      held: z.number().int(),
      /** People in the sessions of the month that were held. */
      attended: z.number().int(),
      passed: z.number().int(),
      /** People who failed and have not passed since, and the sessions in which they did. */
      retest: z.number().int(),
      retestSessions: z.number().int(),
      untrained: z.number().int(),
    }),
  }),
})

const trainPerson = z.object({
  stayId: z.string(),
  name: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workTypeName: z.string().nullable(),
  entryTrained: z.boolean(),
  /** Came today. */
  present: z.boolean(),
})
export type TrainPerson = z.output<typeof trainPerson>

/** People of a site for a session: of a gang, of a proposal, of an import, or by name. */
export const trainPeople = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/train/people',
  summary: '可参训人员',
  needs: trainWrites,
  answers: 'object',
  query: ofProject.extend({
    team: pointsTo('team', text(64)).optional(),
    name: text(50).optional(),
    proposal: text(80).optional(),
    importId: pointsTo('workerImport', text(64)).optional(),
  }),
  response: z.object({
    corps: z.array(z.object({ code: z.string(), name: z.string() })),
    teams: z.array(z.object({ id: z.string(), name: z.string(), people: z.number().int(), untrained: z.number().int() })),
    people: z.array(trainPerson),
  }),
})
export const getSession = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/train/:id',
  summary: '培训场次详情',
  needs: trainViews,
  params: z.object({ id: ref('training') }),
  query: ofProject,
  response: sessionDetail,
})
export const createSession = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/train',
  summary: '登记培训场次',
  needs: trainWrites,
  acts: 'own',
  query: ofProject,
  body: sessionBody,
  response: z.object({ id: z.string(), trained: z.number().int() }),
})
export const changeSession = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/train/:id',
  summary: '修改培训场次',
  needs: trainWrites,
  acts: 'own',
  params: z.object({ id: ref('training') }),
  query: ofProject,
  body: sessionChange,
  /** `done`: how many people the action was about. */
  response: z.object({ version: z.number().int(), done: z.number().int() }),
})
/** Only before results are entered; after that, participants are removed one by one. */
export const removeSession = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/train/:id',
  summary: '删除培训场次',
  needs: trainWrites,
  acts: 'own',
  params: z.object({ id: ref('training') }),
  query: ofProject,
})
/** Removes one participation, with a reason, and recalculates who may enter the site. */
export const removeAttendance = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/train/task/:taskId',
  summary: '移除参训记录',
  needs: trainWrites,
  acts: 'own',
  params: z.object({ taskId: ref('trainingTask') }),
  query: ofProject.extend({ reason: text(200, '移除原因').min(2, '请填写移除原因（至少 2 个字）') }),
})
/** Documents: the sign-in sheet of a session; cards of stays. */
export const trainSheetPrint = z.object({ id: ref('training') })
export const trainCardPrint = z.object({
  ids: several.refine((ids) => ids.length > 0, '请选择人员').refine((ids) => ids.length <= 100, '一次最多打印 100 人'),
})
