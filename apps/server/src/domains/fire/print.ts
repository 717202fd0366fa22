import { firePaper, fireTables } from '@zhugong/contract/fire/calls'
import { isPoint, projectOf, subOf } from '@zhugong/contract/fire/catalogue'
import { findingsOf } from '@zhugong/contract/fire/judge'
import { judgementWords, ruleLines, verdicts } from '@zhugong/contract/fire/rule'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import { catalogueOf, itemsOf } from './catalogue.ts'
import { entriesOf, judgeRound, problemsOf, roundsOf } from './judging.ts'
import { fireKind, readCase } from './kind.ts'
import { readCases } from './rows.ts'

type Paper = z.output<typeof firePaper>
type Tables = z.output<typeof fireTables>

/** 评定意见书, and the check tables A2 to A12, filled or empty. */
export function registerFirePrints(publicUrl?: string): void {
  registerPrint({
    feature: 'fireOpinion',
    title: '消防验收意见书',
    query: firePaper as z.ZodType<Paper>,
    draw: (ctx, query) => drawOpinion(ctx, query, publicUrl),
  })
  registerPrint({ feature: 'fireTables', title: '消防验收检查记录表', query: fireTables as z.ZodType<Tables>, draw: drawTables })
  registerPaper('fireopinion', async ({ db }, id) => {
    const { rows } = await sql<Row<'fireRound'> & { projectName: string; authorityName: string | null }>`select r.*, j.name as project_name,
        c.authority_name from fire_round r join fire_case c on c.id = r.case_id join project j on j.project_code = c.project_code
      where r.case_id = ${id} and r.issued_at is not null order by r.round desc limit 1`.execute(db)
    const round = rows[0]
    if (!round) return undefined
    return {
      title: `消防验收意见书：${verdicts[round.verdict]}`,
      number: round.docNo ?? '',
      issuer: round.authorityName ?? '',
      date: round.issuedAt,
      projectName: round.projectName,
      revoked: false,
      content: contentOf(round),
    }
  })
}
const contentOf = ({ docNo, round, verdict, line, opinion }: Row<'fireRound'>) => ({ docNo, round, verdict, line, opinion })

/** The case as the caller may see it. @throws AppError `notFound` */
async function caseFor(ctx: PrintContext, id: string) {
  const [row] = await readCases(ctx, allOf(...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx))), {})
  return found(row, fireKind.noun)
}

async function drawOpinion(ctx: PrintContext, { id }: Paper, publicUrl: string | undefined): Promise<Pdf> {
  const row = await caseFor(ctx, id)
  const file = await readCase(ctx, id)
  const round = (await roundsOf(ctx, id)).filter((one) => one.issuedAt !== null).at(-1)
  if (!round) throw new AppError('refused', '意见书尚未签发')
  const judged = await judgeRound(ctx, file, round)
  const pdf = new Pdf({
    title: '建设工程消防验收意见书',
    subtitle: round.docNo ?? '',
    foot: `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['工程名称', row.projectName],
    ['申请单位', row.applyCorp],
    ['受理编号', row.code],
    ['业务类型', row.kindName],
    ['申请类别', row.applyTypeName],
    ['评定日期', row.assessDate],
    ['评定人员', row.assessors.join('、')],
    ['施工许可证号', file.licenseNo],
    ['设计审查意见书', file.designReviewNo],
    ['办理时限', row.dueDate],
  ])
  pdf.heading(`结论：${verdicts[round.verdict]}（${ruleLines[round.line]}）`)
  pdf.paragraph(round.opinion ?? '')
  if (round.remark) pdf.paragraph(`不同意见（不影响结论）：${round.remark}`)
  pdf.heading('各单体评定')
  await pdf.table(
    [
      { title: '单体', width: 26, value: (one) => one.build },
      { title: '项目', width: 40, value: (one) => one.project },
      { title: '结论', width: 14, value: (one) => one.verdict },
      { title: '不合格子项', width: 40, value: (one) => one.failed },
    ],
    judged.builds.flatMap(({ build, judged: of }) =>
      of.projects.map((project) => ({
        build: build.name,
        project: project.name,
        verdict: verdicts[project.judged.verdict],
        failed: project.subs
          .filter((one) => one.judged.verdict === 'fail')
          .map((one) => one.name)
          .join('、'),
      })),
    ),
  )
  const names = new Map(judged.items.map((one) => [one.code, one.name]))
  const builds = new Map(judged.builds.map(({ build }) => [build.id, build.name]))
  const problems = problemsOf(
    (await entriesOf(ctx, id)).filter((one) => one.round === round.round),
    null,
  )
  if (problems.length > 0) {
    pdf.heading('不符合项')
    await pdf.table(
      [
        { title: '单体', width: 20, value: (one) => builds.get(one.buildId) },
        { title: '要点', width: 36, value: (one) => `${one.itemCode} ${names.get(one.itemCode) ?? ''}（${one.level}）` },
        { title: '部位', width: 24, value: (one) => one.checkPart },
        { title: '问题', width: 50, value: (one) => one.description },
      ],
      problems,
    )
  }
  pdf.signed([
    ...(await drawnSeats(ctx, fireKind, file)),
    {
      seat: 'leader',
      role: '签发人',
      note: `${round.issuedBy ?? ''}　${round.issuedAt ? formatInstant(round.issuedAt).slice(0, 16) : ''}`,
    },
  ])
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'fireopinion', id, content: contentOf(round) })
  return pdf
}

interface Line {
  point: string
  level: string | null
  method: string
  part: string
  values: string
  result: string
}

async function drawTables(ctx: PrintContext, { id, table }: Tables): Promise<Pdf> {
  const pdf = new Pdf({ title: '消防验收检查记录表', subtitle: id ? (await caseFor(ctx, id)).projectName : '空表', landscape: true })
  const blocks = id ? await filledTables(ctx, id) : await emptyTables(ctx)
  const shown = table ? blocks.filter((one) => one.table === table) : blocks
  if (shown.length === 0) throw new AppError('refused', '没有这张检查表')
  for (const one of shown) {
    pdf.heading(one.title)
    await pdf.table<Line>(
      [
        { title: '要点', width: 38, value: (line) => line.point },
        { title: '类', width: 6, value: (line) => line.level },
        { title: '检查方法', width: 32, value: (line) => line.method },
        { title: '部位', width: 28, value: (line) => line.part },
        { title: '设计/实测', width: 24, value: (line) => line.values },
        { title: '结果', width: 12, value: (line) => line.result },
      ],
      one.lines,
    )
  }
  return pdf
}

async function emptyTables(ctx: PrintContext) {
  const items = await itemsOf(ctx, (await catalogueOf(ctx, ctx.group.id))?.id)
  return items
    .filter((one) => one.table !== null)
    .map((project) => ({
      table: project.table,
      title: `${project.table}　${dictName('fireTable', project.table)}　${project.name}`,
      lines: items
        .filter((one) => isPoint(one.code) && one.enable && projectOf(one.code) === project.code)
        .map((one): Line => ({ point: `${one.code} ${one.name}`, level: one.level, method: one.method, part: '', values: '', result: '' })),
    }))
}

async function filledTables(ctx: PrintContext, id: string) {
  const file = await readCase(ctx, id)
  const round = (await roundsOf(ctx, id)).at(-1)
  if (!round) throw new AppError('refused', '尚未开始评定，没有检查表')
  const judged = await judgeRound(ctx, file, round)
  const entries = (await entriesOf(ctx, id)).filter((one) => one.round === round.round)
  return judged.builds.flatMap(({ build, judged: of }) =>
    of.projects.map((project) => ({
      table: project.table,
      title: `${build.name}　${project.table ?? ''}　${project.name}：${verdicts[project.judged.verdict]}`,
      lines: project.subs.flatMap((sub) => {
        const own = entries.filter((one) => one.buildId === build.id && subOf(one.itemCode) === sub.code)
        const findings = findingsOf(own)
        const head: Line = {
          point: `【${sub.name}】`,
          level: null,
          method: '',
          part: `抽 ${sub.judged.sampled} 处`,
          values: judgementWords(sub.judged),
          result: verdicts[sub.judged.verdict],
        }
        const lines = sub.points.flatMap((point): Line[] => {
          const of_ = findings.filter((one) => one.itemCode === point.code)
          const base = { point: `${point.code} ${point.name}`, level: point.level, method: point.method }
          if (of_.length === 0) return [{ ...base, part: '', values: '', result: '' }]
          return of_.map((one) => {
            const last = own.filter((entry) => entry.itemCode === one.itemCode && entry.checkPart === one.part).at(-1)
            const values = last?.designValue ? `${last.designValue} / ${last.actualValue ?? ''}` : ''
            return { ...base, part: one.part, values, result: dictName('fireImpactResult', one.result) ?? '' }
          })
        })
        return [head, ...lines]
      }),
    })),
  )
}
