import { pages } from '#kit/pages.ts'

/** What is in view stands in the address; it is one page all the same. */
const one = { keepAlive: false, cacheKey: 'path' } as const

export const videoPages = pages([
  {
    path: '/monitorIndex',
    name: 'monitor-index',
    title: '监控首页',
    ...one,
    module: 'video',
    code: 'video.view',
    load: () => import('./monitor-index-page.tsx'),
  },
  {
    path: '/VideoSurveillance',
    name: 'video-surveillance',
    title: '视频监控',
    ...one,
    module: 'video',
    code: 'video.play',
    load: () => import('./video-wall-page.tsx'),
  },
  {
    path: '/VideoSurveillances',
    name: 'video-surveillances',
    title: '视频监控汇总',
    ...one,
    module: 'video',
    code: 'video.play',
    load: () => import('./video-sites-page.tsx'),
  },
  {
    path: '/VideoPlayback',
    name: 'video-playback',
    title: '视频回放',
    ...one,
    module: 'video',
    code: 'video.playback',
    load: () => import('./video-playback-page.tsx'),
  },
  {
    path: '/videoAI',
    name: 'video-ai',
    title: 'AI 视频分析',
    ...one,
    module: 'video',
    code: 'video.view',
    load: () => import('./ai-live-page.tsx'),
  },
  {
    path: '/videoAIs',
    name: 'video-ais',
    title: 'AI 视频分析汇总',
    ...one,
    module: 'video',
    code: 'video.view',
    load: () => import('./ai-board-page.tsx'),
  },
  {
    path: '/AI',
    name: 'ai-events',
    title: 'AI 识别记录',
    keepAlive: true,
    module: 'video',
    code: 'video.view',
    load: () => import('./ai-list-page.tsx'),
  },
  {
    path: '/AI/detail',
    name: 'ai-event-detail',
    title: 'AI 识别详情',
    keepAlive: false,
    module: 'video',
    code: 'video.view',
    load: () => import('./ai-detail-page.tsx'),
  },
])
