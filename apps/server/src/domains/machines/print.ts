import { AppError } from '@zhugong/contract/kit/errors'
import { machinePrint, machinesZip } from '@zhugong/contract/machines/print'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import type { Db } from '#kit/db'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { drawVerifyCode, registerPaper } from '../process/public.ts'
import { type RawMachine, rowFor, toRow } from './rows.ts'

type Query = z.output<typeof machinePrint>

/** 使用登记证, 告知回执 and the plate of a machine, each with a code that anybody verifies. */
export function registerMachinePapers(publicUrl?: string): void {
  registerPrint({
    feature: 'spdevicePaper',
    title: '起重机械文书',
    query: machinePrint as z.ZodType<Query>,
    several: machinesZip.transform(({ ids, paper }) => ids.map((id) => ({ id, paper }))) as unknown as z.ZodType<readonly Query[]>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper('machine', async ({ db }, id) => {
    const row = await paperRow(db, id)
    return (
      row && {
        title: '建筑起重机械',
        number: row.useRegNo ?? row.recordNo ?? '',
        issuer: row.issuer ?? row.ownerCorp,
        date: row.date,
        projectName: row.projectName,
        revoked: row.state === '9',
        content: paperContent(row),
      }
    )
  })
}

interface PaperRow {
  recordNo: string | null
  useRegNo: string | null
  useRegDate: string | null
  name: string
  model: string
  manufactureNo: string
  ownerCorp: string
  projectName: string
  state: string
  issuer: string | null
  date: Date | null
}

async function paperRow(db: Db | ListContext['db'], id: string): Promise<PaperRow | undefined> {
  const { rows } = await sql<PaperRow>`select m.record_no, s.use_reg_no, s.use_reg_date, m.name, m.model, m.manufacture_no, m.owner_corp,
      p.name as project_name, s.state, (select g.unit from machine_stage g where g.stay_id = s.id and g.stage = 'register' order by g.at desc limit 1) as issuer,
      coalesce(s.confirmed_at, s.create_time) as date
    from machine_stay s join special_machine m on m.id = s.machine_id join project p using (project_code) where s.id = ${id}`.execute(db)
  return rows[0]
}

/** What identifies the machine and its registration: a print from before a new registration is reported as different. */
const paperContent = ({ recordNo, useRegNo, useRegDate, name, model, manufactureNo, ownerCorp, projectName }: PaperRow) => ({
  recordNo,
  useRegNo,
  useRegDate,
  name,
  model,
  manufactureNo,
  ownerCorp,
  projectName,
})

async function draw(ctx: ListContext, { id, paper }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await rowFor(ctx, id, '*'), '设备')
  const printed = found(await paperRow(ctx.db, id), '设备')
  const pdf =
    paper === 'register' ? drawRegister(ctx, row, printed) : paper === 'receipt' ? drawReceipt(ctx, row) : drawPlate(ctx, row, publicUrl)
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'machine', id, content: paperContent(printed) })
  return pdf
}

/** Points of the code that opens the check form, and the space above it. */
const [checkQr, besideQr] = [120, 12]

const foot = (ctx: ListContext, row: RawMachine) => `${row.recordNo ?? row.name}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`

const machineFacts = (row: RawMachine) =>
  [
    ['设备类型', dictName('specialDeviceType', row.deviceType)],
    ['设备名称', row.name],
    ['规格型号', row.model],
    ['出厂编号', row.manufactureNo],
    ['制造厂家', row.manufacturer],
    ['出厂日期', row.manufactureDate],
    ['产权备案编号', row.recordNo],
    ['产权单位', row.ownerCorp],
  ] as const

function drawRegister(ctx: ListContext, row: RawMachine, printed: PaperRow): Pdf {
  if (!row.useRegNo) throw new AppError('refused', `${row.name}尚未办理使用登记，没有登记证`)
  const pdf = new Pdf({ title: '建筑起重机械使用登记证', subtitle: row.useRegNo, foot: foot(ctx, row) })
  pdf.facts([
    ['使用登记编号', row.useRegNo],
    ['登记日期', row.useRegDate],
    ['工程名称', row.projectName],
    ['使用单位', row.useName],
    ...machineFacts(row),
    ['安装单位', row.installName],
    ['安装位置', row.position],
    ['维保单位', row.maintainCorp],
    ['检测机构', row.inspectOrg],
    ['检测日期', row.inspectDate],
    ['下次检验日期', row.nextInspectDate],
  ])
  pdf.paragraph('本证应置于或附着于该设备的显著位置。设备停用、拆卸或转移工地时失效。')
  pdf.heading(`${printed.issuer ?? ''}（机构盖章）`)
  pdf.paragraph(row.useRegDate ?? '')
  return pdf
}

/** The receipt of a notice that has been confirmed: installing, or dismantling once that was noticed. */
function drawReceipt(ctx: ListContext, row: RawMachine): Pdf {
  const isDismantling = row.dismantleCorp !== null
  if (row.installCorp === null || row.confirmedAt === null) throw new AppError('refused', `${row.name}的告知尚未由监管机构确认，没有回执`)
  const pdf = new Pdf({ title: `建筑起重机械${isDismantling ? '拆卸' : '安装'}告知回执`, subtitle: row.name, foot: foot(ctx, row) })
  pdf.facts([
    ['工程名称', row.projectName],
    ['使用单位', row.useName],
    ...machineFacts(row),
    ['安装单位', row.installName],
    ['安装告知日期', row.installDate],
    ['安装位置', row.position],
    ['确认时间', formatInstant(row.confirmedAt)],
  ])
  pdf.paragraph('告知材料齐全。安装、拆卸作业应按专项施工方案进行，作业人员须持证上岗；自检、检测和联合验收合格后方可使用。')
  pdf.heading('监管机构（盖章）')
  return pdf
}

function drawPlate(ctx: ListContext, row: RawMachine, publicUrl: string | undefined): Pdf {
  const shown = toRow(row)
  const pdf = new Pdf({ title: row.name, subtitle: row.recordNo ?? '未备案', foot: foot(ctx, row) })
  pdf.facts([
    ['规格型号', row.model],
    ['产权备案编号', row.recordNo],
    ['使用登记编号', row.useRegNo],
    ['下次检验日期', row.nextInspectDate],
    ['使用单位', row.useName],
    ['维保单位', row.maintainCorp],
    ['使用年限', shown.ageLimit === null ? `${shown.ageYears} 年` : `${shown.ageYears} / ${shown.ageLimit} 年`],
    ['安装位置', row.position],
  ])
  const y = pdf.document.y + besideQr
  pdf.room(checkQr + besideQr)
  pdf.qr(`${publicUrl ?? ''}/deviceInspect?machine=${row.id}`, pdf.left, y, checkQr)
  pdf.document.y = y + checkQr
  pdf.small('扫码登记本机检查（班前检查、周检、月检）')
  return pdf
}
