import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { clockTime, day, filled, instant, paged, pageQuery, pointsTo, ref } from '../kit/fields.ts'

/** Positions sent at once: half a day without network, one in 30 seconds. */
export const mostPlaces = 1_500
/** Minutes without a position after which an officer on duty counts as silent, and after which a position is shown as old. */
export const [silentMinutes, oldMinutes] = [30, 10]
export const [leastKeepDays, mostKeepDays] = [7, 180]

const at = { lng: z.number().min(-180).max(180), lat: z.number().min(-90).max(90) }
const placeShape = z.object({ time: z.number(), ...at, accuracy: z.number(), projectCode: z.string().nullable() })

const officer = z.object({
  userId: z.string(),
  name: z.string(),
  /** `duty`: sends positions; `silent`: on, but none for a while; `off`: switched off or outside of the duty hours. */
  state: z.enum(['duty', 'silent', 'off']),
  /** Since when switched on. */
  since: z.number().nullable(),
  time: z.number().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  /** Minutes at that site; null elsewhere. */
  stayMinutes: z.number().int().nullable(),
  /** Checks carried out today. */
  checked: z.number().int(),
})
export type Officer = z.output<typeof officer>

const site = z.object({ projectCode: z.string(), name: z.string(), ...at, checks: z.number().int() })
export type DutySite = z.output<typeof site>

const dayCheck = z.object({
  id: z.string(),
  title: z.string(),
  code: z.string().nullable(),
  link: z.string(),
  time: z.number(),
  projectCode: z.string(),
  projectName: z.string(),
  photos: z.array(z.string()),
  /** The officer was there. */
  hasStay: z.boolean(),
})
const dayStay = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  from: z.number(),
  to: z.number(),
  minutes: z.number().int(),
  /** Checks held meanwhile; without any the stay is marked. */
  checks: z.array(z.string()),
})
const dayTrack = z.object({
  userId: z.string(),
  name: z.string(),
  segments: z.array(z.array(placeShape)),
  jumps: z.array(placeShape),
  km: z.number(),
  stays: z.array(dayStay),
  checks: z.array(dayCheck),
  fences: z.array(z.object({ projectCode: z.string(), name: z.string(), rings: z.array(z.array(z.tuple([z.number(), z.number()]))) })),
})
export type DayTrack = z.output<typeof dayTrack>

const path = '/api/v1/supervise/track'
const views = 'inspection.trackView'
/** Officers themselves: each sees and sends his own positions only. */
const own = [views, 'supervision.view'] as const
const onDuty = ['supervision.check', 'supervision.campaignCheck'] as const

export const getTrack = endpoint({
  method: 'GET',
  path,
  summary: '监督人员位置与轨迹',
  description: '不带 userId：本机构全部监督人员的最新位置；带 userId、startTime、endTime：一人一段时间的轨迹。每次查看留痕，本人可见。',
  needs: own,
  answers: 'object',
  query: z.object({ userId: ref('user').optional(), startTime: instant.optional(), endTime: instant.optional() }),
  response: z.object({
    officers: z.array(officer),
    sites: z.array(site),
    counts: z.object({ duty: z.number().int(), onSite: z.number().int(), checked: z.number().int(), silent: z.number().int() }),
    /** Days for which positions are kept. */
    keepDays: z.number().int(),
    day: dayTrack.nullable(),
  }),
})

export const sendPlaces = endpoint({
  method: 'POST',
  path,
  summary: '上报监督人员位置',
  description: '由监督人员自己的设备分批上报；id 由设备生成，重发不重复。执勤时段以外、没有进行中的检查时，位置不予保存。',
  needs: onDuty,
  acts: 'aside',
  body: z.object({
    places: z
      .array(
        z.object({
          id: pointsTo('officerPlace', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
          /** Epoch milliseconds. */
          time: z.number({ error: '时间应为毫秒数' }).int().positive(),
          lng: z.number({ error: '经度应为数字' }).min(-180, '经度应在 -180 到 180 之间').max(180, '经度应在 -180 到 180 之间'),
          lat: z.number({ error: '纬度应为数字' }).min(-90, '纬度应在 -90 到 90 之间').max(90, '纬度应在 -90 到 90 之间'),
          accuracy: z.number({ error: '精度应为数字' }).min(0).max(100_000),
        }),
      )
      .min(1, '没有位置')
      .max(mostPlaces, `一次最多 ${mostPlaces} 个位置`),
  }),
  response: z.object({
    stored: z.number().int(),
    refused: z.array(z.object({ id: z.string(), why: z.string() })),
  }),
})

const dutyHours = {
  begin: clockTime,
  end: clockTime,
  weekdays: z.array(z.number().int().min(1).max(7)).min(1, '至少选择一天').max(7),
  keepDays: z
    .number({ error: '请填写保存天数' })
    .int()
    .min(leastKeepDays, `保存 ${leastKeepDays} 至 ${mostKeepDays} 天`)
    .max(mostKeepDays, `保存 ${leastKeepDays} 至 ${mostKeepDays} 天`),
}

/** What the officer's device asks before it sends anything, and what he may know about who sees him. */
export const getDuty = endpoint({
  method: 'GET',
  path: `${path}/duty`,
  summary: '我的执勤定位',
  needs: own,
  answers: 'object',
  query: z.object({}),
  response: z.object({
    on: z.boolean(),
    since: z.number().nullable(),
    ...dutyHours,
    version: z.number().int(),
    /** Positions are accepted now. */
    open: z.boolean(),
    /** In words: why, or why not. */
    why: z.string(),
    /** Of my own institution, and may see positions. */
    viewers: z.number().int(),
    maySet: z.boolean(),
  }),
})
export const setDuty = endpoint({
  method: 'PUT',
  path: `${path}/duty`,
  summary: '开启或关闭执勤定位',
  needs: onDuty,
  acts: 'aside',
  body: z.object({ on: z.boolean() }),
})
export const saveDutyHours = endpoint({
  method: 'PUT',
  path: `${path}/hours`,
  summary: '设置执勤时段',
  needs: views,
  acts: 'aside',
  body: z
    .object({ ...dutyHours, version: z.number().int() })
    .refine((given) => given.begin < given.end, { message: '结束时间应晚于开始时间', path: ['end'] }),
})

/** Who looked at my positions. */
export const listLooks = endpoint({
  method: 'GET',
  path: `${path}/looks`,
  summary: '谁看过我的位置',
  needs: own,
  answers: 'list',
  query: pageQuery,
  response: paged(
    z.object({
      id: z.string(),
      lookerName: z.string(),
      kind: z.enum(['latest', 'day', 'sheet']),
      kindName: z.string(),
      day: z.string(),
      purpose: z.string().nullable(),
      at: z.string(),
    }),
  ),
})

/** The day sheet of an officer; taking it out is kept with its purpose. */
export const trackSheet = endpoint({
  method: 'GET',
  path: `${path}/sheet`,
  summary: '导出监督人员日报',
  needs: views,
  answers: 'blob',
  query: z.object({ userId: ref('user'), day, purpose: filled(200, '用途').min(2, '用途至少 2 个字') }),
})
