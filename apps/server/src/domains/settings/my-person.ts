import { ageOn } from '@zhugong/contract/kit/checks'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { expiringDays } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import * as contract from '@zhugong/contract/settings/my-person'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { recordLook } from '../access/public.ts'
import { linkOf } from '../files/public.ts'
import { requireOwnPassword } from '../identity/public.ts'
import { answerOf, withdrawFace, workerCerts } from '../personnel/public.ts'
import {
  addMyCertificate,
  addMyRecord,
  listMyBadRecords,
  listMyContracts,
  listMyRecords,
  removeMyRecord,
  withdrawMyCertificate,
} from './my-papers.ts'
import { asOwner, ownWorkerId, plain } from './own-file.ts'

/** Access of a person to their own file. */
export function myPersonRoutes(serve: Serve) {
  serve(contract.getMyPerson, getMyPerson)
  serve(contract.openMyPerson, openMyPerson)
  serve(contract.agreeToMyStay, agreeToMyStay)
  serve(contract.withdrawMyConsent, withdrawMyConsent)
  serve(contract.listMyCertificates, (_, ctx) => asOwner(ctx, (own, id) => plain(workerCerts({ params: { id } }, own))))
  serve(contract.addMyCertificate, addMyCertificate)
  serve(contract.withdrawMyCertificate, withdrawMyCertificate)
  serve(contract.listMyRecords, listMyRecords)
  serve(contract.addMyRecord, addMyRecord)
  serve(contract.removeMyRecord, removeMyRecord)
  serve(contract.listMyBadRecords, listMyBadRecords)
  serve(contract.listMyContracts, listMyContracts)
}

const looksShown = 100

const getMyPerson: HandlerOf<typeof contract.getMyPerson> = async (_input, ctx) => {
  if (!(await ownWorkerId(ctx))) return { person: null }
  return { person: await asOwner(ctx, fileOf) }
}

async function fileOf(own: Context, id: string) {
  const today = formatDay(own.clock.now())
  const w = found(await own.db.selectFrom('worker').selectAll().where('id', '=', id).executeTakeFirst(), '实名档案')
  const stays = await sql<{
    id: string
    confirmed: boolean
    projectName: string
    corpName: string | null
    teamName: string | null
    entryTime: Date
  }>`
    select s.id, s.confirmed_at is not null as confirmed, p.name as project_name, c.corp_name, t.team_name, s.entry_time from project_worker s join project p using (project_code)
      left join corporation c on c.corp_code = s.corp_code left join team t on t.id = s.team_id
    where s.worker_id = ${id} and s.exit_time is null order by s.entry_time desc`.execute(own.db)
  const counts = await sql<{ certificates: number; ending: number; records: number; bad: number; contracts: number; requests: number }>`
    select (select count(*)::int from worker_cert where worker_id = ${id}) as certificates,
      (select count(*)::int from worker_cert where worker_id = ${id} and audit_status = ${auditStates.passed} and status = '1'
        and valid_end <= ${addDays(today, expiringDays)}::date) as ending,
      (select count(*)::int from project_worker where worker_id = ${id}) + (select count(*)::int from worker_resume where worker_id = ${id}) as records,
      (select count(*)::int from worker_bad where worker_id = ${id} and audit_status = ${auditStates.passed} and valid_until >= ${today}::date) as bad,
      (select count(*)::int from worker_contract where worker_id = ${id}) as contracts,
      (select count(*)::int from person_request where worker_id = ${id} and state = '1') as requests`.execute(own.db)
  return rowOf(contract.ownFile, w, {
    genderName: dictName('gender', w.gender),
    age: ageOn(w.birthday, today),
    nationName: dictName('nation', w.nation),
    idCardTypeName: dictName('idCardType', w.idCardType),
    hasAddress: w.address !== null,
    photo: linkOf(own, w.headImage),
    hasFacePhoto: w.facePhoto !== null,
    workTypeName: dictName('workerType', w.workTypeCode),
    consents: w.consents.map(answerOf),
    stays: stays.rows.map((s) => ({ ...s, entryTime: formatDay(s.entryTime) })),
    looks: await looksAt(own, id),
    counts: counts.rows[0] ?? { certificates: 0, ending: 0, records: 0, bad: 0, contracts: 0, requests: 0 },
  })
}

/** Read log of the file. For an authority, only the group is named, not the user. */
async function looksAt(own: Context, workerId: string) {
  const { rows } = await sql<{ id: string; at: Date; userName: string; groupName: string; summary: string; type: number | null }>`
    select a.id, a.at, a.user_name, a.group_name, a.summary, t.type from audit_log a left join tenant t on t.id = a.group_id
    where a.object_id = ${workerId} and a.action = 'look' and a.user_id is distinct from ${own.user.id} order by a.at desc limit ${looksShown}`.execute(
    own.db,
  )
  return rows.map((r) => ({
    ...pick(r, 'id', 'groupName', 'summary'),
    at: formatInstant(r.at),
    viewer: r.type === groupTypes.government ? '监管机构' : r.userName,
  }))
}

const openMyPerson: HandlerOf<typeof contract.openMyPerson> = async ({ body }, ctx) => {
  await requireOwnPassword(ctx, body.password)
  return asOwner(ctx, async (own, id) => {
    const w: Row<'worker'> = found(await own.db.selectFrom('worker').selectAll().where('id', '=', id).executeTakeFirst(), '实名档案')
    ctx.note('查看本人完整信息', id)
    await recordLook(ctx, { objectId: id, summary: `用账号 ${ctx.user.account} 查看本人完整信息`, projectCode: null })
    const { open } = ctx.secrets
    return {
      idCardNumber: open(w.idCardNumber),
      cellPhone: open(w.cellPhone),
      address: open(w.address),
      urgentLinkManPhone: open(w.urgentLinkManPhone),
      positiveIdCardImage: linkOf(own, w.positiveIdCardImage),
      negativeIdCardImage: linkOf(own, w.negativeIdCardImage),
      facePhoto: linkOf(own, w.facePhoto),
    }
  })
}

const agreeToMyStay: HandlerOf<typeof contract.agreeToMyStay> = async ({ params, body }, ctx) => {
  await requireOwnPassword(ctx, body.password)
  await asOwner(ctx, async (own, workerId) => {
    const stay = await own.db
      .selectFrom('projectWorker')
      .select('projectCode')
      .where('id', '=', params.id)
      .where('workerId', '=', workerId)
      .where('exitTime', 'is', null)
      .executeTakeFirst()
    const { projectCode } = found(stay, '在场记录')
    await sql`select zg_confirm_stay(${projectCode}, ${workerId}, ${new Date(ctx.clock.now())})`.execute(own.db)
    ctx.note('本人确认进场', params.id)
  })
  return undefined
}

const withdrawMyConsent: HandlerOf<typeof contract.withdrawMyConsent> = async ({ body }, ctx) => {
  await requireOwnPassword(ctx, body.password)
  await asOwner(ctx, async (own, id) => {
    await withdrawFace(own, id)
    ctx.note('本人撤回人脸采集授权', id)
    await recordLook(ctx, { objectId: id, summary: `用账号 ${ctx.user.account} 撤回人脸采集授权`, projectCode: null })
  })
  return undefined
}
