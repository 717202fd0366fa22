import { importColumns, importKinds, mostImportRows, stayFieldsOfImport } from '@zhugong/contract/personnel/import'
import { formatDay } from '#kit/clock'
import { type Context, FileAnswer } from '#kit/context'
import { type WriteSheet, writeXlsx } from '#kit/sheet-write'
import { namesOf } from './cells.ts'
import { type Place, placeOf } from './facts.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const choices = '可选值'
/** Empty rows formatted as text in advance; more than one site registers in a week. */
const rowsAsText = 1_000

/** Fictitious people: their ID numbers have a division and an order no authority assigned. */
const samples: readonly Readonly<Record<string, string>>[] = [
  {
    name: '张三',
    idCardNumber: '110101199003070134',
    workType: '钢筋工',
    isTeamLeader: '是',
    entryTime: '2026-03-01',
    cellPhone: '13800138000',
  },
  {
    name: '李四',
    idCardNumber: '110101198511230263',
    workType: '木工',
    isTeamLeader: '否',
    entryTime: '2026-03-01',
    cellPhone: '13900139000',
  },
  {
    name: '王五',
    idCardNumber: '110101197802140311',
    workType: '混凝土工',
    isTeamLeader: '否',
    entryTime: '2026-03-02',
    cellPhone: '13700137000',
  },
]
const notes = [
  ['填写说明'],
  [`1. 在“${'人员'}”工作表中从第二行开始填写，一次最多 ${mostImportRows.toLocaleString('en-US')} 行；带 * 的列必填。`],
  ['2. 企业、班组、工种等从下拉列表选择；管理人员在“工种”列填岗位，可不填班组。'],
  ['3. 证件号码、手机号、工资卡号按文本填写；日期写成 2026-03-01。'],
  ['4. 居民身份证不必填性别和出生日期；有效期为长期的，“有效期止”填“长期”。'],
  ['以下三行是示例，本工作表不会被导入：'],
]

/** The workbook to fill in: drop-downs with the project's own companies and teams, and numbers as text. */
export async function importTemplate(ctx: Context, projectCode: string | null): Promise<FileAnswer> {
  const place = projectCode ? await placeOf(ctx, projectCode) : undefined
  const lists: Readonly<Record<string, readonly string[]>> = {
    idCardType: namesOf('idCardType'),
    gender: ['男', '女'],
    nation: namesOf('nation'),
    corp: [...new Set([...(place?.units.values() ?? [])].map((u) => u.corpName))],
    team: [...new Set([...(place?.teams.values() ?? [])].flat().map((t) => t.teamName))],
    workType: namesOf('workerType'),
    isTeamLeader: ['是', '否'],
    paymentType: namesOf('paymentType'),
    hasBuyInsurance: ['已参加', '未参加'],
    hasBadMedicalHistory: ['有', '无'],
    consent: ['同意', '不同意'],
    cultureLevel: namesOf('education'),
    politics: namesOf('politics'),
    bank: namesOf('bankCode'),
  }
  const columns = importColumns.filter((c) => place || !stayFieldsOfImport.includes(c.key) || c.key === 'corp')
  const listed = columns.filter((c) => lists[c.key]?.length)
  const isRequested = (c: (typeof columns)[number]) => c.required && (place !== undefined || (c.key !== 'corp' && c.key !== 'workType'))
  const people: WriteSheet = {
    name: '人员',
    rows: [
      columns.map((c) => (isRequested(c) ? `${c.title}*` : c.title)),
      // Cells are formatted as text, as Excel would round long numbers and convert dates. A column format alone affects only existing
      // cells.
      ...Array.from({ length: rowsAsText }, () => columns.map(() => null)),
    ],
    columns: columns.map(() => ({ width: 18, numFmt: '@' })),
    freezePane: { rows: 1 },
    dataValidations: columns.flatMap((c, i) => {
      const at = listed.indexOf(c)
      const values = lists[c.key]
      if (at < 0 || !values) return []
      // A list in the cell is limited to 255 characters, so it refers to the sheet of choices.
      const formula1 = `'${choices}'!$${letter(at)}$2:$${letter(at)}$${values.length + 1}`
      return [{ range: `${letter(i)}2:${letter(i)}${mostImportRows + 1}`, type: 'list' as const, formula1, allowBlank: true }]
    }),
  }
  const longest = Math.max(...listed.map((c) => lists[c.key]?.length ?? 0))
  const choice: WriteSheet = {
    name: choices,
    rows: [
      listed.map((c) => `${c.title}可选值`),
      ...Array.from({ length: longest }, (_, row) => listed.map((c) => lists[c.key]?.[row] ?? null)),
    ],
  }
  const shown = sampleTeam(place)
  const help: WriteSheet = {
    name: '填写说明',
    rows: [...notes, ...samples.map((one) => columns.map((c) => one[c.key] ?? shown[c.key] ?? null))],
    columns: columns.map(() => ({ width: 18, numFmt: '@' })),
  }
  const body = await writeXlsx({ sheets: [people, choice, help] })
  const title = projectCode ? importKinds.project : importKinds.base
  return new FileAnswer(`${title}导入模板_${formatDay(ctx.clock.now())}.xlsx`, xlsx, Buffer.from(body))
}

/** A team of the project and its company, for the sample rows. */
function sampleTeam(place: Place | undefined): Readonly<Record<string, string>> {
  const [team] = [...(place?.teams.values() ?? [])].flat()
  const unit = [...(place?.units.values() ?? [])].find((u) => u.corpCode === team?.corpCode)
  return team && unit ? { corp: unit.corpName, team: team.teamName } : {}
}
const letter = (index: number): string => (index < 26 ? '' : letter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))
