import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import type { MergeField } from '@zhugong/contract/personnel/merge'
import * as contract from '@zhugong/contract/personnel/merge'
import { realNameStates } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { RowUpdate } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { giveStays } from '../labour/public.ts'
import { maskAddress } from './roster-rows.ts'
import type { Worker } from './store.ts'

export function mergeRoutes(serve: Serve) {
  serve(contract.listTwins, listTwins)
  serve(contract.mergeWorkers, mergeWorkers)
}

const mostPairs = 100
const listTwins: HandlerOf<typeof contract.listTwins> = async (_input, ctx) => {
  const { rows: groups } = await sql<{ why: string; ids: string[] }>`
    select why, ids from (
      select '同一手机号' as why, array_agg(id order by create_time) as ids from worker
        where not deleted and cell_phone_hash is not null group by cell_phone_hash having count(*) > 1
      union all
      select '姓名与出生日期相同', array_agg(id order by create_time) from worker where not deleted group by name, birthday having count(*) > 1) g
    limit ${mostPairs}`.execute(ctx.db)
  const list = []
  for (const { why, ids } of groups) {
    const files = await ctx.db.selectFrom('worker').selectAll().where('id', 'in', ids.slice(0, 6)).orderBy('createTime').execute()
    list.push({ why, files: await Promise.all(files.map((w) => twinOf(ctx, w))) })
  }
  return { list, total: list.length }
}

async function twinOf(ctx: Context, w: Worker): Promise<contract.Twin> {
  const { rows: stays } = await sql<{ projectName: string; entryTime: Date; exitTime: Date | null }>`
    select p.name as project_name, s.entry_time, s.exit_time from project_worker s join project p using (project_code)
    where s.worker_id = ${w.id} order by s.entry_time desc`.execute(ctx.db)
  const { rows } = await sql<{ certs: number; contracts: number }>`
    select (select count(*)::int from worker_cert where worker_id = ${w.id}) as certs,
      (select count(*)::int from worker_contract where worker_id = ${w.id}) as contracts`.execute(ctx.db)
  return {
    workerId: w.id,
    version: w.version,
    createTime: formatInstant(w.createTime),
    realName: realNameStates[w.realNameState as keyof typeof realNameStates] ?? w.realNameState,
    values: {
      name: w.name,
      idCard: w.idCardMask,
      cellPhone: w.cellPhoneMask,
      address: maskAddress(ctx.secrets.open(w.address)),
      nation: dictName('nation', w.nation),
      headImage: w.headImage ? '有' : null,
      facePhoto: w.facePhoto ? '有' : null,
      cultureLevel: dictName('education', w.cultureLevel),
      workTypeCode: dictName('workerType', w.workTypeCode),
      urgent: w.urgentLinkMan,
    },
    stays: stays.map((s) => ({
      projectName: s.projectName,
      entryTime: formatInstant(s.entryTime).slice(0, 10),
      exitTime: s.exitTime ? formatInstant(s.exitTime).slice(0, 10) : null,
    })),
    certs: rows[0]?.certs ?? 0,
    contracts: rows[0]?.contracts ?? 0,
    passes: await hasPassed(ctx, w.id),
  }
}

async function hasPassed(ctx: Context, workerId: string): Promise<boolean> {
  // Joined through the sites of the person's stays: events are indexed by site and person, not by person.
  const { rows } = await sql`
    select 1 from project_worker s join attendance_event e on e.project_code = s.project_code and e.worker_id = s.worker_id
    where s.worker_id = ${workerId} limit 1`.execute(ctx.db)
  return rows.length > 0
}

/** The columns that each merge field copies from one file to the other. */
const columnsOf: Record<MergeField, readonly (keyof Worker)[]> = {
  name: ['name'],
  idCard: [
    'idCardType',
    'idCardNumber',
    'idCardHash',
    'idCardMask',
    'gender',
    'birthday',
    'birthPlaceCode',
    'startDate',
    'expiryDate',
    'grantOrg',
  ],
  cellPhone: ['cellPhone', 'cellPhoneHash', 'cellPhoneMask'],
  address: ['address'],
  nation: ['nation'],
  headImage: ['headImage', 'positiveIdCardImage', 'negativeIdCardImage'],
  facePhoto: ['facePhoto'],
  cultureLevel: ['cultureLevel'],
  workTypeCode: ['workTypeCode'],
  urgent: ['urgentLinkMan', 'urgentLinkManPhone', 'urgentLinkManPhoneMask'],
}

const mergeWorkers: HandlerOf<typeof contract.mergeWorkers> = async ({ body }, ctx) => {
  // Locks the rows in the order of their ids, so that concurrent merges cannot deadlock.
  const rows = await ctx.db
    .selectFrom('worker')
    .selectAll()
    .where('id', 'in', [body.keepId, body.dropId])
    .where('deleted', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute()
  const keep = found(
    rows.find((w) => w.id === body.keepId),
    '保留的档案',
  )
  const drop = found(
    rows.find((w) => w.id === body.dropId),
    '并入的档案',
  )
  if (keep.version !== body.keepVersion || drop.version !== body.dropVersion) throw changedMeanwhile('档案')
  if (await hasPassed(ctx, drop.id))
    throw new AppError('refused', '要并入的档案已有通行记录，考勤账本不能改写；请保留这一份，把另一份并入它', { field: 'dropId' })
  const { rows: faces } = await sql`select 1 from gate_face where worker_id = ${drop.id} and state <> '3' limit 1`.execute(ctx.db)
  if (faces.length) throw new AppError('refused', '要并入的档案的人脸还在门禁上，请先暂停作业收回后再合并', { field: 'dropId' })
  const stays = await giveStays(ctx, drop.id, keep.id)
  const moved = await giveRecords(ctx, drop.id, keep.id)
  await dissolve(ctx, drop, keep)
  await keepFields(ctx, keep, drop, body.take)
  const number = body.take.includes('idCard') ? keep : drop
  await ctx.db
    .updateTable('worker')
    .set({ idCardType: number.idCardType, idCardNumber: number.idCardNumber, idCardHash: number.idCardHash, idCardMask: number.idCardMask })
    .where('id', '=', drop.id)
    .execute()
  ctx.note(`合并人员档案 ${maskName(drop.name)} 并入 ${maskName(keep.name)}，${stays} 段在场（${body.reason}）`, keep.id)
  return { stays, ...moved }
}

async function giveRecords(ctx: Context, from: string, to: string): Promise<{ certs: number; contracts: number }> {
  const counts: Record<string, number> = {}
  for (const table of ['workerCert', 'workerContract', 'workerBad', 'workerTraining', 'workerResume', 'workerImportRow'] as const) {
    const done = await ctx.db.updateTable(table).set({ workerId: to }).where('workerId', '=', from).executeTakeFirst()
    counts[table] = Number(done.numUpdatedRows)
  }
  return { certs: counts.workerCert ?? 0, contracts: counts.workerContract ?? 0 }
}

/** Clears the merged file except for its number, which is written last: two files never have the same number at once. */
async function dissolve(ctx: Context, drop: Worker, keep: Worker): Promise<void> {
  const nothing = Object.fromEntries(
    Object.values(columnsOf)
      .flat()
      .filter((column) => !['name', 'gender', 'birthday', 'idCardType', 'idCardNumber', 'idCardHash', 'idCardMask'].includes(column))
      .map((column) => [column, null]),
  )
  await changeRow(ctx, 'worker', {
    key: { id: drop.id },
    version: drop.version,
    noun: '人员档案',
    by: ctx.user.id,
    values: {
      ...(nothing as RowUpdate<'worker'>),
      consents: JSON.stringify([]),
      health: null,
      idCardHash: `merged:${drop.id}`,
      deleted: true,
      mergedInto: keep.id,
    },
  })
}

async function keepFields(ctx: Context, keep: Worker, drop: Worker, take: readonly MergeField[]): Promise<void> {
  const taken = Object.fromEntries(take.flatMap((field) => columnsOf[field].map((column) => [column, drop[column]])))
  const consents = [...keep.consents, ...drop.consents].filter(
    (c, i, all) => all.findIndex((o) => o.kind === c.kind) === i || (c.kind === 'face' && take.includes('facePhoto')),
  )
  const faceFirst = take.includes('facePhoto') ? [...consents].filter((c) => c.kind !== 'face' || drop.consents.includes(c)) : consents
  const isAnother = take.includes('name') || take.includes('idCard')
  await changeRow(ctx, 'worker', {
    key: { id: keep.id },
    version: keep.version,
    noun: '人员档案',
    by: ctx.user.id,
    values: {
      ...(taken as RowUpdate<'worker'>),
      // Always written, so that the copies in the transferred stays are updated.
      name: take.includes('name') ? drop.name : keep.name,
      consents: JSON.stringify(faceFirst),
      ...(isAnother ? { realNameState: '0' } : {}),
    },
  })
}
