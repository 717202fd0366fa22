import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { dayRange, numericRange, ofProject, paged, pageQuery, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch } from '../../telemetry/model.ts'

/** Below this percentage of online cameras a site needs attention. */
export const leastOnline = 80

export const videoSite = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string().nullable(),
  areaName: z.string().nullable(),
  cameras: z.number().int(),
  online: z.number().int(),
  onlinePercent: z.number().int(),
  /** Places required on every site that have no camera. */
  keySpotMissing: z.array(z.string()),
  /** Shortest registered storage of its cameras; null if none is registered. */
  storageDays: z.number().int().nullable(),
  /** When an offline camera was last heard. */
  lastOffline: epoch.nullable(),
  lastPatrol: epoch.nullable(),
  lastPatrolBy: z.string().nullable(),
  hitsToday: z.number().int(),
  /** Camera whose picture represents the site; null if all are offline. */
  keyCamera: z.object({ deviceId: z.string(), name: z.string() }).nullable(),
})
export type VideoSite = z.infer<typeof videoSite>

/** Sites by share of online cameras, worst first; totals cover all visible sites. */
export const listVideoSites = endpoint({
  method: 'GET',
  path: '/api/v1/iot/video/site',
  summary: '视频监控汇总',
  needs: 'video.play',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    projectName: text(50).optional(),
    areaCode: several.optional(),
    onlinePercent: numericRange.optional(),
    keySpotMissing: several.optional(),
    storageDays: numericRange.optional(),
    lastPatrol: dayRange.optional(),
    sort: sortBy('onlinePercent', 'cameras', 'storageDays', 'lastPatrol', 'lastOffline'),
  }),
  response: paged(videoSite).extend({
    counts: z.object({
      sites: z.number().int(),
      cameras: z.number().int(),
      online: z.number().int(),
      low: z.number().int(),
      missing: z.number().int(),
    }),
  }),
})
export const videoSiteList = listOf(listVideoSites, {
  feature: 'videoSite',
  columns: {
    projectName: '项目',
    areaCode: '区划',
    cameras: '摄像机',
    online: '在线',
    onlinePercent: '在线率（%）',
    keySpotMissing: '缺少重点部位',
    storageDays: '保存（天）',
    lastOffline: '最近离线',
    hitsToday: '今日识别',
    lastPatrol: '最近巡查',
    lastPatrolBy: '巡查人',
  },
})
