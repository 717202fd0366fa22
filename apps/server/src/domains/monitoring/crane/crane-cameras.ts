import { AppError } from '@zhugong/contract/kit/errors'
import type * as calls from '@zhugong/contract/monitoring/crane/crane-endpoints'
import type { bindCraneCameras } from '@zhugong/contract/monitoring/crane/machine-cameras'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { getDeviceRow } from '../shared/devices.ts'

const family = 'towerCrane'

export const towerVideo: HandlerOf<typeof calls.towerVideo> = async ({ query }, ctx) => {
  // Without a requested crane, the first one with a camera.
  const id = query.id ?? (await firstWithCamera(ctx))
  if (!id) return { deviceId: null, cameras: [] }
  const row = await getDeviceRow(ctx, id, family)
  const { rows } = await sql<{ deviceId: string; name: string; place: string | null; online: boolean }>`
    select d.id as device_id, d.name, d.install_place as place, coalesce(l.online, false) as online
    from machine_camera c join device d on d.id = c.camera_id left join device_latest l on l.device_id = d.id
    where c.machine_id = ${row.id} and d.project_code = ${row.projectCode} and d.family = 'videoAi' order by d.name`.execute(ctx.db)
  return { deviceId: row.id, cameras: rows }
}

async function firstWithCamera(ctx: Context): Promise<string | undefined> {
  const projects = projectsFor(ctx, ctx.projectCode)
  const { rows } = await sql<{ id: string }>`
    select d.id from machine_camera c join device d on d.id = c.machine_id join project p on p.project_code = d.project_code
      join device v on v.id = c.camera_id and v.project_code = d.project_code and v.family = 'videoAi'
    where d.family = ${family} and d.status = '1' and ${allOf(...inProjects('d.projectCode', projects))} order by p.name, d.name, d.id limit 1`.execute(
    ctx.db,
  )
  return rows[0]?.id
}

export const bindCameras: HandlerOf<typeof bindCraneCameras> = async ({ params, body }, ctx) => {
  const crane = await getDeviceRow(ctx, params.id, family)
  const ids = [...new Set(body.cameraIds)]
  const { rows } = await sql<{ id: string; name: string; machine: string | null; machineName: string | null }>`
    select d.id, d.name, c.machine_id as machine, m.name as machine_name from device d left join machine_camera c on c.camera_id = d.id
      left join device m on m.id = c.machine_id and m.project_code = d.project_code
    where d.id = any (${ids}) and d.family = 'videoAi' and d.project_code = ${crane.projectCode} order by d.name`.execute(ctx.db)
  if (rows.length !== ids.length) throw new AppError('invalidInput', '只能绑定同一项目的摄像机', { field: 'cameraIds' })
  const taken = rows.find((one) => one.machineName !== null && one.machine !== crane.id)
  if (taken) throw new AppError('refused', `${taken.name} 已绑定 ${taken.machineName}，请先解除`, { field: 'cameraIds' })
  await sql`delete from machine_camera where machine_id = ${crane.id} or camera_id = any (${ids})`.execute(ctx.db)
  await sql`insert into machine_camera (camera_id, machine_id, project_code, by_name, at)
    select id, ${crane.id}, ${crane.projectCode}, ${ctx.user.name}, ${new Date(ctx.clock.now())} from unnest(${ids}::text[]) id`.execute(
    ctx.db,
  )
  ctx.note(
    rows.length > 0 ? `${crane.name} 绑定摄像机：${rows.map((one) => one.name).join('、')}` : `${crane.name} 解除全部摄像机`,
    crane.id,
  )
}
