import { z } from 'zod'
import { endpoint, type OutputFor, type ParsedFor } from '../kit/endpoint.ts'
import { day, dayRange, emptyOption, filled, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { count, object, states } from './fields.ts'

export const dockingRecord = z.object({
  id: z.string(),
  objectType: object,
  sourceId: z.string(),
  bizName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  platformName: z.string(),
  op: z.enum(['1', '2', '3']),
  uploadStatus: z.enum(states),
  asyncStatus: z.enum(['0', '10', '20']).nullable(),
  attempts: count,
  errorCode: z.string().nullable(),
  errorField: z.string().nullable(),
  errorText: z.string().nullable(),
  waitFor: z.string().nullable(),
  queuedTime: z.string(),
  receiptTime: z.string().nullable(),
  receiptNo: z.string().nullable(),
})
export type DockingRecord = z.infer<typeof dockingRecord>

export const listRecords = endpoint({
  method: 'GET',
  path: '/api/v1/docking/record',
  summary: '发送队列',
  needs: 'docking.view',
  query: pageQuery.extend({
    platformId: ref('dockingPlatform').optional(),
    objectType: several.optional(),
    bizName: text(60).optional(),
    projectCode: pointsTo('project', text(64)).optional(),
    op: z.enum(['1', '2', '3']).optional(),
    uploadStatus: several.optional(),
    asyncStatus: z.enum(['0', '10', '20']).optional(),
    attempts: numericRange.optional(),
    errorText: text(60).optional(),
    errorCode: text(40).optional(),
    errorField: text(60).optional(),
    /** `-9999`: records that do not wait for another record. */
    waitFor: z.enum(['1', emptyOption]).optional(),
    queuedTime: dayRange.optional(),
    receiptTime: dayRange.optional(),
    receiptNo: text(60).optional(),
    sort: sortBy('failed', 'queuedTime', 'attempts'),
  }),
  response: paged(dockingRecord),
})
export const recordList = listOf(listRecords, {
  feature: 'dockingRecord',
  columns: {
    objectType: '对象',
    bizName: '数据',
    projectName: '项目',
    op: '操作',
    uploadStatus: '上传状态',
    asyncStatus: '处理状态',
    attempts: '次数',
    errorText: '原因',
    waitFor: '等待前序',
    queuedTime: '排队时间',
    receiptTime: '回执时间',
    receiptNo: '回执号',
  },
})

const sent = z.object({ upper: z.string(), label: z.string(), value: z.string(), personal: z.boolean() })
export const getRecord = endpoint({
  method: 'GET',
  path: '/api/v1/docking/record/:id',
  summary: '上传记录详情',
  needs: 'docking.view',
  params: z.object({ id: ref('dockingRecord') }),
  response: dockingRecord.extend({
    mappingVersion: count.nullable(),
    mender: z.string().nullable(),
    /** Masked. */
    sent: z.array(sent),
    attempts: count,
    tries: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        tookMs: count,
        outcome: z.enum(['stored', 'duplicate', 'absent', 'locked', 'later', 'refused', 'held', 'trouble']),
        http: count.nullable(),
        /** The unchanged response of the platform above. */
        answer: z.string(),
      }),
    ),
  }),
})
/** The data that was sent, unmasked; the access is logged with its reason. */
export const lookRecord = endpoint({
  method: 'POST',
  path: '/api/v1/docking/record/:id/look',
  summary: '查看上传明文',
  needs: 'personnel.unmask',
  acts: 'own',
  params: z.object({ id: ref('dockingRecord') }),
  body: z.object({ reason: filled(200, '事由') }),
  response: z.object({ sent: z.array(sent) }),
})

/**
 * Upload state of the record shown on a page: the newest queue entry for each platform above. Empty if records of its kind are not sent.
 */
export const queueStates = endpoint({
  method: 'GET',
  path: '/api/v1/docking/standing',
  summary: '数据上报状态',
  needs: 'docking.view',
  query: z.object({ objectType: object, sourceId: filled(140, '数据') }),
  response: z.object({
    list: z.array(
      dockingRecord.pick({
        id: true,
        platformName: true,
        op: true,
        uploadStatus: true,
        errorText: true,
        waitFor: true,
        queuedTime: true,
        receiptTime: true,
      }),
    ),
  }),
})
export type QueueState = OutputFor<typeof queueStates>['list'][number]

/** Queues records again: one, all with one cause, or all failed ones of a project or of the days on which they were queued. */
export const pushRecords = endpoint({
  method: 'POST',
  path: '/api/v1/docking/record/push',
  summary: '重推上报数据',
  needs: 'docking.push',
  acts: 'own',
  body: z
    .object({
      id: ref('dockingRecord').optional(),
      cause: z.object({ code: text(40), field: text(60).default('') }).optional(),
      projectCode: ref('project').optional(),
      range: z.object({ from: day, to: day }).optional(),
      /** Only counts the records. */
      preview: z.boolean().default(false),
    })
    .refine((b) => b.id || b.cause || b.projectCode || b.range, '请选择要重推的数据'),
  response: z.object({
    /** Records that were queued again, or would be. */
    count,
    /** Requested but not queued, because the platform above has locked them. */
    locked: count,
  }),
})
export type RecordsQuery = ParsedFor<typeof listRecords>['query']
export type RecordDetail = OutputFor<typeof getRecord>
