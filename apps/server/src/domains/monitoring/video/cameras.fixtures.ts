import { reviewAiEvent } from '@zhugong/contract/monitoring/video/ai-events'
import { setCameraAi } from '@zhugong/contract/monitoring/video/camera-ai'
import { type CallCase, call, type Fixtures, insertRecord, recordId } from '../../../../test/fixtures/helpers.ts'
import type { SiteRows } from '../../../../test/parts/site-rows.ts'

const aiEvent = (site: SiteRows) => recordId(site.device('videoAi'), 'ai')

/** Removes settings of cameras. */
const unsetCameras: Pick<CallCase, 'meanwhile'> = {
  meanwhile: ['delete from camera_ai where project_code = $1', 'delete from camera_ai where project_code = $1'],
}

export const fixtures: Fixtures = {
  calls: [
    call(
      reviewAiEvent,
      'site',
    )((s) => ({ params: { id: aiEvent(s) }, query: { projectCode: s.projectCode }, body: { review: '1', reason: null, version: -1 } })),
    call(
      setCameraAi,
      'site',
      unsetCameras,
    )((s) => ({
      params: { id: s.device('videoAi') },
      query: { projectCode: s.projectCode },
      body: { thresholds: [{ type: 'noHelmet', least: 0.8 }], zones: [], version: -1 },
    })),
  ],
  projectRows: async ({ pool, projectCode, deviceOf }) => {
    const camera = deviceOf('videoAi')
    if (camera)
      await pool.query(
        `insert into camera_ai (device_id, project_code, zones, update_by, update_time)
         values ($1, $2, '[{"name":"隔离测试","points":[[0,0],[1,0],[1,1]],"fromMinute":null,"untilMinute":null}]', '样例', now())`,
        [camera.id, projectCode],
      )
  },
  siteRows: (pool, site) =>
    insertRecord(pool, site, site.device('videoAi'), { id: 'ai', record: 'aiEvent', data: { type: 'noHelmet', confidence: 0.9 } }),
}
