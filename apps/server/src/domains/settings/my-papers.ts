import { AppError } from '@zhugong/contract/kit/errors'
import { auditStates } from '@zhugong/contract/personnel/codes'
import type * as contract from '@zhugong/contract/settings/my-person'
import { sql } from 'kysely'
import { found } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { keptFiles } from '../files/public.ts'
import { addOwnRecord, badOf, contractsOf, insertCert, removeCert, removeHistory, workerHistory } from '../personnel/public.ts'
import { asOwner, plain } from './own-file.ts'

export const addMyCertificate: HandlerOf<typeof contract.addMyCertificate> = async ({ body }, ctx) => {
  // The files must be visible to the caller; the rights of `asOwner` do not apply to them.
  await keptFiles(ctx, body.files)
  return asOwner(ctx, async (own, workerId) => {
    const id = await insertCert(own, workerId, body)
    ctx.note(`本人上传证书 ${body.name}`, id)
    return { id }
  })
}

export const withdrawMyCertificate: HandlerOf<typeof contract.withdrawMyCertificate> = ({ params }, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const cert = await own.db
      .selectFrom('workerCert')
      .select(['createBy', 'updateBy'])
      .where('id', '=', params.id)
      .where('workerId', '=', workerId)
      .executeTakeFirst()
    const { createBy, updateBy } = found(cert, '证书')
    if ((updateBy ?? createBy) !== ctx.user.id) throw new AppError('refused', '只能撤回本人上传且未审核的证书')
    await removeCert({ params }, own)
    return undefined
  })

export const listMyRecords: HandlerOf<typeof contract.listMyRecords> = (_input, ctx) =>
  asOwner(ctx, async (own, id) => {
    const { list, total, attendDays } = await plain(workerHistory({ params: { id } }, own))
    const { rows } = await sql<{ year: string; days: number }>`
      select to_char(work_day, 'YYYY') as year, count(distinct work_day)::int as days from attendance_day
      where worker_id = ${id} and attend_day > 0 group by 1 order by 1 desc`.execute(own.db)
    return { list, total, attendDays, years: rows }
  })

export const addMyRecord: HandlerOf<typeof contract.addMyRecord> = ({ body }, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const id = await addOwnRecord(own, workerId, body)
    ctx.note('本人自填从业记录', id)
    return { id }
  })

export const removeMyRecord: HandlerOf<typeof contract.removeMyRecord> = ({ params }, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const record = await own.db
      .selectFrom('workerResume')
      .select('createBy')
      .where('id', '=', params.id)
      .where('workerId', '=', workerId)
      .executeTakeFirst()
    if (found(record, '从业记录').createBy !== ctx.user.id) throw new AppError('refused', '只能删除本人自填的记录')
    await removeHistory({ params }, own)
    return undefined
  })

export const listMyBadRecords: HandlerOf<typeof contract.listMyBadRecords> = (_input, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const existing = (await badOf(own, workerId)).filter((one) => one.auditStatus !== auditStates.refused)
    const list = existing.map(({ workerId: _worker, workerName: _name, own: _own, ...record }) => record)
    return { list, total: list.length }
  })

export const listMyContracts: HandlerOf<typeof contract.listMyContracts> = (_input, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const list = await contractsOf(own, workerId)
    const { rows } = await sql<{ name: string }>`
      select distinct p.name from project_worker s join project p using (project_code)
      where s.worker_id = ${workerId} and s.exit_time is null and not exists (
        select 1 from worker_contract k where k.worker_id = s.worker_id and k.project_code = s.project_code and k.terminate_date is null)`.execute(
      own.db,
    )
    return { list, total: list.length, missing: rows.map((row) => row.name) }
  })
