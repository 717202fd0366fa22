import { houseCertPrint, houseCertZip } from '@zhugong/contract/houses/houses'
import { houseStates, itemResultNames } from '@zhugong/contract/houses/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant, startOfDay } from '#kit/clock'
import { found } from '#kit/context'
import type { Db } from '#kit/db'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import { acceptItems, type House, houseKind, itemsOf, nameOf } from './kind.ts'

type Query = z.output<typeof houseCertPrint>
type Printed = Pick<
  House,
  'id' | 'externalNo' | 'buildingName' | 'unitName' | 'floorName' | 'name' | 'buildArea' | 'houseType' | 'acceptDate' | 'certNo' | 'state'
> & {
  projectName: string
  ownerName: string | null
}

/** 住宅工程质量分户验收证明, with a code that anybody verifies. */
export function registerHouseCert(publicUrl?: string): void {
  registerPrint({
    feature: 'houseCert',
    title: '分户验收证明',
    query: houseCertPrint as z.ZodType<Query>,
    several: houseCertZip.transform(({ ids }) => ids.map((id) => ({ id }))) as unknown as z.ZodType<readonly Query[]>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper('house', async ({ db }, id) => {
    const row = await printed(db, id)
    return (
      row && {
        title: '住宅工程质量分户验收证明',
        number: row.certNo ?? '',
        issuer: row.ownerName ?? row.projectName,
        date: row.acceptDate === null ? null : new Date(startOfDay(row.acceptDate)),
        projectName: row.projectName,
        revoked: row.state !== houseStates.passed,
        content: contentOf(row),
      }
    )
  })
}

async function printed(db: Db | ListContext['db'], id: string): Promise<Printed | undefined> {
  const { rows } =
    await sql<Printed>`select h.*, p.name as project_name, (select k.corp_name from project_corp u join corporation k using (corp_code)
      where u.project_code = h.project_code and u.corp_type = '008' and u.exit_time is null order by u.entry_time limit 1) as owner_name
    from house h join project p using (project_code) where h.id = ${id}`.execute(db)
  return rows[0]
}

const contentOf = ({ externalNo, buildingName, unitName, floorName, name, buildArea, acceptDate, certNo, projectName }: Printed) => ({
  certNo,
  externalNo,
  house: [buildingName, unitName, floorName, name],
  buildArea,
  acceptDate,
  projectName,
})

async function draw(ctx: ListContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await printed(ctx.db, id), '分户')
  if (row.state !== houseStates.passed) throw new AppError('refused', `${nameOf(row)}尚未验收合格，没有分户验收证明`)
  const pdf = new Pdf({
    title: '住宅工程质量分户验收证明',
    subtitle: row.certNo ?? '',
    foot: `${row.certNo ?? ''}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['工程名称', row.projectName],
    ['房号', nameOf(row)],
    ['楼层', row.floorName],
    ['户型', row.houseType],
    ['建筑面积', row.buildArea === null ? null : `${row.buildArea} m²`],
    ['验收日期', row.acceptDate],
  ])
  const items = new Map((await itemsOf(ctx, id)).map((one) => [one.itemCode, one]))
  pdf.heading('验收内容')
  await pdf.table(
    [
      { title: '验收项', width: 4, value: (one) => one.name },
      { title: '结果', width: 1, align: 'center', value: (one) => itemResultNames[items.get(one.code)?.result ?? ''] },
      { title: '说明', width: 4, value: (one) => items.get(one.code)?.note },
    ],
    acceptItems(),
  )
  pdf.paragraph('本户已按《住宅工程质量分户验收》规定逐项验收合格，随《住宅质量保证书》交付。')
  pdf.heading('签字')
  pdf.signed(await drawnSeats(ctx, houseKind, row as unknown as House))
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'house', id, content: contentOf(row) })
  return pdf
}
