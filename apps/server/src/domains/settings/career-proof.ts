import { createHash, randomInt } from 'node:crypto'
import { Readable } from 'node:stream'
import { maskName } from '@zhugong/contract/kit/checks'
import * as contract from '@zhugong/contract/settings/career-proof'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, FileAnswer, found } from '#kit/context'
import { pageSlice } from '#kit/list'
import { Pdf } from '#kit/pdf'
import type { HandlerOf, Serve } from '#kit/serve'
import { workerHistory } from '../personnel/public.ts'
import { asOwner, plain } from './own-file.ts'
import type { CareerProof } from './tables.ts'

/** 从业证明 (proof of employment): a numbered document of a person's recorded career, and the public page that verifies it. */
export function careerProofRoutes(serve: Serve, publicUrl: string | undefined) {
  serve(contract.issueCareerProof, issue)
  serve(contract.listCareerProofs, list)
  serve(contract.printCareerProof, print(publicUrl))
  serve.open(contract.checkCareerProof, async ({ query }, ctx) => {
    const row = await ctx.system.selectFrom('careerProof').selectAll().where('number', '=', query.number).executeTakeFirst()
    const proof = found(row, '该编号的证明')
    return { number: proof.number, issuedTime: formatInstant(proof.issuedAt), digest: proof.digest, ...proof.content }
  })
}

const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const secretSigns = 12
const digestShown = 16

/** Entries by the person are left out: the document contains only what gates and sites recorded. */
const issue: HandlerOf<typeof contract.issueCareerProof> = (_input, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const worker = found(await own.db.selectFrom('worker').select('name').where('id', '=', workerId).executeTakeFirst(), '实名档案')
    const { list: career } = await plain(workerHistory({ params: { id: workerId } }, own))
    const content: contract.ProofContent = {
      name: maskName(worker.name),
      stays: career
        .filter((one) => one.source === 'platform')
        .map(({ projectName, workTypeName, entryTime, exitTime, attendDays }) => ({
          projectName,
          workTypeName,
          entryTime,
          exitTime,
          attendDays: attendDays ?? 0,
        })),
      trainings: await trainingsOf(own, workerId),
    }
    const now = own.clock.now()
    const number = `CY${formatDay(now).slice(0, 4)}-${Array.from({ length: secretSigns }, () => signs[randomInt(signs.length)]).join('')}`
    const digest = createHash('sha256')
      .update(JSON.stringify([number, content]))
      .digest('hex')
      .slice(0, digestShown)
    await own.db
      .insertInto('careerProof')
      .values({ id: ctx.newId(), number, workerId, userId: ctx.user.id, content: JSON.stringify(content), digest, issuedAt: new Date(now) })
      .execute()
    ctx.note('开具从业证明', workerId)
    return { number }
  })

async function trainingsOf(own: Pick<Context, 'db'>, workerId: string): Promise<contract.ProofContent['trainings']> {
  const { rows } = await sql<{ type: string; times: number; hours: number }>`
    select training_type as type, count(*)::int as times, sum(hours)::float8 as hours from worker_training
    where worker_id = ${workerId} and passed group by 1 order by 1`.execute(own.db)
  return rows.map(({ type, times, hours }) => ({ typeName: dictName('trainingType', type) ?? '培训', times, hours }))
}

const list: HandlerOf<typeof contract.listCareerProofs> = ({ query }, ctx) =>
  asOwner(ctx, async (own, workerId) => {
    const { limit, offset } = pageSlice(query)
    const rows = await own.db
      .selectFrom('careerProof')
      .selectAll()
      .where('workerId', '=', workerId)
      .orderBy('issuedAt', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute()
    const counted = await sql<{ n: number }>`select count(*)::int as n from career_proof where worker_id = ${workerId}`.execute(own.db)
    return {
      list: rows.map((row) => ({
        number: row.number,
        issuedTime: formatInstant(row.issuedAt),
        stays: row.content.stays.length,
        attendDays: daysOf(row.content),
      })),
      total: counted.rows[0]?.n ?? 0,
    }
  })

const daysOf = (content: contract.ProofContent) => content.stays.reduce((sum, one) => sum + one.attendDays, 0)

const print =
  (publicUrl: string | undefined): HandlerOf<typeof contract.printCareerProof> =>
  ({ params }, ctx) =>
    asOwner(ctx, async (own, workerId) => {
      const row = await own.db
        .selectFrom('careerProof')
        .selectAll()
        .where('number', '=', params.number)
        .where('workerId', '=', workerId)
        .executeTakeFirst()
      const proof = found(row, '从业证明')
      const worker = await own.db.selectFrom('worker').select(['name', 'idCardMask']).where('id', '=', workerId).executeTakeFirstOrThrow()
      const pdf = await draw(proof, worker, publicUrl)
      const bytes = await pdf.bytes()
      return new FileAnswer(`从业证明_${proof.number}.pdf`, 'application/pdf', Readable.from([bytes]))
    })

const qrSize = 64
const qrTop = 20

async function draw(
  { number, content, digest, issuedAt }: CareerProof,
  worker: { name: string; idCardMask: string },
  publicUrl: string | undefined,
): Promise<Pdf> {
  const pdf = new Pdf({
    title: '从业证明',
    subtitle: `编号 ${number}`,
    foot: `编号 ${number}　摘要 ${digest}　出具 ${formatInstant(issuedAt)}`,
  })
  pdf.qr(publicUrl ? `${publicUrl}/proof?no=${number}` : number, pdf.left + pdf.width - qrSize, qrTop, qrSize)
  pdf.facts([
    ['姓名', worker.name],
    ['证件号码', worker.idCardMask],
    ['参加项目', `${content.stays.length} 段`],
    ['平台考勤出勤', `${daysOf(content)} 天`],
  ])
  pdf.heading('从业经历')
  await pdf.table(
    [
      { title: '项目', width: 40, value: (s) => s.projectName },
      { title: '工种或岗位', width: 18, value: (s) => s.workTypeName },
      { title: '进场', width: 12, value: (s) => s.entryTime },
      { title: '退场', width: 12, value: (s) => s.exitTime ?? '在场' },
      { title: '出勤天数', width: 10, align: 'right', value: (s) => s.attendDays },
    ],
    content.stays,
  )
  pdf.heading('教育培训（合格）')
  await pdf.table(
    [
      { title: '培训类型', width: 40, value: (t) => t.typeName },
      { title: '次数', width: 10, align: 'right', value: (t) => t.times },
      { title: '学时', width: 10, align: 'right', value: (t) => t.hours },
    ],
    content.trainings,
  )
  pdf.heading('怎样核验')
  pdf.paragraph(
    `${publicUrl ? `扫描右上角二维码，或在 ${publicUrl}/proof 输入编号` : '在本平台“从业证明核验”页（/proof）输入编号'}，核对项目、日期、天数与摘要 ${digest}。只含平台考勤记录，不含本人自填的经历；截至出具时间。`,
  )
  return pdf
}
