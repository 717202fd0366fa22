import { z } from 'zod'
import { drawFile } from '../draw/file.ts'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, nullable, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'
import { drawMoves, reason } from './moves.ts'

const path = '/api/v1/oa/process/expertDraw'
const views = 'experts.view'

export const halves = { am: '上午', pm: '下午' } as const
export type Half = keyof typeof halves
export const half = z.enum(['am', 'pm'], { error: '请选择上午或下午' })
/** Most experts of one unit in one draw. */
export const mostOfUnit = 2
/** Candidates per seat below which a draw is hardly one. */
export const leastPerSeat = 3

export const drawRow = z.object({
  id: z.string(),
  code: z.string(),
  purpose: z.string(),
  purposeName: z.string(),
  title: z.string(),
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  meetingDate: z.string(),
  half,
  place: z.string(),
  organiserName: z.string(),
  /** Number of this draw for its meeting; from 2 on a repeat. */
  run: z.number().int(),
  wanted: z.number().int(),
  accepted: z.number().int(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type DrawRow = z.output<typeof drawRow>

export const listDraws = endpoint({
  method: 'GET',
  path,
  summary: '抽取记录',
  needs: views,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    code: text(50).optional(),
    purpose: several.optional(),
    projectName: text(50).optional(),
    meetingDate: dayRange.optional(),
    /** Draws frozen in this calendar year. */
    thisYear: flag.optional(),
    state: several.optional(),
    sort: sortBy('meetingDate', 'code'),
  }),
  response: paged(drawRow),
})

export const drawList = listOf(listDraws, {
  feature: 'expertDraw',
  columns: {
    code: '抽取编号',
    purpose: '用途',
    title: '会议',
    projectName: '项目',
    meetingDate: '时间',
    place: '地点',
    organiserName: '组织单位',
    run: '次数',
    wanted: '应到',
    accepted: '已同意',
    state: '状态',
  },
})

const seat = z.object({
  id: z.string(),
  specialty: z.string(),
  specialtyName: z.string(),
  /** Position in the order drawn. */
  rank: z.number().int(),
  expertId: z.string(),
  name: z.string(),
  workUnit: z.string(),
  phone: z.string(),
  reply: z.string(),
  replyName: z.string(),
  note: z.string().nullable(),
  dueTime: z.string().nullable(),
  replyTime: z.string().nullable(),
  replyBy: z.string().nullable(),
})
export type DrawSeat = z.output<typeof seat>
const recusal = z.object({ name: z.string(), workUnit: z.string(), reason: z.string(), manual: z.boolean() })

export const drawDetail = drawRow.extend({
  replyHours: z.number().int(),
  hideNames: z.boolean(),
  overScale: z.boolean(),
  reason: z.string().nullable(),
  quotas: z.array(z.object({ specialty: z.string(), name: z.string(), seats: z.number().int(), candidates: z.number().int() })),
  candidates: z.number().int(),
  recusals: z.array(recusal),
  listHash: z.string(),
  commitment: z.string(),
  frozenTime: z.string(),
  frozenBy: z.string(),
  /** In the order drawn, reserve included; null while the caller may not see the names. */
  seats: z.array(seat).nullable(),
  /** Other draws for the same meeting. */
  siblings: z.array(
    z.object({ id: z.string(), code: z.string(), run: z.number().int(), stateName: z.string(), reason: z.string().nullable() }),
  ),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type DrawDetail = z.output<typeof drawDetail>

export const getDraw = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '抽取详情',
  needs: views,
  params: z.object({ id: ref('expertDraw') }),
  query: ofProject,
  response: drawDetail,
})

/** Numbers before a draw: names of candidates are not answered. */
export const drawCandidates = endpoint({
  method: 'GET',
  path: `${path}/candidates`,
  summary: '候选人数',
  needs: 'experts.draw',
  answers: 'list',
  query: ofProject.extend({ meetingDate: day, half, specialties: several, excluded: pointsTo('expert', several).optional() }),
  response: z.object({
    list: z.array(
      z.object({
        specialty: z.string(),
        name: z.string(),
        candidates: z.number().int(),
        recused: z.number().int(),
        busy: z.number().int(),
        cooling: z.number().int(),
      }),
    ),
    total: z.number().int(),
    recusals: z.array(recusal),
  }),
})

/** Freezes the list and commits the seed; drawn by `changeDraw` with the digits of the witnesses. */
export const freezeDraw = endpoint({
  method: 'POST',
  path,
  summary: '冻结抽取名单',
  needs: 'experts.draw',
  acts: 'site',
  query: ofProject,
  body: z.object({
    purpose: dict('expertActivityType', '用途'),
    title: filled(100, '会议名称'),
    meetingDate: day,
    half,
    place: filled(100, '地点'),
    overScale: z.boolean().default(false),
    /** For authorities; companies and sites follow the library. */
    hideNames: z.boolean().default(true),
    replyHours: z.coerce.number().int().min(1, '答复时限 1 至 72 小时').max(72, '答复时限 1 至 72 小时').default(24),
    quotas: z
      .array(
        z.object({
          specialty: dict('expertSpecialty', '专业'),
          seats: z.coerce.number({ error: '请填写人数' }).int().min(1, '人数至少 1').max(15, '一个专业最多 15 人'),
        }),
      )
      .min(1, '至少一个专业')
      .max(8, '专业最多 8 个')
      .refine((rows) => new Set(rows.map((row) => row.specialty)).size === rows.length, '专业重复'),
    exclusions: z
      .array(z.object({ expert: ref('expert'), reason: reason('回避原因') }))
      .max(50, '回避最多 50 人')
      .default([]),
    /** An earlier draw for the same meeting. */
    repeatOf: nullable(ref('expertDraw')),
    reason: nullable(text(500, '重抽原因')),
  }),
  response: z.object({ id: z.string() }),
})

export const changeDraw = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理专家抽取',
  description: '按 action 办理：draw、reply、next、cancel；version 为读取时的版本。',
  needs: codesOfMoves(drawMoves),
  acts: 'aside',
  actions: rightsOfMoves(drawMoves),
  params: z.object({ id: ref('expertDraw') }),
  query: ofProject,
  body: moveBody(drawMoves, {}),
})

/** The published file, recomputed: whoever may see the names may repeat the draw. */
export const verifyDraw = endpoint({
  method: 'GET',
  path: `${path}/:id/file`,
  summary: '复核抽取',
  needs: views,
  params: z.object({ id: ref('expertDraw') }),
  query: ofProject,
  response: z.object({
    file: drawFile,
    /** List hash, commitment and result agree with list, seed and digits. */
    agrees: z.boolean(),
    /** Entries of the organiser's chain, and whether each contains the hash of the one before. */
    chain: z.object({ entries: z.number().int(), sound: z.boolean() }),
  }),
})
