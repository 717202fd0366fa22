import { AppError } from '@zhugong/contract/kit/errors'
import { pileKinds } from '@zhugong/contract/monitoring/pile/pile-kinds'
import * as calls from '@zhugong/contract/monitoring/pile/pile-register'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, FileAnswer, oneProject } from '#kit/context'
import { offThread } from '#kit/off-thread/off-thread'
import type { HandlerOf } from '#kit/serve'
import { type WriteSheet, writeXlsx } from '#kit/sheet-write'
import { type CheckedPile, checkPiles } from './check.ts'
import type { PileSheet } from './sheet-thread.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const readingMs = 20_000

/** Template sheet with headings, one example line and a hint per column. */
export async function pileTemplate(ctx: Context): Promise<FileAnswer> {
  const units: Partial<Record<calls.PileField, string>> = {
    diameter: '（mm）',
    designLength: '（m）',
    designDepth: '（m）',
    x: '（m）',
    y: '（m）',
  }
  const head = calls.pileColumns.map(({ key, title, required }) => `${title}${units[key] ?? ''}${required ? '*' : ''}`)
  const sheet: WriteSheet = {
    name: '桩清单',
    rows: [head],
    // Days as text, because Excel converts dates to numbers.
    columns: calls.pileColumns.map(({ key }) => (key === 'plannedOn' ? { width: 16, numFmt: '@' } : { width: 16 })),
    freezePane: { rows: 1 },
  }
  const help: WriteSheet = {
    name: '填写说明',
    rows: [
      ['填写说明'],
      [`1. 桩型填${Object.values(pileKinds).join('、')}之一；桩号与桩机上报的桩号一致时，成桩记录自动归入。`],
      ['2. 桩径以毫米计；设计桩长、设计孔深以米计，孔深从地面算起。'],
      ['3. 计划日期写成 2026-03-01；坐标以工地原点起算，X 向东、Y 向北，同时填写。'],
      ['4. 已登记的桩号不覆盖：内容相同的跳过，内容不同的提示错误，请在平台上修改。'],
      [`5. 一次最多 ${calls.mostPileRows.toLocaleString('en-US')} 行；有一处错误，整个文件都不写入。`],
    ],
    columns: [{ width: 90 }],
  }
  return new FileAnswer(`桩清单_${formatDay(ctx.clock.now())}.xlsx`, xlsx, Buffer.from(await writeXlsx({ sheets: [sheet, help] })))
}

export const importPiles: HandlerOf<typeof calls.importPiles> = async ({ query }, ctx) => {
  const { body, fields } = await ctx.upload()
  const projectCode = oneProject(ctx, query.projectCode)
  const sheet = await offThread.run<PileSheet>(new URL('./sheet-thread.ts', import.meta.url), body, {
    group: ctx.group.id,
    signal: ctx.gone,
    timeLimitMs: readingMs,
    tooLong: '文件过于复杂，读取超时，请使用导入模板',
  })
  if (sheet.lines.length === 0) throw new AppError('invalidInput', '文件里没有桩，请从第二行起逐根填写', { field: 'file' })
  const lines = checkPiles(sheet.lines)
  const known = await markKnown(ctx, projectCode, lines)
  const fresh = lines.flatMap(({ pile, errors }) => (pile && errors.length === 0 && !known.has(pile.pileNo.toLowerCase()) ? [pile] : []))
  const faulty = lines.filter((one) => one.errors.length > 0).length
  const reported = {
    rows: lines.map(({ row, cells, errors, warnings }) => ({ row, values: cells, errors, warnings })),
    counts: { rows: lines.length, faulty, known: lines.filter((one) => one.warnings.length > 0).length, fresh: fresh.length },
    unknownColumns: sheet.unknownColumns,
  }
  if (fields.mode !== 'save') {
    ctx.note('检查桩清单文件')
    return reported
  }
  if (faulty > 0) throw new AppError('refused', `有 ${faulty} 行需要修改，整个文件都没有写入`, { field: 'file' })
  if (fresh.length === 0) throw new AppError('refused', '文件里的桩都已登记，没有新的桩', { field: 'file' })
  const rows = fresh.map((pile) => ({ id: ctx.newId(), ...pile }))
  await sql`insert into pile (id, project_code, pile_no, kind, axis, diameter, design_length, design_depth, concrete, planned_on, x, y, create_by, create_time)
    select x.id, ${projectCode}, x."pileNo", x.kind, x.axis, x.diameter, x."designLength", x."designDepth", x.concrete, x."plannedOn", x.x, x.y, ${ctx.user.name},
      ${new Date(ctx.clock.now())}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id text, "pileNo" text, kind text, axis text, diameter int, "designLength" real,
      "designDepth" real, concrete text, "plannedOn" date, x float8, y float8)`.execute(ctx.db)
  ctx.note(`导入桩清单 ${fresh.length} 根`)
  return reported
}

type Known = Omit<calls.PileBody, 'madeOn'>

/** Pile numbers already registered: with equal values the same pile, with others an error. */
async function markKnown(ctx: Context, projectCode: string, lines: readonly CheckedPile[]): Promise<Set<string>> {
  const numbers = lines.flatMap(({ pile }) => (pile ? [pile.pileNo.toLowerCase()] : []))
  const { rows } = await sql<Known>`select pile_no, kind, axis, diameter, round(design_length::numeric, 2)::float8 as design_length,
      round(design_depth::numeric, 2)::float8 as design_depth, concrete, to_char(planned_on, 'YYYY-MM-DD') as planned_on, x, y
    from pile where project_code = ${projectCode} and lower(pile_no) = any (${numbers})`.execute(ctx.db)
  const known = new Map(rows.map((row) => [row.pileNo.toLowerCase(), row]))
  for (const line of lines) {
    const before = line.pile && known.get(line.pile.pileNo.toLowerCase())
    if (!line.pile || !before) continue
    const differs = pileFieldsOf(line.pile, before)
    if (differs.length === 0) line.warnings.push({ column: 'pileNo', text: '已登记，不再写入' })
    for (const column of differs) line.errors.push({ column, text: `已登记为 ${wordsOf(column, before)}，请在平台上修改` })
  }
  return new Set(known.keys())
}

/** Sheets from before coordinates were introduced do not contain them. */
const isLeftOut = (key: calls.PileField, given: Known): boolean => (key === 'x' || key === 'y') && given[key] === null
const pileFieldsOf = (given: Known, before: Known): calls.PileField[] =>
  calls.pileColumns.map((one) => one.key).filter((key) => key !== 'pileNo' && !isLeftOut(key, given) && given[key] !== before[key])
const wordsOf = (column: calls.PileField, pile: Known): string => (column === 'kind' ? pileKinds[pile.kind] : String(pile[column] ?? '空'))
