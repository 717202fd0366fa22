import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, pointsTo, ref, several, text } from '../kit/fields.ts'
import { batchResult } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { idNumber, workerName, workerParams } from './identity-model.ts'
import { identityBody, registerBody, updateBody, verifyBody } from './registration-model.ts'
import { clearFields, workerDetail, workerHead } from './worker-model.ts'

const registered = z.object({
  id: z.string(),
  workerId: z.string(),
  name: z.string(),
  /** Time for today's registrations, date for earlier ones. */
  time: z.string(),
  missing: z.array(z.string()),
  formal: z.boolean(),
})
/** Number of unfinished registrations shown in the form; the list of people has all. */
export const unfinishedShown = 10

export const workerForm = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/form/info',
  summary: '工人表单信息',
  needs: 'personnel.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    projectCode: z.string().nullable(),
    projectName: z.string().nullable(),
    corps: z.array(z.object({ corpCode: z.string(), corpName: z.string(), corpType: z.string(), entryTime: z.string() })),
    teams: z.array(z.object({ id: z.string(), teamName: z.string(), corpCode: z.string(), workType: z.string() })),
    /** Registered today, newest first, with what each still lacks. */
    today: z.array(registered),
    /** Total registered today; `today` shows the newest of them. */
    todayTotal: z.number().int(),
    /** Unfinished registrations by the caller from earlier days: newest first, and the total number. */
    unfinished: z.object({ total: z.number().int(), list: z.array(registered) }),
  }),
})

export const workerBaseInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/base/info/:id',
  summary: '工人基本信息',
  needs: 'personnel.view',
  params: workerParams,
  response: workerHead,
})

export const workerDetailInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/detail/info/:id',
  summary: '工人详细信息',
  needs: 'personnel.view',
  params: workerParams,
  query: z
    .object({
      projectWorkerId: ref('projectWorker').optional(),
      /** Fields requested unmasked, with the reason; requires personnel.unmask and is logged. */
      plain: several.refine((v) => v.every((f) => (clearFields as readonly string[]).includes(f)), '不能查看该字段的明文').optional(),
      reason: text(200, '查看事由').optional(),
    })
    .superRefine((q, context) => {
      if (q.plain?.length && (q.reason?.length ?? 0) < 2)
        context.addIssue({ code: 'custom', path: ['reason'], message: '请填写查看事由（至少 2 个字）' })
    }),
  response: workerDetail,
})

/** Who viewed which data of this person, and why. A group where the person is now sees every access, a former one only its own. */
export const workerLooks = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/looks/:id',
  summary: '人员访问记录',
  needs: 'personnel.view',
  params: workerParams,
  response: z.array(z.object({ id: z.string(), at: z.string(), userName: z.string(), groupName: z.string(), summary: z.string() })),
})

export const fillWorker = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/edit/fill/:id',
  summary: '工人编辑回填',
  needs: 'personnel.edit',
  params: workerParams,
  response: workerDetail,
})

export const registerWorker = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker',
  summary: '新增工人',
  needs: 'personnel.create',
  acts: 'own',
  body: registerBody,
  response: z.object({
    workerId: z.string(),
    projectWorkerId: z.string().nullable(),
    /** What becoming formal still requires: entry conditions, and fields of person and stay. */
    missing: z.array(z.string()),
    fields: z.array(z.string()),
  }),
})

export const updateWorker = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/worker/:id',
  summary: '修改工人',
  needs: 'personnel.edit',
  acts: 'own',
  params: workerParams,
  body: updateBody,
  response: z.object({ version: z.number().int() }),
})

export const removeWorker = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/worker/:id',
  summary: '删除工人',
  needs: 'personnel.delete',
  acts: 'own',
  params: workerParams,
})

export const removePerson = endpoint({
  method: 'DELETE',
  path: '/api/v2/person/:id',
  summary: '删除人员（新版）',
  needs: 'personnel.delete',
  acts: 'own',
  params: workerParams,
})

/** What is known about an ID number before a person is registered with it. */
export const syncWorker = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/base/sync',
  summary: '同步工人基本信息',
  needs: 'personnel.create',
  unaudited: 'a look-up by POST, so that the number stays out of access logs',
  body: z.object({ idCardType: dict('idCardType', '证件类型').default('01'), idCardNumber: idNumber, name: workerName.optional() }),
  response: z.object({
    /** `none`; `own`: visible to the caller; `other`: registered elsewhere, can be taken over with the exact name. */
    known: z.enum(['none', 'own', 'other']),
    workerId: z.string().nullable(),
    name: z.string().nullable(),
    realNameState: z.string().nullable(),
    /** Currently on one of the projects visible to the caller. */
    onSite: z.array(z.object({ projectCode: z.string(), projectName: z.string() })),
    gender: z.string().nullable(),
    birthday: z.string().nullable(),
    age: z.number().int().nullable(),
    birthPlaceName: z.string().nullable(),
    warnings: z.array(z.string()),
  }),
})

export const setFormal = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/set/formal',
  summary: '设置工人正式状态',
  needs: 'personnel.formal',
  acts: 'own',
  body: z.object({
    /** Ids of stays. */
    ids: z.array(ref('projectWorker')).min(1, '请选择人员').max(500, '一次最多 500 人'),
    /** 1 formal (also back from a pause), 2 paused. */
    status: z.enum(['1', '2'], { error: '请选择转正式或暂停作业' }),
    reason: text(200, '原因').default(''),
  }),
  response: batchResult.extend({
    missing: z.array(z.object({ id: z.string(), conditions: z.array(z.string()), fields: z.array(z.string()) })),
  }),
})

/** Records training of people of a project; passing may give them access to the site. */
export const trainWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/train',
  summary: '登记入场教育',
  needs: 'personnel.train',
  acts: 'own',
  body: z.object({
    ids: z.array(ref('projectWorker')).min(1, '请选择人员').max(500, '一次最多 500 人'),
    trainingType: dict('trainingType', '培训类型').default('003002'),
    trainDate: day,
    hours: z.coerce.number({ error: '请填写学时' }).min(0.5, '学时至少 0.5').max(200, '学时过大'),
    score: z.coerce.number().min(0, '成绩为 0-100').max(100, '成绩为 0-100').nullable().default(null),
    passed: z.boolean().default(true),
    trainer: text(50, '授课人').nullable().default(null),
  }),
  response: batchResult,
})

export const getWorkerBase = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerBase/:id',
  summary: '工人基础档案',
  needs: 'personnel.view',
  params: workerParams,
  response: workerDetail.pick({
    workerId: true,
    name: true,
    idCardType: true,
    idCardTypeName: true,
    idCardNumber: true,
    gender: true,
    birthday: true,
    age: true,
    birthPlaceName: true,
    realNameState: true,
    version: true,
  }),
})

export const updateWorkerBase = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/workerBase/:id',
  summary: '修改工人基础档案',
  needs: 'personnel.edit',
  acts: 'own',
  params: workerParams,
  body: identityBody,
  response: z.object({ version: z.number().int() }),
})

export const verifyWorker = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/verify',
  summary: '实名核验',
  needs: 'personnel.edit',
  acts: 'own',
  body: verifyBody,
  response: z.object({ realNameState: z.string(), version: z.number().int() }),
})

export const workerProjects = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/bind/project/:id',
  summary: '工人绑定项目',
  needs: 'personnel.view',
  answers: 'list',
  params: workerParams,
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        projectCode: z.string(),
        projectName: z.string(),
        corpCode: z.string(),
        corpName: z.string().nullable(),
        teamId: z.string().nullable(),
        teamName: z.string().nullable(),
        workTypeName: z.string().nullable(),
        entryTime: z.string(),
        exitTime: z.string().nullable(),
        formalStatus: z.string(),
        stationed: z.string(),
        version: z.number().int(),
      }),
    ),
    total: z.number().int(),
  }),
})

/** 调班组: another unit, team or trade within the same project. */
export const moveWorker = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/worker/bind/project/:id',
  summary: '修改工人绑定项目',
  needs: ['labour.entry', 'personnel.grant'],
  acts: 'own',
  params: workerParams,
  body: z.object({
    projectWorkerId: ref('projectWorker'),
    corpCode: ref('corporation'),
    teamId: ref('team').nullable(),
    workType: dict('workerType', '工种').nullable().default(null),
    version: z.number().int(),
  }),
})
