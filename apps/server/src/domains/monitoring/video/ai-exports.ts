import { aiTypes } from '@zhugong/contract/monitoring/video/ai-codes'
import { aiEventList, aiVerdictNames } from '@zhugong/contract/monitoring/video/ai-events'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf } from '../../exports/registry.ts'
import { aiEventPage } from './ai-events.ts'
import { registerMarkExport } from './video-marks.ts'
import { registerPatrolExport } from './video-patrols.ts'
import { registerVideoSiteExport } from './video-sites.ts'
import { registerViewExport } from './video-views.ts'

/** Exports of recognitions and patrols: text only, no pictures of people. */
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
