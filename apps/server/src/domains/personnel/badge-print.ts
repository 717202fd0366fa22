import { AppError } from '@zhugong/contract/kit/errors'
import { badgeAddress, badgePrint, badgeSigned, badgeText, mostBadges } from '@zhugong/contract/personnel/badges'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { type BadgeStay, badgeColumns, badgeTables } from './badge-rows.ts'
import { workName } from './cert-dues.ts'
import type { StayQuery } from './people-filters.ts'
import { countStays, stayRows } from './stay-rows.ts'

type Query = StayQuery & { ids?: string[] | undefined; code: 'page' | 'gate'; origin?: string | undefined }

/** `publicUrl`: the installation's configured address; otherwise the address the browser used. */
export function registerBadgePrint(publicUrl: string | undefined): void {
  registerPrint({
    feature: 'workerBadge',
    title: '人员胸牌',
    query: badgePrint as unknown as z.ZodType<Query>,
    draw: (ctx, query) => draw(ctx, query, publicUrl ?? query.origin),
  })
}

/** Of an identity card (ISO/IEC 7810 ID-1, 85.6 x 54 mm), in points. */
const card = { width: (85.6 * 72) / 25.4, height: (54 * 72) / 25.4, gap: 8 }
const inside = { head: 26, pad: 8, photo: { width: 62, height: 82 }, qr: 66 }
/** Lines beside the photo: offset, height and largest font size, in points. */
const lines = {
  name: { top: 0, height: 30, size: 14 },
  work: { top: 31, height: 14, size: 9 },
  team: { top: 46, height: 18, size: 8 },
  corp: { top: 65, height: 20, size: 7 },
}

interface Badge extends BadgeStay {
  headImage: string | null
}

async function draw(ctx: PrintContext, { ids, code, origin: _, ...filters }: Query, origin: string | undefined): Promise<Pdf> {
  const wanted = ids?.length ? ids : await filtered(ctx, filters)
  const { rows } = await sql<Badge>`
    select ${badgeColumns}, case when w.confirmed_at is not null then p.head_image end as head_image
    from ${badgeTables} left join worker p on p.id = w.worker_id
    where w.id = any (${wanted}) and w.exit_time is null order by c.corp_name, t.team_name nulls first, w.worker_name, w.id`.execute(ctx.db)
  if (rows.length < new Set(wanted).size) throw new AppError('refused', '所选人员中有人已经退场或不在您的管辖范围内，请刷新后重选')
  const pdf = new Pdf({
    title: '人员胸牌',
    subtitle: `${rows.length} 人，沿线裁切，85.6 x 54 毫米`,
    foot: `制作 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  const across = Math.floor((pdf.width + card.gap) / (card.width + card.gap))
  for (let at = 0; at < rows.length; at += across) {
    pdf.room(card.height + card.gap)
    const y = pdf.document.y
    for (const [n, badge] of rows.slice(at, at + across).entries())
      await drawBadge(
        pdf,
        ctx,
        { badge, code: codeOf(ctx, badge, code === 'gate' ? undefined : origin) },
        pdf.left + n * (card.width + card.gap),
        y,
      )
    pdf.document.x = pdf.left
    pdf.document.y = y + card.height + card.gap
  }
  return pdf
}

function codeOf(ctx: PrintContext, { projectCode, id }: Badge, origin: string | undefined): string {
  const signature = ctx.secrets.sign('badge', badgeSigned(projectCode, id))
  return origin ? badgeAddress(origin, id, signature) : badgeText(projectCode, id, signature)
}

const numberOf = ({ id }: Badge): string => id.slice(-8).toUpperCase()

async function filtered(ctx: PrintContext, filters: StayQuery): Promise<string[]> {
  const present = { ...filters, stationed: '1' }
  const total = await countStays(ctx, present)
  if (total === 0) throw new AppError('refused', '没有符合筛选的在场人员')
  if (total > mostBadges) throw new AppError('refused', `一次最多打印 ${mostBadges} 人，现有 ${total} 人，请按班组筛选`)
  return (await stayRows(ctx, present, { limit: mostBadges, offset: 0 })).map((row) => row.id)
}

async function drawBadge(
  pdf: Pdf,
  ctx: PrintContext,
  { badge: b, code }: { badge: Badge; code: string },
  x: number,
  y: number,
): Promise<void> {
  const d = pdf.document
  d.rect(x, y, card.width, card.height).stroke('#9aa3b2')
  d.rect(x, y, card.width, inside.head).fill('#0f1f3d')
  d.fillColor('#ffffff').fontSize(10)
  pdf.fitted(b.projectName, { x: x + inside.pad, y: y + 5, width: card.width - 2 * inside.pad, height: 18, size: 10 })
  const top = y + inside.head + inside.pad
  const photo = await ctx.picture(b.headImage)
  const frame = { x: x + inside.pad, y: top, ...inside.photo }
  d.rect(frame.x, frame.y, frame.width, frame.height).stroke('#c9cdd4')
  if (photo) d.image(photo, frame.x, frame.y, { cover: [frame.width, frame.height], align: 'center', valign: 'center' })
  else
    d.fillColor('#5c6370')
      .fontSize(8)
      .text('贴照片处', frame.x, frame.y + 36, { width: frame.width, align: 'center' })
  const textX = frame.x + frame.width + inside.pad
  const textWidth = card.width - frame.width - inside.qr - 4 * inside.pad
  const line = (text: string | null, { top: down, height, size }: (typeof lines)[keyof typeof lines], colour = '#1f2329') => {
    d.fillColor(colour)
    pdf.fitted(text ?? '', { x: textX, y: top + down, width: textWidth, height, size })
  }
  line(b.workerName, lines.name)
  line(`${workName(b) ?? ''}${b.isTeamLeader ? '（班组长）' : ''}`, lines.work)
  line(b.teamName, lines.team)
  line(b.corpName, lines.corp, '#5c6370')
  pdf.qr(code, x + card.width - inside.qr - inside.pad, top + 2, inside.qr)
  d.fillColor('#5c6370').fontSize(7)
  d.text(`编号 ${numberOf(b)}　离场交回，不得转借`, x + inside.pad, y + card.height - 16, {
    width: card.width - 2 * inside.pad,
    lineBreak: false,
  })
}
