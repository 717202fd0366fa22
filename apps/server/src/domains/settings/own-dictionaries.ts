import { AppError } from '@zhugong/contract/kit/errors'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import type { DictItem } from '@zhugong/contract/settings/endpoints'
import * as contract from '@zhugong/contract/settings/own-dictionaries'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { brandsAbove } from '../access/public.ts'
import { arrange, type Layer } from './arrange.ts'
import { changesOf } from './changes-of.ts'
import { loadOwnWords } from './own-words.ts'
import type { OwnDictionary } from './tables.ts'

/** Dictionaries customised by a group, for itself and the groups below it. */
export function ownDictionaryRoutes(serve: Serve) {
  serve(contract.getOwnDictionary, getOwnDictionary)
  serve(contract.saveOwnDictionary, saveOwnDictionary)
  serve(contract.resetOwnDictionary, resetOwnDictionary)
}

type Looker = Pick<Context, 'system' | 'group'>

/** The customisations of the group and those above it, root first. */
async function layersOf({ system, group }: Looker, dictionaries: readonly string[] | undefined): Promise<Map<string, Layer[]>> {
  const all = system.selectFrom('dictOwn').selectAll()
  const rows = await (dictionaries ? all.where('dictionary', 'in', [...dictionaries, '']) : all).execute()
  if (rows.length === 0) return new Map()
  const line = [{ id: group.id, name: group.name }, ...(await brandsAbove(system, group))].toReversed()
  const layers = new Map<string, Layer[]>()
  for (const { id, name } of line)
    for (const { groupId, dictionary, value } of rows)
      if (groupId === id) layers.set(dictionary, [...(layers.get(dictionary) ?? []), { ...empty, ...value, groupId, groupName: name }])
  return layers
}
const empty: OwnDictionary = { order: [], off: [], own: [] }

/** Dictionaries as returned to a group's users. Disabled entries are included and marked, so that old records still find their names. */
export async function dictionariesFor(
  ctx: Looker,
  codes: readonly string[],
): Promise<{ code: string; title: string; items: DictItem[] }[]> {
  const layers = await layersOf(ctx, codes)
  return codes.flatMap((code) => {
    const delivered = dictionaryOf(code)
    if (!delivered) return []
    const items = arrange(delivered.items, layers.get(code) ?? [], ctx.group.id).map(
      (entry): DictItem => ({
        code: entry.code,
        name: entry.name,
        parent: entry.parent || undefined,
        hidden: entry.off || undefined,
      }),
    )
    return [{ code, title: delivered.title, items }]
  })
}

const objectOf = (dictionary: string) => `dict:${dictionary}`
const getDelivered = (code: string) => found(dictionaryOf(code), '字典')

const getOwnDictionary: HandlerOf<typeof contract.getOwnDictionary> = async ({ query: { featCode } }, ctx) => {
  const delivered = getDelivered(featCode)
  const layers = (await layersOf(ctx, [featCode])).get(featCode) ?? []
  const own = await ctx.db
    .selectFrom('dictOwn')
    .selectAll()
    .where('groupId', '=', ctx.group.id)
    .where('dictionary', '=', featCode)
    .executeTakeFirst()
  return {
    code: featCode,
    title: delivered.title,
    open: contract.isOpenDictionary(featCode),
    items: arrange(delivered.items, layers, ctx.group.id),
    ordered: (own?.value.order ?? []).length > 0,
    history: await changesOf(ctx, objectOf(featCode)),
    updateBy: own?.updateBy ?? null,
    updateTime: own ? formatInstant(own.updateTime) : null,
    version: own?.version ?? 0,
  }
}

type Wish = NonNullable<(typeof contract.saveOwnDictionary)['types']>['parsed']['body']
const atField = (message: string, field: string) => new AppError('invalidInput', message, { field })

const saveOwnDictionary: HandlerOf<typeof contract.saveOwnDictionary> = async ({ body }, ctx) => {
  const { featCode, version } = body
  const delivered = getDelivered(featCode)
  const layers = (await layersOf(ctx, [featCode])).get(featCode) ?? []
  const before = layers.find(({ groupId }) => groupId === ctx.group.id) ?? empty
  const foreign = arrange(
    delivered.items,
    layers.filter(({ groupId }) => groupId !== ctx.group.id),
    ctx.group.id,
  )
  const own = ownOf(ctx, body, before.own, foreign)
  const known = new Set([...foreign, ...own].map(({ code }) => code))
  const unknown = [...body.order, ...body.off].find((code) => !known.has(code))
  if (unknown !== undefined) throw atField(`字典中没有编码 ${unknown}`, body.order.includes(unknown) ? 'order' : 'off')
  const off = [...new Set(body.off)].filter((code) => foreign.some((entry) => entry.code === code))
  if ([...foreign.filter((entry) => !entry.off && !off.includes(entry.code)), ...own.filter((one) => !one.off)].length === 0)
    throw atField('不能停用全部条目', 'off')
  const order = [...new Set(body.order)]
  const value = { order, off, own }
  await write(ctx, featCode, version, value)
  ctx.note(
    `修改字典 ${delivered.title}：${wordsOf(before, value, new Map([...foreign, ...own].map((one) => [one.code, one.name])))}`,
    objectOf(featCode),
  )
  return undefined
}

interface Known {
  code: string
  name: string
  parent: string | null
}

/** Validates the group's new list of own entries: existing ones must stay, and no name may be used twice. */
function ownOf(ctx: Pick<Context, 'newId'>, body: Wish, before: OwnDictionary['own'], foreign: readonly Known[]): OwnDictionary['own'] {
  if (body.own.some(({ code }) => code === null) && !contract.isOpenDictionary(body.featCode))
    throw atField('此字典参与计算或上报，不能增加条目', 'own')
  const gone = before.find(({ code }) => !body.own.some((one) => one.code === code))
  if (gone) throw atField(`“${gone.name}”可能已被使用，只能停用，不能删除`, 'own')
  const names = new Set(foreign.map(({ name }) => name))
  const hasTree = foreign.some(({ parent }) => parent !== null)
  return body.own.map(({ code, name, parent, off }, i) => {
    if (code !== null && !before.some((one) => one.code === code)) throw atField(`本组没有编码 ${code}`, `own.${i}.code`)
    if (names.has(name)) throw atField(`已有名为“${name}”的条目`, `own.${i}.name`)
    names.add(name)
    if (parent !== null && !(hasTree && foreign.some((one) => one.code === parent && one.parent === null)))
      throw atField('上级不在此字典中', `own.${i}.parent`)
    return { code: code ?? freshCode(ctx.newId()), name, parent, off }
  })
}
/** Unique across groups, because an entry is identified by its code in all of them. */
const freshCode = (id: string) => `X${id.replaceAll('-', '').slice(-12).toUpperCase()}`

async function write(ctx: Context, dictionary: string, version: number, value: OwnDictionary): Promise<void> {
  const key = { groupId: ctx.group.id, dictionary }
  const values = { value: JSON.stringify(value) }
  if (version === 0)
    await ctx.db
      .insertInto('dictOwn')
      .values({ ...key, ...values, version: 1, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name })
      .execute()
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? changedMeanwhile('字典') : error
      })
  else await changeRow(ctx, 'dictOwn', { key, version, noun: '字典', by: ctx.user.name, values })
  ctx.afterCommit(() => loadOwnWords(ctx.system))
}

const list = (names: readonly string[]) => names.join('、')
/** The changes as display text. */
function wordsOf(before: OwnDictionary, after: OwnDictionary, names: ReadonlyMap<string, string>): string {
  const named = (codes: readonly string[]) => list(codes.map((code) => names.get(code) ?? code))
  const [wasOff, isOff] = [before, after].map(
    ({ off, own }) => new Set([...off, ...own.flatMap((one) => (one.off ? [one.code] : []))]),
  ) as [Set<string>, Set<string>]
  const fresh = after.own.filter(({ code }) => !before.own.some((one) => one.code === code))
  const renamed = after.own.flatMap((one) => {
    const was = before.own.find(({ code }) => code === one.code)
    return was && was.name !== one.name ? [`${was.name}→${one.name}`] : []
  })
  const stopped = [...isOff].filter((code) => !wasOff.has(code))
  const back = [...wasOff].filter((code) => !isOff.has(code))
  const said = [
    fresh.length ? `新增 ${list(fresh.map(({ name }) => name))}` : '',
    renamed.length ? `改名 ${list(renamed)}` : '',
    stopped.length ? `停用 ${named(stopped)}` : '',
    back.length ? `恢复 ${named(back)}` : '',
    JSON.stringify(before.order) === JSON.stringify(after.order) ? '' : '调整顺序',
  ].filter(Boolean)
  return (said.join('；') || '没有变化').slice(0, 400)
}

const resetOwnDictionary: HandlerOf<typeof contract.resetOwnDictionary> = async ({ body: { featCode, version } }, ctx) => {
  const delivered = getDelivered(featCode)
  const before = (await layersOf(ctx, [featCode])).get(featCode)?.find(({ groupId }) => groupId === ctx.group.id)
  if (!before) throw new AppError('refused', '本组没有改过此字典')
  await write(ctx, featCode, version, { order: [], off: [], own: before.own.map((one) => ({ ...one, off: true })) })
  ctx.note(`字典 ${delivered.title} 恢复默认，停用自有条目 ${before.own.length} 条`, objectOf(featCode))
  return undefined
}
