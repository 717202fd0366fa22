import { permissionModules } from '@zhugong/contract/access/codes'
import type { role } from '@zhugong/contract/access/endpoints'
import { type FunctionNode, riskCodes } from '@zhugong/contract/access/role-work'
import type { z } from 'zod'

export type Role = z.output<typeof role>

/** Codes added and removed since the last save. */
export interface CodeDifference {
  added: readonly string[]
  removed: readonly string[]
}
export function differenceOf(before: readonly string[], after: readonly string[]): CodeDifference {
  const [old, now] = [new Set(before), new Set(after)]
  return { added: after.filter((code) => !old.has(code)), removed: before.filter((code) => !now.has(code)) }
}
/** For example `+3 −1`. */
export const differenceWords = ({ added, removed }: CodeDifference): string => `+${added.length} −${removed.length}`

const moduleOf = (code: string): string => code.split('.')[0] ?? ''
const viewOf = (code: string): string => `${moduleOf(code)}.view`

/** View codes missing from `codes`: a right to act requires the right to view. Only codes in `possible` are answered. */
export function missingViews(codes: readonly string[], possible: ReadonlySet<string>): string[] {
  const chosen = new Set(codes)
  return [...new Set(codes.map(viewOf))].filter((code) => possible.has(code) && !chosen.has(code))
}

export const personalRisk: string = riskCodes.personal
const namesShown = 8
const joined = (names: readonly string[]): string =>
  names.length > namesShown ? `${names.slice(0, namesShown).join('、')} 等 ${names.length} 项` : names.join('、')

export interface SummaryLine {
  label: string
  text: string
  tone?: 'danger'
}

/** Summary of a role: what it lets people view, edit, approve and export, which personal data they can reach and which they cannot. */
export function summaryOf(functions: readonly FunctionNode[], codes: ReadonlySet<string>): SummaryLine[] {
  const chosen = functions.filter((one) => codes.has(one.code))
  const verb = (one: FunctionNode) => one.code.split('.')[1] ?? ''
  const names = (pick: (verb: string) => boolean) =>
    chosen.filter((one) => pick(verb(one)) && one.risk !== personalRisk).map((one) => one.name)
  const isDeciding = (v: string) => /audit|approve|decide|close|confirm/i.test(v)
  const seen = permissionModules.filter((m) => codes.has(`${m.module}.view`)).map((m) => m.name)
  const closed = functions.filter((one) => one.risk === personalRisk && !codes.has(one.code)).map((one) => one.name)
  const lines: SummaryLine[] = [
    { label: '可查看', text: joined(seen) },
    { label: '可办理', text: joined(names((v) => v !== 'view' && v !== 'export' && !isDeciding(v))) },
    { label: '可审批', text: joined(names(isDeciding)) },
    { label: '可导出', text: joined(names((v) => v === 'export' || v === 'run')) },
    { label: '可接触个人信息', text: joined(chosen.filter((one) => one.risk === personalRisk).map((one) => one.name)), tone: 'danger' },
    { label: '不能', text: joined(closed) },
  ]
  return lines.filter((line) => line.text !== '')
}

/** Presets of codes, limited to those the caller may grant. */
export const presets = [
  { key: 'view', label: '只读' },
  { key: 'enter', label: '录入' },
  { key: 'decide', label: '审核' },
  { key: 'manage', label: '管理' },
] as const
export type Preset = (typeof presets)[number]['key']
export function presetOf(preset: Preset, functions: readonly FunctionNode[]): string[] {
  const reads = /\.(view|stats|verify)$/
  const decides = /audit|approve|decide|close|confirm/i
  const fits = (one: FunctionNode) => {
    if (preset === 'manage') return true
    if (reads.test(one.code)) return one.risk !== personalRisk
    if (one.risk !== riskCodes.ordinary) return false
    return preset === 'enter' ? !decides.test(one.code) : preset === 'decide' && decides.test(one.code)
  }
  return functions.filter((one) => one.held && one.open && fits(one)).map((one) => one.code)
}
