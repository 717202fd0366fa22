import { ageOn, birthdayOfIdCard, genderOfIdCard } from '@zhugong/contract/kit/checks'
import { normalIdNumber } from '@zhugong/contract/kit/normal'
import { workRoles } from '@zhugong/contract/labour/model'
import { residentId } from '@zhugong/contract/personnel/codes'
import {
  type ImportCells,
  type ImportField,
  type ImportIssue,
  importColumns,
  importTitle,
  stayFieldsOfImport,
} from '@zhugong/contract/personnel/import'
import { type Registration, registerBody } from '@zhugong/contract/personnel/registration-model'
import { ageFits, ageLimits, lifelongCard } from '@zhugong/contract/personnel/rules'
import { unreadable } from '#kit/cell-text'
import { pick } from '#kit/pick'
import { bare, codeOf, Issues, namesOf, nearest } from './cells.ts'
import type { Place } from './facts.ts'

/** A parsed row; it has a registration only if the row itself has no errors. */
export interface Reading {
  issues: Issues
  idCardType: string
  idCardNumber: string
  bankCard: string | null
  entryDay: string | null
  registration: Registration | undefined
}

/** The sheet column for each field of the form's validation errors. */
const fieldOf: Readonly<Record<string, ImportField>> = {
  'stay.corpCode': 'corp',
  'stay.teamId': 'team',
  'stay.workType': 'workType',
  'stay.post': 'workType',
  'stay.isTeamLeader': 'isTeamLeader',
  'stay.entryTime': 'entryTime',
  'stay.paymentType': 'paymentType',
  'stay.hasBuyInsurance': 'hasBuyInsurance',
  'stay.payRollBankCode': 'bank',
  'stay.payRollBankName': 'bank',
  'stay.payRollBankCardNumber': 'bankCard',
}
export const importFieldOf = (path: string): ImportField =>
  fieldOf[path] ?? fieldOf[`stay.${path}`] ?? importColumns.find((c) => c.key === path)?.key ?? 'name'
const kindOf = (field: ImportField): ImportIssue['kind'] =>
  field === 'idCardNumber' ? 'identity' : field === 'gender' || field === 'birthday' ? 'mismatch' : field === 'bankCard' ? 'card' : 'format'

/** Accepted spellings of yes and no. Other words are refused, because some of these columns also affect other people. */
const yes = ['是', '√', '✓', 'y', 'yes', '1']
const no = ['否', '×', 'n', 'no', '0', '']
const words = {
  isTeamLeader: { yes, no, asked: '填“是”或“否”' },
  hasBuyInsurance: { yes: [...yes, '已参加', '已购买', '有'], no: [...no, '未参加', '未购买', '无'], asked: '填“已参加”或“未参加”' },
  hasBadMedicalHistory: { yes: ['有', ...yes], no: ['无', ...no], asked: '填“有”或“无”' },
  consent: { yes: ['同意', '已同意', ...yes], no: ['不同意', '未同意', ...no], asked: '填“同意”或“不同意”' },
} as const satisfies Partial<Record<ImportField, { yes: readonly string[]; no: readonly string[]; asked: string }>>
/** Accepted text for a card without expiry. */
const forEver = /^(长期|永久|长期有效)$/

/** Parses one row, without database access. `place` is undefined for imports of files only. */
export function readRow(cells: ImportCells, place: Place | undefined, today: string): Reading {
  const issues = new Issues()
  for (const { key, title, required } of importColumns)
    if (required && !cells[key] && (place || !stayFieldsOfImport.includes(key)) && !(key === 'workType' && !place))
      issues.add(key, 'empty', `请填写${title}`)
  for (const { key } of importColumns) {
    const problem = unreadable(cells[key] ?? '')
    if (problem) issues.add(key, key === 'idCardNumber' ? 'identity' : key === 'bankCard' ? 'card' : 'format', problem)
  }
  const idCardType = issues.named(cells, 'idCardType', 'idCardType') ?? residentId
  const idCardNumber = numberOf(cells, 'idCardNumber')
  const bankCard = numberOf(cells, 'bankCard') || null
  const entryDay = place ? issues.day(cells, 'entryTime') : null
  if (entryDay && entryDay > today) issues.add('entryTime', 'format', '进场日期不能晚于今天')
  // Consent was signed on paper, as for everybody registered from a list.
  const consented = saysYes(cells, issues, 'consent')
  const person = {
    name: cells.name ?? '',
    idCardType,
    idCardNumber,
    gender: issues.named(cells, 'gender', 'gender'),
    birthday: issues.day(cells, 'birthday'),
    nation: issues.named(cells, 'nation', 'nation'),
    ...pick(cells, 'address', 'grantOrg', 'cellPhone', 'urgentLinkMan', 'urgentLinkManPhone'),
    startDate: issues.day(cells, 'startDate'),
    expiryDate: forEver.test(cells.expiryDate ?? '') ? lifelongCard : issues.day(cells, 'expiryDate'),
    cultureLevel: issues.named(cells, 'cultureLevel', 'education'),
    politics: issues.named(cells, 'politics', 'politics'),
    hasBadMedicalHistory: saysYes(cells, issues, 'hasBadMedicalHistory'),
    consents: consented === null ? [] : [{ kind: 'personal', state: consented ? '同意' : '不同意' }],
  }
  const work = workOf(cells, issues)
  const stay = place ? stayOf(cells, place, issues, { ...work, entryDay, bankCard }) : undefined
  const parsed = registerBody.safeParse({
    ...person,
    ...(place ? { stay } : { workTypeCode: work.workType, workCorpName: cells.corp }),
  })
  for (const issue of parsed.error?.issues ?? []) {
    const field = importFieldOf(issue.path.join('.'))
    if (cells[field]) issues.add(field, kindOf(field), issue.message)
    else if (importColumns.find((c) => c.key === field)?.required) issues.add(field, 'empty', `请填写${importTitle(field)}`)
    else issues.add(field, 'empty', issue.message)
  }
  checkAge(issues, idCardType, idCardNumber, person.birthday, entryDay, place, today, person.gender)
  if (person.expiryDate && person.expiryDate < (entryDay ?? today))
    if (place) issues.add('expiryDate', 'expired', `证件已于 ${person.expiryDate} 过期，过期不得进场`)
    else issues.warn('expiryDate', 'expired', `证件已于 ${person.expiryDate} 过期`)
  const sound = parsed.success && !issues.list.some((issue) => issue.level === 'error')
  return { issues, idCardType, idCardNumber, bankCard, entryDay, registration: sound ? parsed.data : undefined }
}

/** The number as stored; empty if the spreadsheet lost digits. */
const numberOf = (cells: ImportCells, field: 'idCardNumber' | 'bankCard'): string =>
  unreadable(cells[field] ?? '') ? '' : normalIdNumber(cells[field] ?? '')

/** The cell as a trade, or for managers as a post. */
function workOf(cells: ImportCells, issues: Issues): { workType: string | null; post: string | null } {
  const written = cells.workType
  if (!written) return { workType: null, post: null }
  const workType = codeOf('workerType', written) ?? null
  const post = workType ? null : (codeOf('managerPost', written) ?? null)
  if (!workType && !post) issues.unknown('workType', written, nearest(written, namesOf('workerType')))
  return { workType, post }
}

interface Work {
  workType: string | null
  post: string | null
  entryDay: string | null
  bankCard: string | null
}
function stayOf(cells: ImportCells, place: Place, issues: Issues, work: Work) {
  const unit = cells.corp ? place.units.get(bare(cells.corp)) : undefined
  if (cells.corp && !unit) {
    const names = [...place.units.values()].map((u) => u.corpName)
    const suggest = nearest(cells.corp, names)
    issues.add('corp', 'place', '企业不在本项目场内', { value: cells.corp, suggest: suggest || undefined })
  }
  const team = teamOf(cells, place, issues, unit?.corpCode)
  if (unit && work.entryDay && work.entryDay < unit.entryTime)
    issues.add('entryTime', 'place', `进场不能早于所在单位进场（${unit.entryTime}）`)
  else if (team && work.entryDay && work.entryDay < team.entryTime)
    issues.add('entryTime', 'place', `进场不能早于班组“${team.teamName}”进场（${team.entryTime}）`)
  const bank = issues.named(cells, 'bank', 'bankCode')
  const isTeamLeader = saysYes(cells, issues, 'isTeamLeader') ?? false
  if (isTeamLeader && team?.leader && team.leader !== cells.name)
    issues.warn('isTeamLeader', 'leader', `导入后将接替${team.leader}任班组“${team.teamName}”的班组长`)
  return {
    projectCode: place.projectCode,
    corpCode: unit?.corpCode,
    teamId: team?.id ?? null,
    workRole: work.post ? workRoles.manager : workRoles.worker,
    workType: work.workType,
    post: work.post,
    isTeamLeader,
    paymentType: issues.named(cells, 'paymentType', 'paymentType'),
    hasBuyInsurance: saysYes(cells, issues, 'hasBuyInsurance'),
    entryTime: work.entryDay ?? undefined,
    payRollBankCode: bank,
    payRollBankName: work.bankCard && bank ? cells.bank : null,
    payRollBankCardNumber: work.bankCard,
  }
}

function teamOf(cells: ImportCells, place: Place, issues: Issues, corpCode: string | undefined) {
  if (!cells.team) return undefined
  const named = place.teams.get(bare(cells.team)) ?? []
  const team = named.find((t) => t.corpCode === corpCode)
  if (team || !corpCode) return team ?? named[0]
  if (named.length) {
    issues.add('team', 'place', '班组不属于所填企业', { value: cells.team })
    return undefined
  }
  const own = [...place.teams.values()].flat().filter((t) => t.corpCode === corpCode)
  const suggest = nearest(
    cells.team,
    own.map((t) => t.teamName),
  )
  issues.add('team', 'place', '班组不在本项目场内', { value: cells.team, suggest: suggest || undefined })
  return undefined
}

/** Null for an empty cell. */
function saysYes(cells: ImportCells, issues: Issues, field: keyof typeof words): boolean | null {
  const written = (cells[field] ?? '').toLowerCase()
  if (!written) return null
  const known: { yes: readonly string[]; no: readonly string[]; asked: string } = words[field]
  if (known.yes.includes(written)) return true
  if (!known.no.includes(written)) issues.add(field, 'format', `${importTitle(field)}${known.asked}`)
  return false
}

function checkAge(
  issues: Issues,
  type: string,
  number: string,
  written: string | null,
  entryDay: string | null,
  place: Place | undefined,
  today: string,
  writtenGender: string | null,
): void {
  if (issues.isFaulty('idCardNumber')) return
  const birthday = type === residentId ? birthdayOfIdCard(number) : written
  if (!birthday) return
  const age = ageOn(birthday, entryDay ?? today)
  const gender = (type === residentId ? genderOfIdCard(number) : writtenGender) ?? '9'
  const field = type === residentId ? 'idCardNumber' : 'birthday'
  if (age < ageLimits.least) {
    const text = `${place ? '进场当日' : '现在'} ${age} 周岁，未满 ${ageLimits.least} 周岁不得进场`
    if (place) issues.add(field, 'age', text)
    else issues.warn(field, 'age', text)
  } else if (!ageFits(age, gender)) issues.warn(field, 'age', `${age} 周岁，已超过可转正式的年龄`)
}
