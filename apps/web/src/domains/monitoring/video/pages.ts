import { pages } from '#kit/pages.ts'

/** URL parameters only select what the page shows: one cached page for all of them. */
const one = { keepAlive: false, cacheKey: 'path' } as const

export const videoPages = pages([
  {
    path: '/monitorIndex',
    name: 'monitor-index',
    ...one,
    module: 'video',
    load: () => import('./monitor-index-page.tsx'),
  },
  {
    path: '/VideoSurveillance',
    name: 'video-surveillance',
    ...one,
    module: 'video',
    load: () => import('./video-wall-page.tsx'),
  },
  {
    path: '/VideoSurveillances',
    name: 'video-surveillances',
    ...one,
    module: 'video',
    load: () => import('./video-sites-page.tsx'),
  },
  {
    path: '/VideoPlayback',
    name: 'video-playback',
    ...one,
    module: 'video',
    load: () => import('./video-playback-page.tsx'),
  },
  {
    path: '/videoAI',
    name: 'video-ai',
    ...one,
    module: 'video',
    load: () => import('./ai-live-page.tsx'),
  },
  {
    path: '/videoAIs',
    name: 'video-ais',
    ...one,
    module: 'video',
    load: () => import('./ai-board-page.tsx'),
  },
  {
    path: '/AI',
    name: 'ai-events',
    keepAlive: true,
    module: 'video',
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
