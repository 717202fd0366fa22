import {
  mostOpeningRows,
  type OpeningKind,
  type OpeningSheet,
  openingColumns,
  openingKinds,
  openingSheets,
} from '@zhugong/contract/onboarding/openings'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { FileAnswer } from '#kit/context'
import { type WriteSheet, writeXlsx } from '#kit/sheet-write'

export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The sheets of a file of this kind. */
export const sheetsOf = (kind: OpeningKind): OpeningSheet[] => (kind === 'site' ? ['sites'] : ['groups', 'sites'])

const hints: Readonly<Record<OpeningKind, string>> = {
  district: '“机构”填区监管（信用代码留空）和新企业；“项目”的监督机构留空时由所在区的新机构监督。',
  company: '“机构”填企业（信用代码必填）；“项目”的总承包、建设单位留空时取表中唯一的企业。',
  site: '只填“项目”；总承包和建设单位须已在企业库中。',
}

/** The workbook to fill in, with all cells as text. */
export async function openingTemplate(kind: OpeningKind): Promise<FileAnswer> {
  const categories = (dictionaryOf('projectCategory')?.items ?? []).map((item) => item.name)
  const sheets = sheetsOf(kind).map((sheet): WriteSheet => {
    const columns = openingColumns[sheet]
    const place = columns.findIndex(({ key }) => key === 'category')
    return {
      name: openingSheets[sheet],
      rows: [columns.map(({ title, required }) => (required ? `${title}*` : title))],
      columns: columns.map(() => ({ width: 22, numFmt: '@' })),
      freezePane: { rows: 1 },
      ...(place < 0
        ? {}
        : {
            dataValidations: [
              {
                range: `${letter(place)}2:${letter(place)}${mostOpeningRows + 1}`,
                type: 'list' as const,
                formula1: `'可选值'!$A$2:$A$${categories.length + 1}`,
                allowBlank: true,
              },
            ],
          }),
    }
  })
  const notes: (string | null)[][] = [
    ['填写说明'],
    [`1. ${hints[kind]}`],
    [`2. 带 * 的列必填，一次最多 ${mostOpeningRows} 行；先校验，确认后逐行开通。`],
    ['3. 每行的管理员会得到一个一次性邀请链接，自己设置账号和密码。'],
    ...sheetsOf(kind).flatMap((sheet) =>
      openingColumns[sheet].flatMap(({ title, note }) => (note ? [[`${openingSheets[sheet]} · ${title}：${note}`]] : [])),
    ),
  ]
  const choices = { name: '可选值', rows: [['项目类别'], ...categories.map((name) => [name])] }
  const body = await writeXlsx({ sheets: [...sheets, choices, { name: '填写说明', rows: notes, columns: [{ width: 90 }] }] })
  return new FileAnswer(`开通模板_${openingKinds[kind]}.xlsx`, xlsx, Buffer.from(body))
}
const letter = (index: number) => String.fromCharCode(65 + index)
