import { sql } from 'kysely'
import type { Context } from '#kit/context'

interface Operator {
  projectCode: string
  corpCode: string
  workerId: string
  deviceIds: readonly string[]
}

/** Puts a person on machines that recognise who operates them; who has not consented is left out. The jobs role sends it as to gates. */
export async function putOperator(
  ctx: Pick<Context, 'db' | 'clock'>,
  { projectCode, corpCode, workerId, deviceIds }: Operator,
): Promise<void> {
  await sql`insert into gate_face (device_id, worker_id, project_code, corp_code, state, at)
    select d.id, w.id, ${projectCode}, ${corpCode}, '0', ${new Date(ctx.clock.now())} from device d join worker w on w.id = ${workerId}
    where d.id = any (${[...deviceIds]}) and d.project_code = ${projectCode} and w.consents @> '[{"kind":"face","state":"同意"}]'
    on conflict (device_id, worker_id) do update set state = '0', reason = null, at = excluded.at`.execute(ctx.db)
}

/** Takes a person off machines; the jobs role tells them. */
export async function takeOperator(
  ctx: Pick<Context, 'db' | 'clock'>,
  { workerId, deviceIds }: Pick<Operator, 'workerId' | 'deviceIds'>,
  reason: string,
): Promise<void> {
  await sql`update gate_face set state = '3', reason = ${reason}, at = ${new Date(ctx.clock.now())}
    where worker_id = ${workerId} and device_id = any (${[...deviceIds]}) and state <> '3'`.execute(ctx.db)
}
