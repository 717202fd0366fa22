import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { fileRefs } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'

/** States of a machine on a site (dictionary deviceLifecycle). */
/** 停用. */
export const suspendedMachine = '7'
export type MachineState = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
/** Stages that the authority confirms. */
export const confirmedStages: readonly MachineState[] = ['1', '2', '8']
export const mostMachineFiles = 20
const mostOperators = 30

const amount = (label: string) =>
  nullable(
    z.coerce
      .number({ error: `${label}应为数字` })
      .min(0, `${label}不能为负`)
      .max(1_000_000, `${label}过大`),
  )

/** What identifies a machine, whatever the site. */
export const machineFields = {
  deviceType: dict('specialDeviceType', '设备类型'),
  name: filled(100, '设备名称'),
  model: filled(50, '规格型号'),
  manufactureNo: filled(50, '出厂编号'),
  manufacturer: filled(100, '制造厂家'),
  manufactureDate: day,
  ownerCorp: filled(100, '产权单位'),
  /** kN·m of a tower crane; kg of a hoist. */
  ratedMoment: amount('额定力矩/载重'),
  hoistClass: nullable(z.enum(['SC', 'SS'], { error: '请选择升降机类别' })),
  /** The last day that an appraisal report allows beyond the age limit. */
  appraisedUntil: nullable(day),
  appraisalFiles: fileRefs('评估报告', mostMachineFiles).default([]),
}
/** What a machine is on one site. */
export const stayFields = {
  useCorp: ref('corporation'),
  maintainCorp: filled(100, '维保单位'),
  position: filled(100, '安装位置'),
}

const people = z.array(ref('worker')).max(mostOperators, `人员最多 ${mostOperators} 人`).default([])
const files = (label: string) => fileRefs(label, mostMachineFiles).min(1, `请上传${label}`)
const opinion = text(500, '意见').default('')
const why = (label: string) => text(500, label).min(5, `${label}至少 5 个字`)
const test = { inspectOrg: filled(100, '检测机构'), inspectDate: day, inspectReport: files('检测报告') }

const site = { needs: 'supervision.deviceFile', acts: 'own', turn: 'site' } as const
const authority = { needs: 'supervision.deviceConfirm', acts: 'site', turn: 'authority' } as const

/**
 * Transitions of a machine on a site (建设部令第166号). `site`: the site and the company that uses the machine; `authority`: a government whose area
 * the project lies in.
 */
export const machineMoves = {
  save: { label: '修改', from: ['0'], to: null, ...site, asks: { ...machineFields, ...stayFields } },
  file: { label: '产权备案', from: ['0'], to: '1', ...site, asks: { recordNo: filled(50, '产权备案编号'), files: files('产权备案证明') } },
  confirm: { label: '确认', from: confirmedStages, to: null, ...authority, asks: { opinion } },
  sendBack: {
    label: '退回',
    from: confirmedStages,
    to: ['0', '1', '6', '7'],
    ...authority,
    asks: { opinion: why('退回原因') },
  },
  noticeInstall: {
    label: '安装告知',
    from: ['1'],
    to: '2',
    ...site,
    asks: {
      installCorp: ref('corporation'),
      installDate: day,
      maxHeight: amount('安装高度'),
      installers: people,
      files: files('安装专项方案'),
    },
  },
  install: { label: '开始安装', from: ['2'], to: '3', ...site, asks: { date: day } },
  selfCheck: { label: '自检完成', from: ['3'], to: '4', ...site, asks: { date: day, files: files('自检记录') } },
  saveTest: { label: '保存检测与验收', from: ['4'], to: null, ...site, asks: { ...test, acceptDate: day } },
  testPass: { label: '检测验收合格', from: ['4'], to: '5', ...site, asks: {} },
  staff: {
    label: '保存司机与监测',
    from: ['4', '5', '6', '7'],
    to: null,
    ...site,
    asks: { operators: people, deviceId: nullable(ref('device')), maintainCorp: filled(100, '维保单位') },
  },
  retest: { label: '登记定期检测', from: ['6', '7'], to: null, ...site, asks: test },
  register: { label: '使用登记', from: ['5'], to: '6', ...authority, asks: { opinion } },
  suspend: { label: '停用', from: ['6'], to: '7', ...authority, asks: { opinion: why('停用原因') } },
  resume: {
    label: '恢复使用',
    from: ['7'],
    to: '6',
    ...authority,
    asks: { date: day, opinion: why('检查结果'), files: files('检查合格记录') },
  },
  noticeDismantle: {
    label: '拆卸告知',
    from: ['6', '7'],
    to: '8',
    ...site,
    asks: { dismantleCorp: ref('corporation'), date: day, files: files('拆卸专项方案') },
  },
  dismantle: { label: '拆除完成', from: ['8'], to: '9', ...site, asks: { date: day, files: files('拆除记录') } },
} as const satisfies Record<string, Move<MachineState>>
export type MachineAction = keyof typeof machineMoves
