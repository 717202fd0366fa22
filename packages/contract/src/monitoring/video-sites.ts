import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, numericRange, ofProject, paged, pageQuery, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { epoch } from '../telemetry/model.ts'

/** A site with fewer of its cameras up than this percentage is hiding or broken. */
export const leastOnline = 80

export const videoSite = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string().nullable(),
  areaName: z.string().nullable(),
  cameras: z.number().int(),
  online: z.number().int(),
  onlinePercent: z.number().int(),
  /** Of the places that every site has under a camera, those without one. */
  keySpotMissing: z.array(z.string()),
  /** The shortest of its cameras, as registered; null where none is. */
  storageDays: z.number().int().nullable(),
  /** When a camera that is away now was heard last. */
  lastOffline: epoch.nullable(),
  lastPatrol: epoch.nullable(),
  lastPatrolBy: z.string().nullable(),
  hitsToday: z.number().int(),
  /** The picture that stands for the site; null where all are away. */
  keyCamera: z.object({ deviceId: z.string(), name: z.string() }).nullable(),
})
export type VideoSite = z.infer<typeof videoSite>

/** Sites by how many of their cameras are up, the worst first; the figures are of all one sees. */
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
