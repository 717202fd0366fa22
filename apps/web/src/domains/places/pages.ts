import { pages } from '#kit/pages.ts'

const settings = { module: 'settings', title: '单体与部位', keepAlive: false, code: 'setting.view' } as const

export const placePages = pages([
  {
    ...settings,
    path: '/informationSettings/places',
    name: 'information-settings-places',
    parent: '/informationSettings',
    load: () => import('./places-page.tsx'),
  },
  {
    ...settings,
    path: '/system/project/places',
    name: 'system-project-places',
    parent: '/system/project',
    load: () => import('./places-page.tsx'),
  },
])
