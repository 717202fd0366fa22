import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, ofProject, paged, pageQuery, ref } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

export const wallSizes = [1, 4, 9, 16] as const
/** Most layouts per person and site. */
export const mostWalls = 20

const videoWall = z.object({
  id: z.string(),
  projectCode: z.string(),
  name: z.string(),
  size: z.number().int(),
  cameras: z.array(z.string()),
  /** Visible to the whole group of its author. */
  shared: z.boolean(),
  byName: z.string(),
  updateTime: epoch,
  version: z.number().int(),
  /** Only the author may change it. */
  own: z.boolean(),
})
export type VideoWall = z.infer<typeof videoWall>

const path = '/api/v1/oa/process/videoWall'
const layout = 'video.layout'
const one = z.object({ id: ref('videoWall') })
const given = z
  .object({
    name: filled(30, '布局名称'),
    size: z.coerce.number().refine((n) => (wallSizes as readonly number[]).includes(n), '画面数应为 1、4、9 或 16'),
    cameras: z.array(ref('device')).min(1, '请先把摄像机放到墙上'),
    shared: z.boolean({ error: '请选择仅自己或本单位共用' }),
  })
  .superRefine(({ size, cameras }, ctx) => {
    if (cameras.length > size) ctx.addIssue({ code: 'custom', path: ['cameras'], message: `${size} 画面最多放 ${size} 路` })
    if (new Set(cameras).size < cameras.length) ctx.addIssue({ code: 'custom', path: ['cameras'], message: '同一摄像机只能放一次' })
  })

/** One's own layouts and those shared in the group. */
export const listWalls = endpoint({
  method: 'GET',
  path,
  summary: '视频墙布局列表',
  needs: 'video.play',
  answers: 'list',
  query: pageQuery.extend(ofProject.shape),
  response: paged(videoWall),
})
export const addWall = endpoint({
  method: 'POST',
  path,
  summary: '保存视频墙布局',
  needs: layout,
  acts: 'aside',
  query: ofProject,
  body: given,
  response: videoWall,
})
export const changeWall = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改视频墙布局',
  needs: layout,
  acts: 'aside',
  params: one,
  query: ofProject,
  body: given.safeExtend({ version: z.coerce.number().int() }),
  response: videoWall,
})
export const removeWall = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除视频墙布局',
  needs: layout,
  acts: 'aside',
  params: one,
  query: ofProject,
})
