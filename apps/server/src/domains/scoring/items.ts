import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/scoring/library'
import {
  type CheckItem,
  checkItem,
  type ItemOwner,
  itemOwnerNames,
  type Library,
  mostOwnItems,
  takableMarks,
  useDays,
} from '@zhugong/contract/scoring/library'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, equals, filtersOf, inProjects, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { civilLibrary } from './libraries.ts'
import { categoryName, sheetName, sheetOf, standardCategories, standardItem, standardItems, standardSheets } from './standard.ts'

export function itemRoutes(serve: Serve): void {
  serve(contract.checkItemLists, async ({ query }, ctx) => {
    if (query.library === 'civil') return civilLibrary().list(ctx, query)
    const where = conditions(query)
    return { list: await readItems(ctx, query, where, pageSlice(query)), total: await countItems(ctx, query, where) }
  })
  serve(contract.listCheckSheets, listSheets)
  serve(contract.createCheckItem, createItem)
  serve(contract.changeCheckItem, changeItem)
}

type Query = Partial<NonNullable<(typeof contract.listCheckItems)['types']>['parsed']['query']> & { projectCode: string; library: Library }
type Viewer = Pick<Context, 'db' | 'group' | 'scope' | 'scopeChecks' | 'clock'>

/** The standard as rows, in the order of the dictionary. */
const standardRows = JSON.stringify(
  standardItems.map(({ code, name, sheet, guarantee, maxScore }) => ({
    item_code: code,
    name,
    sheet,
    category: sheetOf(sheet)?.category ?? sheet,
    guarantee,
    max_score: maxScore,
  })),
)

/**
 * The library of the caller's group: the standard, and the items the group has added. `i` has the marks as they are now, and how often
 * points were lost in the caller's projects.
 */
const library = (ctx: Viewer, { projectCode, library: name }: Query) => sql`
  standard as (select * from jsonb_to_recordset(${standardRows}::jsonb) as s(item_code text, name text, sheet text, category text,
    guarantee boolean, max_score int)),
  own as (select * from check_item where group_id = ${ctx.group.id} and library = ${name} and superseded_at is null),
  item as (
    select null::text as id, s.item_code, s.name, s.sheet as sheet_code, s.category as category_code, s.guarantee,
      s.max_score - coalesce((select sum(o.max_score) from own o where o.taken_from = s.item_code and o.enable), 0)::int as max_score,
      s.max_score as standard_score, 'standard' as owner, null::text as taken_from, null::text as taken_from_name, null::text as clause,
      null::text as rule, true as enable, 1 as revision, 0 as version
    from standard s
    union all
    select o.id, o.item_code, o.name, s.sheet, s.category, s.guarantee, o.max_score, o.max_score, o.owner, o.taken_from, s.name, o.clause,
      o.rule, o.enable, o.revision, o.version
    from own o join standard s on s.item_code = o.taken_from),
  lost as (
    select r.item_code, count(*)::int as n from check_result r where r.result = '2' and r.deduction > 0
      and r.shown_at >= ${usedSince(ctx)} and ${allOf(...inProjects('r.projectCode', projectsFor(ctx, projectCode)))}
    group by r.item_code),
  i as (select item.*, coalesce(lost.n, 0) as use_count from item left join lost using (item_code))`

const usedSince = (ctx: Pick<Context, 'clock'>) => new Date(startOfDay(addDays(formatDay(ctx.clock.now()), -useDays)))

const conditions = (query: Query): Condition =>
  filtersOf(query, {
    projectCode: 'elsewhere',
    library: 'elsewhere',
    sheet: (value) => condition(sql`(i.sheet_code = ${value} or i.category_code = ${value})`),
    itemCode: [contains, 'i.itemCode'],
    name: [contains, 'i.name'],
    guarantee: [equals, 'i.guarantee'],
    maxScore: [between, 'i.maxScore'],
    owner: [anyOf, 'i.owner'],
    useCount: [between, 'i.useCount'],
    enable: [equals, 'i.enable'],
  })

type RawItem = Omit<CheckItem, 'sheetName' | 'categoryName' | 'ownerName'>

async function readItems(ctx: Viewer, query: Query, where: Condition, page?: { limit: number; offset: number }): Promise<CheckItem[]> {
  const order = orderBy(query.sort, { itemCode: 'i.itemCode!', maxScore: 'i.maxScore!', useCount: 'i.useCount!' }, 'itemCode', 'i.itemCode')
  const slice = page ? sql`limit ${page.limit} offset ${page.offset}` : sql``
  const { rows } = await sql<RawItem>`with ${library(ctx, query)}
    select i.*, array(select p.phrase from check_phrase p where p.group_id = ${ctx.group.id} and p.library = ${query.library}
      and p.item_code = i.item_code order by p.seq) as phrases
    from i where ${where} order by ${order} ${slice}`.execute(ctx.db)
  return rows.map((row) =>
    rowOf(checkItem, row, {
      sheetName: sheetName(row.sheetCode),
      categoryName: categoryName(row.categoryCode),
      ownerName: itemOwnerNames[row.owner],
    }),
  )
}

async function countItems(ctx: Viewer, query: Query, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`with ${library(ctx, query)} select count(*)::int as n from i where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const itemExport = {
  async *rows(ctx: Viewer, query: Query) {
    yield* await readItems(ctx, query, conditions(query))
  },
  count: (ctx: Viewer, query: Query) => countItems(ctx, query, conditions(query)),
}

/** The enabled items of some sheets in the library of the caller's group, in the order of the standard. */
export async function itemsForSheets(ctx: Viewer, name: 'safety', sheets: readonly string[]): Promise<CheckItem[]> {
  const query = { projectCode: '*', library: name }
  return readItems(ctx, query, condition(sql`i.enable and i.max_score > 0 and i.sheet_code = any (${[...sheets]})`))
}

const listSheets: HandlerOf<typeof contract.listCheckSheets> = async ({ query }, ctx) => {
  const { rows } = await sql<{ sheetCode: string; n: number; marks: number }>`with ${library(ctx, query)}
    select i.sheet_code, count(*)::int as n, coalesce(sum(i.max_score) filter (where i.enable), 0)::int as marks from i group by 1`.execute(
    ctx.db,
  )
  const bySheet = new Map(rows.map((row) => [row.sheetCode, row]))
  return {
    categories: standardCategories.map(({ code, name, weight }) => ({
      code,
      name,
      weight,
      sheets: standardSheets
        .filter(({ category }) => category === code)
        .map((sheet) => ({
          code: sheet.code,
          name: sheet.name,
          itemCount: bySheet.get(sheet.code)?.n ?? 0,
          marks: bySheet.get(sheet.code)?.marks ?? 0,
        })),
    })),
  }
}

const owners: Readonly<Record<number, Exclude<ItemOwner, 'standard'>>> = {
  [groupTypes.platform]: 'platform',
  [groupTypes.government]: 'government',
  [groupTypes.corporation]: 'company',
  [groupTypes.project]: 'project',
}

/** One change of a library at a time: marks and codes are counted over its items. */
export async function lockLibrary(ctx: Context, name: string): Promise<Row<'checkItem'>[]> {
  await sql`select pg_advisory_xact_lock(hashtext(${`check library ${name} ${ctx.group.id}`}))`.execute(ctx.db)
  const { rows } = await sql<Row<'checkItem'>>`select * from check_item where group_id = ${ctx.group.id} and library = ${name}`.execute(
    ctx.db,
  )
  return rows
}

/** @throws AppError `invalidInput` at `maxScore` when the item of the standard would keep too little */
function requireMarks(
  known: readonly Row<'checkItem'>[],
  { itemCode, takenFrom, maxScore }: Pick<Row<'checkItem'>, 'itemCode' | 'takenFrom' | 'maxScore'>,
) {
  const from = standardItem(takenFrom)
  if (!from) throw new AppError('invalidInput', '请选择一个标准检查项', { field: 'takenFrom' })
  const taken = known
    .filter((one) => one.supersededAt === null && one.enable && one.takenFrom === takenFrom && one.itemCode !== itemCode)
    .reduce((total, one) => total + one.maxScore, 0)
  const most = takableMarks(from.maxScore)
  if (taken + maxScore > most)
    throw new AppError('invalidInput', `“${from.name}”满分 ${from.maxScore}，自有项合计至多划出 ${most} 分，已划出 ${taken} 分`, {
      field: 'maxScore',
    })
}

const createItem: HandlerOf<typeof contract.createCheckItem> = async ({ body }, ctx) => {
  if (body.library === 'civil') return civilLibrary().create(ctx, body)
  const { id = ctx.newId(), library: name, takenFrom, phrases, ...fields } = body
  const known = await lockLibrary(ctx, name)
  const repeated = known.find((one) => one.id === id)
  if (repeated) return { id, itemCode: repeated.itemCode }
  const codes = new Set(known.map((one) => one.itemCode))
  if (codes.size >= mostOwnItems) throw new AppError('refused', `自有检查项最多 ${mostOwnItems} 项`)
  if (known.some((one) => one.supersededAt === null && one.takenFrom === takenFrom && one.name === fields.name))
    throw new AppError('invalidInput', '该标准项下已有同名检查项', { field: 'name' })
  const itemCode = nextCode(takenFrom, codes)
  requireMarks(known, { itemCode, takenFrom, maxScore: fields.maxScore })
  await insertItem(ctx, { id, library: name, itemCode, takenFrom, phrases, ...fields })
  ctx.note(`新增检查项 ${itemCode}`, id)
  return { id, itemCode }
}

/** What the group writes of an own item. */
export interface OwnItem extends Pick<Row<'checkItem'>, 'name' | 'maxScore' | 'clause' | 'rule'> {
  phrases: readonly string[]
}

/** Inserts an own item; marks, name and code have been checked under `lockLibrary`. */
export async function insertItem(
  ctx: Context,
  { phrases, ...columns }: OwnItem & Pick<Row<'checkItem'>, 'id' | 'library' | 'itemCode' | 'takenFrom'>,
): Promise<void> {
  await ctx.db
    .insertInto('checkItem')
    .values({
      groupId: ctx.group.id,
      owner: owners[ctx.group.type] ?? 'company',
      ...columns,
      supersededAt: null,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
  await writePhrases(ctx, columns.library, columns.itemCode, phrases)
}

/** Replaces an own item by its next revision; inspections that have begun keep the one they used. Returns the new id. */
export async function reviseItem(ctx: Context, row: Row<'checkItem'>, version: number, { phrases, ...fields }: OwnItem): Promise<string> {
  const now = new Date(ctx.clock.now())
  await changeRow(ctx, 'checkItem', { key: { id: row.id }, version, values: { supersededAt: now }, noun, by: ctx.user.id })
  const next = ctx.newId()
  await ctx.db
    .insertInto('checkItem')
    .values({
      ...row,
      ...fields,
      id: next,
      revision: row.revision + 1,
      version: 0,
      supersededAt: null,
      createBy: ctx.user.id,
      createTime: now,
      updateBy: null,
      updateTime: null,
    })
    .execute()
  await writePhrases(ctx, row.library, row.itemCode, phrases)
  return next
}

/** For example 060004-02: the second item that took marks from 060004. */
export function nextCode(takenFrom: string, codes: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const code = `${takenFrom}-${String(n).padStart(2, '0')}`
    if (!codes.has(code)) return code
  }
}

async function writePhrases(ctx: Context, name: string, itemCode: string, phrases: readonly string[]): Promise<void> {
  await sql`delete from check_phrase where group_id = ${ctx.group.id} and library = ${name} and item_code = ${itemCode}`.execute(ctx.db)
  const rows = [...new Set(phrases)].map((phrase, seq) => ({ groupId: ctx.group.id, library: name, itemCode, seq, phrase }))
  if (rows.length) await ctx.db.insertInto('checkPhrase').values(rows).execute()
}

const noun = '检查项'

const changeItem: HandlerOf<typeof contract.changeCheckItem> = async ({ body }, ctx) => {
  if (body.action === 'phrases') {
    const known = await lockLibrary(ctx, body.library)
    if (!standardItem(body.itemCode) && !known.some((one) => one.itemCode === body.itemCode && one.supersededAt === null))
      throw new AppError('notFound', '检查项不存在或已删除')
    await writePhrases(ctx, body.library, body.itemCode, body.phrases)
    ctx.note(`修改常用问题 ${body.itemCode}`)
    return undefined
  }
  const { rows } = await sql<Row<'checkItem'>>`select * from check_item
    where id = ${body.id} and group_id = ${ctx.group.id} and superseded_at is null`.execute(ctx.db)
  const row = found(rows[0], noun)
  const known = await lockLibrary(ctx, row.library)
  if (body.action !== 'edit') {
    if (body.action === 'enable') requireMarks(known, row)
    await changeRow(ctx, 'checkItem', {
      key: { id: row.id },
      version: body.version,
      values: { enable: body.action === 'enable' },
      noun,
      by: ctx.user.id,
    })
    ctx.note(`${body.action === 'enable' ? '启用' : '停用'}检查项 ${row.itemCode}`, row.id)
    return undefined
  }
  const { action: _action, id: _id, version, ...fields } = body
  if (row.enable) requireMarks(known, { ...row, maxScore: fields.maxScore })
  const next = await reviseItem(ctx, row, version, fields)
  ctx.note(`修改检查项 ${row.itemCode}`, next)
  return undefined
}
