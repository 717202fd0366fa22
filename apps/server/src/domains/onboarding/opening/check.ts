import { checkCreditCode, checkMobile, checkPhone, checkPoint, normalizeCreditCode } from '@zhugong/contract/kit/checks'
import { type OpeningIssue, type OpeningKind, openingColumns } from '@zhugong/contract/onboarding/openings'
import { areaName, areaPath, areaRoots, dictionaryOf, isAreaCode } from '@zhugong/contract/settings/dictionaries'
import { unreadable } from '#kit/cell-text'
import { areaPrefix } from '../../access/public.ts'
import type { OpeningLine } from './sheet-thread.ts'

/** Existing objects that the rows refer to. */
export interface Known {
  /** Bodies by name. */
  bodies: ReadonlyMap<string, { code: string; areaCode: string }>
  companies: ReadonlyMap<string, { name: string; opened: boolean; enabled: boolean }>
  /** Existing projects as `areaCode name`. */
  projects: ReadonlySet<string>
}
/** The group that opens accounts. */
export interface Opener {
  /** Type of its group: 0 platform, 1 authority, 2 company. */
  groupsType: number
  groupName: string
  code: string
  areaCode: string | null
  kind: OpeningKind
}

export interface BodyRow {
  is: 'body'
  name: string
  areaCode: string
  parent: string | null
}
export interface CompanyRow {
  is: 'company'
  name: string
  creditCode: string
  areaCode: string
  address: string
}
export interface SiteRow {
  is: 'site'
  name: string
  areaCode: string
  address: string
  category: string
  contractor: string
  owner: string
  supervisor: string | null
  lng: number | null
  lat: number | null
}
export interface People {
  linkMan: string
  linkPhone: string
  adminName: string
  adminPhone: string | null
}
export type Wish = (BodyRow | CompanyRow | SiteRow) & People
export interface Checked {
  issues: OpeningIssue[]
  /** Undefined if the row has errors. */
  wish: Wish | undefined
}

const platform = 0
const authority = 1
const corporation = 2
const mostNameSigns = 100

let areaByName: Map<string, string> | undefined
/** Finds a division by its code, its full name, or its name if that is unique in its city. */
function areaOf(given: string): string | undefined {
  if (isAreaCode(given)) return given
  if (!areaByName) {
    areaByName = new Map()
    const codes: string[] = []
    const walk = (nodes: typeof areaRoots) => {
      for (const node of nodes) {
        codes.push(node.code)
        walk(node.children ?? [])
      }
    }
    walk(areaRoots)
    for (const code of codes) {
      areaByName.set(areaPath(code) ?? code, code)
      const name = areaName(code) ?? code
      areaByName.set(name, areaByName.has(name) ? '' : code)
    }
  }
  return areaByName.get(given) || undefined
}

const categories = () => dictionaryOf('projectCategory')?.items ?? []

/**
 * Checks all rows: errors per cell, duplicates within the file, and existing objects. Pure: reads only `known`. Authorities and companies
 * in the sheet count as existing for the rows below them.
 */
export function checkLines(lines: readonly OpeningLine[], known: Known, opener: Opener): Checked[] {
  const bodies = new Map(known.bodies)
  const companies = new Map(known.companies)
  const projects = new Set(known.projects)
  const fresh: { body: string[]; company: string[] } = { body: [], company: [] }
  return lines.map((line) => {
    const row = new Row(line)
    const people = peopleOf(row)
    const wish = line.sheet === 'groups' ? groupOf(row) : siteOf(row)
    return { issues: row.issues, wish: row.issues.length ? undefined : { ...wish, ...people } }
  })

  function groupOf(row: Row): BodyRow | CompanyRow {
    if (opener.groupsType !== platform) row.wrong('name', '监管机构和企业由平台开通，这里只开通项目')
    const name = row.text('name', mostNameSigns)
    const areaCode = row.area()
    const given = row.cell('creditCode')
    if (given) return companyOf(row, name, areaCode, given)
    if (bodies.has(name)) row.wrong('name', known.bodies.has(name) ? '已有同名监管机构' : '与上面的行重复')
    const parent = row.cell('parent') || null
    const above = parent === null ? undefined : bodies.get(parent)
    if (parent !== null && !above) row.wrong('parent', '上级机构不存在，或应写在它的上面')
    if (above && areaCode && !areaCode.startsWith(areaPrefix(above.areaCode))) row.wrong('areaCode', `不在上级机构“${parent}”的辖区内`)
    if (name) {
      bodies.set(name, { code: '', areaCode })
      fresh.body.push(name)
    }
    return { is: 'body', name, areaCode, parent }
  }

  function companyOf(row: Row, name: string, areaCode: string, given: string): CompanyRow {
    const creditCode = row.credit('creditCode', given)
    const there = companies.get(creditCode)
    if (there?.opened) row.wrong('creditCode', known.companies.get(creditCode)?.opened ? '该企业已经开通' : '与上面的行重复')
    else if (there && there.name !== name) row.wrong('name', `企业库中该信用代码登记为“${there.name}”`)
    else if (there && !there.enabled) row.wrong('creditCode', '该企业已停用')
    if (creditCode) {
      companies.set(creditCode, { name, opened: true, enabled: true })
      fresh.company.push(creditCode)
    }
    return { is: 'company', name, creditCode, areaCode, address: row.text('address', 200) }
  }

  function siteOf(row: Row): SiteRow {
    const name = row.text('name', mostNameSigns)
    const areaCode = row.area()
    const key = `${areaCode} ${name}`
    if (name && projects.has(key)) row.wrong('name', known.projects.has(key) ? '同一地区已有同名项目' : '与上面的行重复')
    projects.add(key)
    const onlyCompany = fresh.company.length === 1 ? fresh.company[0] : undefined
    const contractor = row.party('contractor', onlyCompany, companies)
    const owner = row.party('owner', onlyCompany, companies)
    if (opener.groupsType === corporation && ![contractor, owner].includes(opener.code))
      row.wrong('contractor', `企业只能开通本企业（${opener.code}）总承包或建设的项目`)
    if (opener.groupsType === authority && areaCode && !areaCode.startsWith(areaPrefix(opener.areaCode ?? 'none')))
      row.wrong('areaCode', `不在“${opener.groupName}”的辖区内`)
    return {
      is: 'site',
      name,
      areaCode,
      address: row.text('address', 200),
      category: row.category(),
      contractor,
      owner,
      supervisor: supervisorOf(row, areaCode),
      ...row.point(),
    }
  }

  /** The named authority; else the one in this file whose area contains the site; else the opener itself. */
  function supervisorOf(row: Row, areaCode: string): string | null {
    const named = row.cell('supervisor')
    const body = named ? bodies.get(named) : undefined
    if (named && !body) row.wrong('supervisor', '监督机构不存在，请写全称')
    if (body && areaCode && !areaCode.startsWith(areaPrefix(body.areaCode))) row.wrong('supervisor', `“${named}”的辖区不含项目所在地`)
    if (named) return named
    const here = fresh.body.filter((name) => areaCode.startsWith(areaPrefix(bodies.get(name)?.areaCode ?? 'none')))
    if (here.length > 0) return here.at(-1) ?? null
    return opener.groupsType === authority ? opener.groupName : null
  }
}

function peopleOf(row: Row): People {
  const linkPhone = row.text('linkPhone', 50)
  row.fault('linkPhone', linkPhone && checkPhone(linkPhone))
  const adminPhone = row.cell('adminPhone') || null
  row.fault('adminPhone', adminPhone && checkMobile(adminPhone, { mainlandOnly: true }) && '手机号应为 1 开头的 11 位数字')
  const adminName = row.text('adminName', 50)
  if (adminName.length === 1) row.wrong('adminName', '姓名为 2-50 字')
  return { linkMan: row.text('linkMan', 50), linkPhone, adminName, adminPhone }
}

/** One row during the check: its cells and their errors. */
class Row {
  readonly issues: OpeningIssue[] = []
  readonly #line: OpeningLine
  constructor(line: OpeningLine) {
    this.#line = line
    for (const [field, text] of Object.entries(line.cells)) this.fault(field, unreadable(text))
  }

  cell = (field: string): string => this.#line.cells[field] ?? ''
  wrong(field: string, text: string): void {
    this.issues.push({ field, text })
  }
  fault(field: string, text: string | null | undefined): void {
    if (text) this.wrong(field, text)
  }

  /** The text of a required cell. */
  text(field: string, most: number): string {
    const text = this.cell(field)
    const title = openingColumns[this.#line.sheet].find((column) => column.key === field)?.title ?? field
    if (!text) this.wrong(field, `请填写${title}`)
    if (text.length > most) this.wrong(field, `${title}最多 ${most} 个字`)
    return text
  }
  area(): string {
    const given = this.text('areaCode', 60)
    const code = given ? areaOf(given) : undefined
    if (given && !code) this.wrong('areaCode', '没有这个区划，请填 6 位代码或全称')
    return code ?? ''
  }
  credit(field: string, given: string): string {
    const code = normalizeCreditCode(given)
    this.fault(field, checkCreditCode(code))
    return code
  }
  /** A company from the library or the sheet; if omitted, the only one in the sheet. */
  party(field: 'contractor' | 'owner', usual: string | undefined, companies: Known['companies']): string {
    const given = this.cell(field) || usual || ''
    if (!given) {
      this.text(field, 30)
      return ''
    }
    const code = this.credit(field, given)
    const there = companies.get(code)
    if (!checkCreditCode(code) && !there) this.wrong(field, '企业库中没有该信用代码，请在“机构”表中登记')
    if (there && !there.enabled) this.wrong(field, '该企业已停用')
    return code
  }
  category(): string {
    const given = this.text('category', 20)
    const code = categories().find((item) => item.name === given || item.code === given)?.code
    if (given && !code) this.wrong('category', '没有这个项目类别，请从下拉选择')
    return code ?? ''
  }
  /** The site's position, null if omitted; within the bounds of the country, like in the project form. */
  point(): { lng: number | null; lat: number | null } {
    const [given, other] = [this.cell('lng'), this.cell('lat')]
    if (given === '' && other === '') return { lng: null, lat: null }
    const [lng, lat] = [Number(given), Number(other)]
    const [problem, turned] = [checkPoint(lng, lat), checkPoint(lat, lng)]
    if (other === '' && lng >= 0) this.wrong('lat', '请填写纬度')
    else if (given === '' && lat >= 0) this.wrong('lng', '请填写经度')
    else if (problem) this.wrong(problem.startsWith('经度') ? 'lng' : 'lat', turned ? problem : '经纬度可能填反')
    return { lng, lat }
  }
}
