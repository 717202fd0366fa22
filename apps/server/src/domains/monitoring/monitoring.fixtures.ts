import { sendBroadcast } from '@zhugong/contract/monitoring/helmet/helmet-care'
import { settleMonth } from '@zhugong/contract/monitoring/meter/meter-settle'
import { importPiles } from '@zhugong/contract/monitoring/pile/pile-register'
import { importSurvey } from '@zhugong/contract/monitoring/pit/pit-surveys'
import { previewCameraAi } from '@zhugong/contract/monitoring/video/camera-ai'
import { checkGb, downloadClip, movePtz, setGbAccount, setMediaAccount } from '@zhugong/contract/monitoring/video/video'
import { removeMark } from '@zhugong/contract/monitoring/video/video-marks'
import { startTalk, stopTalk } from '@zhugong/contract/monitoring/video/video-talk'
import { addWall, changeWall, removeWall } from '@zhugong/contract/monitoring/video/video-walls'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    { why: 'needs a month with readings (monitoring/meter-settle.test.ts)', calls: [settleMonth] },
    { why: 'platform only', calls: [setMediaAccount, setGbAccount, checkGb] },
    { why: 'takes a workbook; its own test tries who may import', calls: [importSurvey, importPiles] },
    {
      why: 'needs a media server; monitoring/routes.test.ts tries who may',
      calls: [downloadClip, movePtz, startTalk, stopTalk],
    },
    { why: 'sends to the devices within a circle; monitoring/helmet-care.test.ts tries who may', calls: [sendBroadcast] },
    { why: 'changes the caller’s own bookmark only', calls: [removeMark] },
    { why: 'changes the caller’s own layout only', calls: [addWall, changeWall, removeWall] },
  ],
  reads: [
    {
      endpoint: previewCameraAi,
      by: 'hospital-pm',
      input: ({ camera, project }) => ({ params: { id: camera }, query: { projectCode: project }, body: { thresholds: [], zones: [] } }),
    },
  ],
  withoutPage: [
    { why: 'older address of a call that pages make under another', names: ['listTickets', 'listAiEvents', 'helmetTrack'] },
    {
      why: 'records and figures for clients that read them, shown on pages by calls of several kinds at once',
      names: [
        'formworkDevice',
        'formworkRecords',
        'liftRecords',
        'liftCycles',
        'liftDailyAlarms',
        'unloadingRecords',
        'helmetAlarmLine',
        'helmetAlarmPie',
      ],
    },
  ],
  writes: {
    device_record: 'cycles computed from readings are records of the device',
    setting: 'the account of the video platform',
  },
}
