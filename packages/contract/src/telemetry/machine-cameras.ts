import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref } from '../kit/fields.ts'

/** Hook, cabin, mast top, and one more. */
const mostCameras = 4
/** Which cameras look at a crane: those named from now on, and no others. A camera looks at one machine, and stands on its site. */
export const bindCraneCameras = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/tower/video/:id',
  summary: '绑定塔机摄像机',
  needs: 'device-admin.edit',
  params: z.object({ id: ref('device') }),
  body: z.object({
    cameraIds: z.array(ref('device'), { error: '请选择摄像机' }).max(mostCameras, `一台塔机最多绑定 ${mostCameras} 路摄像机`),
  }),
})
