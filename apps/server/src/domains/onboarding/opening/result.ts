import type * as contract from '@zhugong/contract/onboarding/openings'
import { openingRowStates, openingSheets } from '@zhugong/contract/onboarding/openings'
import { formatInstant } from '#kit/clock'
import { FileAnswer, found, requireCode } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { writeXlsx } from '#kit/sheet-write'
import { tokenOf } from '../links.ts'
import { lineOf, rowsOf } from './rows.ts'
import { xlsx } from './template.ts'

const heading = ['工作表', '行号', '名称', '结果', '编码', '管理员', '邀请链接', '有效期至', '原因']

/** The result of every row, with the links that are still usable. `address`: the product's external address. */
export const openingResult =
  (address: string): HandlerOf<typeof contract.openingResult> =>
  async ({ params, body }, ctx) => {
    requireCode(ctx, 'adminGrant.edit')
    const one = found(await ctx.db.selectFrom('opening').selectAll().where('id', '=', params.id).executeTakeFirst(), '开通记录')
    const rows = await rowsOf(ctx, one.id)
    const links = await ctx.db.selectFrom('adminLink').selectAll().where('openingId', '=', one.id).execute()
    const byId = new Map(links.map((link) => [link.id, link]))
    const lines = rows.map((row) => {
      const link = byId.get(row.linkId ?? '')
      const gone =
        link && (link.usedAt ? '已使用' : link.revokedAt ? '已撤销' : link.expiresAt.getTime() <= ctx.clock.now() ? '已过期' : '')
      const why = row.issues.map(({ text }) => text).join('；') || row.message
      return [
        openingSheets[row.sheet],
        row.line,
        row.name,
        openingRowStates[row.state],
        row.code ?? '',
        lineOf(ctx, row).cells.adminName ?? '',
        link ? gone || `${address || body.origin}/invite#${tokenOf(ctx, link)}` : '',
        link ? formatInstant(link.expiresAt).slice(0, 16) : '',
        why,
      ]
    })
    const widths = [8, 8, 36, 10, 24, 14, 90, 18, 40]
    const file = await writeXlsx({
      sheets: [{ name: '开通结果', rows: [heading, ...lines], columns: widths.map((width) => ({ width })), freezePane: { rows: 1 } }],
    })
    ctx.note(`下载开通结果与邀请链接 ${links.length} 个`, one.id)
    return new FileAnswer(`开通结果_${one.fileName}`, xlsx, Buffer.from(file))
  }
