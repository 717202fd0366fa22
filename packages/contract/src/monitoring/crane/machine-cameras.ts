import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { ref } from '../../kit/fields.ts'

/** Most cameras of a machine: hook, cabin, mast top, and one more. */
const mostCameras = 4
/** Sets the cameras of a crane. A camera belongs to one machine and to the same site. */
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
