import { ageOn } from '@zhugong/contract/kit/checks'
import * as contract from '@zhugong/contract/personnel/dossier'
import { lifelongCard, realNameStates } from '@zhugong/contract/personnel/rules'
import { areaPath, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { declared } from '#kit/declared-keys'
import type { Serve } from '#kit/serve'
import type { ListContext } from '../exports/registry.ts'
import { linkOf } from '../files/public.ts'
import { badOf } from './bad.ts'
import { shownBirthday } from './birthday.ts'
import { workName } from './cert-dues.ts'
import { toCert } from './certs.ts'
import { contractsOf } from './contracts.ts'
import { careerOf } from './history.ts'
import { nativePlace } from './native-place.ts'
import { maskAddress } from './roster-rows.ts'
import { filedBy, getSeenWorker, type SeenWorker } from './store.ts'
import { answerOf } from './worker-file.ts'

export function dossierRoutes(serve: Serve) {
  serve(contract.workerDossier, async ({ params }, ctx) => declared(contract.workerDossier, await dossierOf(ctx, params.id)))
}

/** All data of a person that the caller may see, for the page and the printed document. Health data is excluded. */
export async function dossierOf(ctx: ListContext, workerId: string): Promise<contract.Dossier> {
  const seen = await getSeenWorker(ctx, workerId)
  const { worker: w, hold, until } = seen
  const now = ctx.clock.now()
  const today = formatDay(now)
  const certs = await ctx.db
    .selectFrom('workerCert')
    .selectAll()
    .where('workerId', '=', w.id)
    .where(filedBy(until))
    .orderBy('issueDate', 'desc')
    .orderBy('id')
    .execute()
  const contracts = await contractsOf(ctx, w.id)
  const records = await badOf(ctx, w.id)
  const certRows = certs.map((c) => toCert(ctx, c, today))
  return {
    workerId: w.id,
    hold,
    sheetNo: `YD${today.replaceAll('-', '')}-${w.id.slice(0, 8).toUpperCase()}`,
    madeAt: formatInstant(now),
    name: w.name,
    photo: linkOf(ctx, w.headImage),
    gender: dictName('gender', w.gender),
    age: ageOn(w.birthday, today),
    birthday: shownBirthday(w),
    nation: dictName('nation', w.nation),
    nativePlace: nativePlace(w.birthPlaceCode, areaPath),
    idCardType: dictName('idCardType', w.idCardType),
    idCardNumber: w.idCardMask,
    idCardValid: w.expiryDate ? `${w.startDate ?? '--'} 至 ${w.expiryDate === lifelongCard ? '长期' : w.expiryDate}` : null,
    address: maskAddress(ctx.secrets.open(w.address)),
    cellPhone: w.cellPhoneMask,
    urgent: w.urgentLinkMan ? `${w.urgentLinkMan} ${w.urgentLinkManPhoneMask ?? ''}`.trim() : null,
    education: dictName('education', w.cultureLevel),
    workType: dictName('workerType', w.workTypeCode),
    realName: realNameStates[w.realNameState as keyof typeof realNameStates] ?? w.realNameState,
    stay: await presentPlace(ctx, w.id),
    career: await careerOf(ctx, w.id, until),
    contracts,
    certs: certRows,
    trainings: await trainingsOf(ctx, seen),
    attendance: await monthsOf(ctx, w.id),
    records,
    consents: (w.consents ?? []).map(answerOf),
    attachments: [
      { name: '证件照片', count: [w.headImage, w.positiveIdCardImage, w.negativeIdCardImage, w.facePhoto].filter(Boolean).length },
      { name: '合同附件', count: contracts.reduce((sum, k) => sum + k.files.length, 0) },
      { name: '证书照片', count: certRows.reduce((sum, c) => sum + c.files.length, 0) },
      { name: '奖惩证据', count: records.reduce((sum, b) => sum + b.files.length, 0) },
    ],
  }
}

async function presentPlace(ctx: ListContext, workerId: string): Promise<string | null> {
  const { rows } = await sql<{
    projectName: string
    corpName: string | null
    teamName: string | null
    workType: string | null
    post: string | null
  }>`
    select p.name as project_name, c.corp_name, t.team_name, w.work_type, w.post from project_worker w join project p using (project_code)
      left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
    where w.worker_id = ${workerId} and w.exit_time is null order by w.entry_time desc`.execute(ctx.db)
  const places = rows.map((w) => [w.projectName, w.corpName, w.teamName, workName(w)].filter(Boolean).join(' · '))
  return places.length ? places.join('；') : null
}

async function trainingsOf(ctx: ListContext, { worker, until }: SeenWorker): Promise<contract.Dossier['trainings']> {
  const { rows } = await sql<{
    id: string
    trainingType: string
    name: string | null
    trainDate: string
    hours: number
    score: number | null
    passed: boolean
    trainer: string | null
    projectName: string | null
  }>`
    select t.id, t.training_type, t.name, t.train_date, t.hours, t.score, t.passed, t.trainer, p.name as project_name
    from worker_training t left join project p using (project_code)
    where t.worker_id = ${worker.id} and t.passed is not null and (${until}::timestamptz is null or t.create_time <= ${until}::timestamptz)
    order by t.train_date desc, t.id`.execute(ctx.db)
  return rows.map(({ trainingType, ...t }) => ({ ...t, year: t.trainDate.slice(0, 4), typeName: dictName('trainingType', trainingType) }))
}

async function monthsOf(ctx: ListContext, workerId: string): Promise<contract.Dossier['attendance']> {
  const { rows } = await sql<contract.Dossier['attendance'][number]>`
    select to_char(d.work_day, 'YYYY-MM') as month, p.name as project_name, count(*) filter (where d.attend_day > 0)::int as days,
      sum(d.work_hours)::float as hours, count(*) filter (where 11 = any (d.results))::int as corrected
    from attendance_day d join project p using (project_code)
    where d.worker_id = ${workerId} and d.record_count > 0 group by 1, 2 order by 1 desc, 2 limit 60`.execute(ctx.db)
  return rows
}
