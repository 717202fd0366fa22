import type { MachineAction } from '@zhugong/contract/machines/moves'
import type { Row } from '#kit/db'
import type { FactColumns } from './facts.ts'

/** A stay with its machine, its facts, and what its guards ask. */
export type Machine = Row<'machineStay'> &
  FactColumns &
  Pick<
    Row<'specialMachine'>,
    | 'recordNo'
    | 'deviceType'
    | 'name'
    | 'model'
    | 'manufactureNo'
    | 'manufacturer'
    | 'manufactureDate'
    | 'ownerCorp'
    | 'ratedMoment'
    | 'hoistClass'
    | 'ageLimit'
    | 'retireDate'
    | 'appraisedUntil'
    | 'appraisalFiles'
    | 'scrappedAt'
  > & {
    ageYears: number
    /** Parties that have not signed the joint acceptance. */
    unsigned: readonly string[]
    installers: number
    badInstallers: number
  }

const say = (lacks: boolean, text: string): string[] => (lacks ? [text] : [])
const unconfirmed = (row: Machine, what: string) => say(row.confirmedAt === null, `${what}待监管机构确认`)
const tooOld = (row: Machine) => say(row.overAge, '超过规定使用年限，须有有效的评估报告')

const lists: Partial<Record<MachineAction, (row: Machine) => string[]>> = {
  file: (row) => tooOld(row),
  confirm: (row) => say(row.confirmedAt !== null, '已经确认'),
  sendBack: (row) => say(row.confirmedAt !== null, '已经确认，不能退回'),
  noticeInstall: (row) => [...unconfirmed(row, '产权备案'), ...tooOld(row)],
  install: (row) => [
    ...unconfirmed(row, '安装告知'),
    ...say(row.licensed !== true, '安装单位无起重设备安装工程专业承包资质，或已过期'),
    ...say(row.installers === 0, '未登记安装拆卸人员'),
    ...say(row.badInstallers > 0, `${row.badInstallers} 名安装拆卸人员证书无效`),
  ],
  testPass: (row) => [
    ...say(row.inspectDate === null || row.inspectReport.length === 0, '检测报告未登记'),
    ...say(row.acceptDate === null, '联合验收未登记'),
    ...(row.acceptDate === null ? [] : row.unsigned.map((party) => `${party}未签字`)),
  ],
  register: (row) => [
    ...tooOld(row),
    ...say(row.testOverdue, '检测已过期'),
    ...say(row.operators === 0, '未登记司机'),
    ...say(row.badOperators > 0, `${row.badOperators} 名司机证书无效`),
    ...say(row.licensed !== true, '安装单位无有效资质'),
  ],
  resume: (row) => [
    ...say(row.scrappedAt !== null, '检查结论为报废，不能恢复使用'),
    ...tooOld(row),
    ...say(row.testOverdue, '检测已过期，先登记定期检测'),
    ...say(row.operators === 0, '未登记司机'),
    ...say(row.badOperators > 0, `${row.badOperators} 名司机证书无效`),
  ],
  dismantle: (row) => unconfirmed(row, '拆卸告知'),
}

/** What an action still lacks; empty when nothing stands in its way. */
export const missingFor = (row: Machine, action: MachineAction): string[] => lists[action]?.(row) ?? []
