import { aiTypes } from '@zhugong/contract/monitoring/ai-codes'
import { aiEventList, aiVerdictNames } from '@zhugong/contract/monitoring/ai-events'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf } from '../exports/registry.ts'
import { aiEventPage } from './ai-events.ts'
import { registerMarkExport } from './video-marks.ts'
import { registerPatrolExport } from './video-patrols.ts'
import { registerVideoSiteExport } from './video-sites.ts'
import { registerViewExport } from './video-views.ts'

/** What cameras recognised, and rounds looked through, as files: words only, no pictures of anybody. */
export function registerAiExports(): void {
  registerPatrolExport()
  registerMarkExport()
  registerVideoSiteExport()
  registerViewExport()
  exportOf(
    aiEventList,
    {
      title: 'AI 识别记录',
      widths: { projectName: 28, deviceName: 24, time: 20 },
      ...byPages(aiEventPage),
    },
    {
      type: (r) => aiTypes[r.type as keyof typeof aiTypes] ?? r.type,
      time: (r) => formatInstant(r.time),
      review: (r) => aiVerdictNames[r.review],
    },
  )
}
