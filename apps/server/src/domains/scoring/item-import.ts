import { AppError } from '@zhugong/contract/kit/errors'
import { takableMarks } from '@zhugong/contract/scoring/library'
import * as contract from '@zhugong/contract/scoring/library-import'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, FileAnswer } from '#kit/context'
import type { Row } from '#kit/db'
import { offThread } from '#kit/off-thread/off-thread'
import type { HandlerOf, Serve } from '#kit/serve'
import { type WriteSheet, writeXlsx } from '#kit/sheet-write'
import { checkItems, type KnownItem } from './item-check.ts'
import type { ItemSheet } from './item-sheet.ts'
import { insertItem, lockLibrary, nextCode, reviseItem } from './items.ts'
import { sheetName, standardItems } from './standard.ts'

const library = 'safety'
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const readingMs = 20_000

export function itemImportRoutes(serve: Serve): void {
  serve(contract.itemTemplate, (_input, ctx) => itemTemplate(ctx))
  serve(contract.importCheckItems, importCheckItems)
}

type Stored = Row<'checkItem'> & { phrases: string[] }

/** The own items of the caller's group in their current revision, with their phrases. */
async function ownItems(ctx: Context): Promise<Stored[]> {
  const { rows } = await sql<Stored>`select i.*, array(select p.phrase from check_phrase p where p.group_id = i.group_id
      and p.library = i.library and p.item_code = i.item_code order by p.seq) as phrases
    from check_item i where i.group_id = ${ctx.group.id} and i.library = ${library} and i.superseded_at is null
    order by i.item_code`.execute(ctx.db)
  return rows
}

const sheetHead = () => contract.itemColumns.map(({ title, required }) => `${title}${required ? '*' : ''}`)
const widths: Record<contract.ItemField, number> = { itemCode: 14, takenFrom: 20, name: 30, maxScore: 8, clause: 28, rule: 40, phrases: 50 }

/** Sheet with the own items as they are, the standard with what it can still give, and a page of hints. */
async function itemTemplate(ctx: Context): Promise<FileAnswer> {
  const own = await ownItems(ctx)
  const items: WriteSheet = {
    name: '检查项',
    rows: [
      sheetHead(),
      ...own.map((one) => [
        one.itemCode,
        one.takenFrom,
        one.name,
        String(one.maxScore),
        one.clause ?? '',
        one.rule ?? '',
        one.phrases.join('；'),
      ]),
    ],
    // Codes as text, because Excel drops leading zeros.
    columns: contract.itemColumns.map(({ key }) => ({ width: widths[key], numFmt: '@' })),
    freezePane: { rows: 1 },
  }
  const taken = (code: string) => own.filter((one) => one.enable && one.takenFrom === code).reduce((sum, one) => sum + one.maxScore, 0)
  const standard: WriteSheet = {
    name: '标准项编码',
    rows: [
      ['编码', '标准项', '检查表', '满分', '还能划出'],
      ...standardItems
        .filter((one) => takableMarks(one.maxScore) > 0)
        .map(({ code, name, sheet, maxScore }) => [
          code,
          name,
          sheetName(sheet),
          String(maxScore),
          String(takableMarks(maxScore) - taken(code)),
        ]),
    ],
    columns: [{ width: 12, numFmt: '@' }, { width: 30 }, { width: 30 }, { width: 8 }, { width: 10 }],
    freezePane: { rows: 1 },
  }
  const help: WriteSheet = {
    name: '填写说明',
    rows: [
      ['填写说明'],
      ['1. 新增：编码留空，“划出分值的标准项”填第二页的编码。检查表满分保持 100 分，分值从该标准项中划出，合计至多 40%。'],
      ['2. 修改：保留编码。内容不同的生成新版本，已开始和已提交的检查保留原版本；相同的跳过。'],
      ['3. 文件里没有的检查项不变；停用请在平台上操作。'],
      ['4. 常用问题用“；”分隔。'],
      [`5. 一次最多 ${contract.mostItemRows} 行；有一处错误，整个文件都不写入。`],
    ],
    columns: [{ width: 100 }],
  }
  const body = await writeXlsx({ sheets: [items, standard, help] })
  return new FileAnswer(`检查项_${formatDay(ctx.clock.now())}.xlsx`, xlsx, Buffer.from(body))
}

const importCheckItems: HandlerOf<typeof contract.importCheckItems> = async (_input, ctx) => {
  const { body, fields } = await ctx.upload()
  const sheet = await offThread.run<ItemSheet>(new URL('./item-sheet.ts', import.meta.url), body, {
    group: ctx.group.id,
    signal: ctx.gone,
    timeLimitMs: readingMs,
    tooLong: '文件过于复杂，读取超时，请使用导入模板',
  })
  if (sheet.lines.length === 0) throw new AppError('invalidInput', '文件里没有检查项，请从第二行起逐项填写', { field: 'file' })
  const all = await lockLibrary(ctx, library)
  const own = await ownItems(ctx)
  const known: KnownItem[] = own
  const lines = checkItems(sheet.lines, known)
  const sound = lines.flatMap(({ item, before, unchanged }) => (item && !unchanged ? [{ item, before }] : []))
  const faulty = lines.filter((one) => one.errors.length > 0).length
  const reported = {
    rows: lines.map(({ row, cells, errors, warnings }) => ({ row, values: cells, errors, warnings })),
    counts: {
      rows: lines.length,
      faulty,
      fresh: sound.filter(({ before }) => !before).length,
      revised: sound.filter(({ before }) => before).length,
      unchanged: lines.filter((one) => one.unchanged).length,
    },
    unknownColumns: sheet.unknownColumns,
  }
  if (fields.mode !== 'save') {
    ctx.note('检查检查项导入文件')
    return reported
  }
  if (faulty > 0) throw new AppError('refused', `有 ${faulty} 行需要修改，整个文件都没有写入`, { field: 'file' })
  if (sound.length === 0) throw new AppError('refused', '文件里的检查项都与现有内容相同', { field: 'file' })
  // Codes of superseded items are not given again.
  const codes = new Set(all.map((one) => one.itemCode))
  for (const { item, before } of sound) {
    const { takenFrom, ...written } = item
    const row = before && own.find((one) => one.itemCode === before.itemCode)
    if (row) {
      const { phrases: _phrases, ...columns } = row
      await reviseItem(ctx, columns, row.version, written)
      continue
    }
    const itemCode = nextCode(takenFrom, codes)
    codes.add(itemCode)
    await insertItem(ctx, { id: ctx.newId(), library, itemCode, takenFrom, ...written })
  }
  ctx.note(`导入检查项：新增 ${reported.counts.fresh} 项，修改 ${reported.counts.revised} 项`)
  return reported
}
