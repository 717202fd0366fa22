import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { found } from '#kit/context'

export interface MachineOf {
  id: string
  projectCode: string
  corpCode: string
  groups: string[]
  name: string
  model: string
  deviceType: string
  recordNo: string | null
  position: string
  maintainCorp: string
  deviceId: string | null
  state: string
  scrappedAt: Date | null
}

/** A machine of a site as the caller sees it. @throws AppError `notFound` */
export async function machineOf(ctx: Pick<Context, 'db'>, stayId: string, projectCode?: string): Promise<MachineOf> {
  const { rows } =
    await sql<MachineOf>`select s.id, s.project_code, s.corp_code, s.groups, s.position, s.maintain_corp, s.device_id, s.state,
      m.name, m.model, m.device_type, m.record_no, m.scrapped_at
    from machine_stay s join special_machine m on m.id = s.machine_id where s.id = ${stayId}
      and (${projectCode ?? null}::text is null or s.project_code = ${projectCode ?? null})`.execute(ctx.db)
  return found(rows[0], '设备')
}

const [installing, dismantled] = ['3', '9']

/** @throws AppError at `machineId` when nothing stands there that could be looked at or worked on */
export function requireStanding({ name, state }: Pick<MachineOf, 'name' | 'state'>): void {
  if (state < (installing as string)) throw new AppError('invalidInput', `${name}尚未安装，不能登记`, { field: 'machineId' })
  if (state === dismantled) throw new AppError('invalidInput', `${name}已拆除，不能登记`, { field: 'machineId' })
}
