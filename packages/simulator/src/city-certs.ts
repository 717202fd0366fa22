import { addDays, addYears } from './calendar.ts'
import { cityName, type ProjectPlan, type Trade } from './city-plan.ts'
import { fileSeed, type Stay } from './city-stay.ts'
import type { Worker, WorkerCert } from './city-types.ts'
import { idOf, type Random } from './random.ts'

interface SpecialCert {
  specialType: string
  name: string
}
const specialCertOf: Partial<Record<Trade, SpecialCert>> = {
  scaffold: { specialType: '0201', name: '建筑架子工（普通脚手架）' },
  climbing: { specialType: '0202', name: '建筑架子工（附着升降脚手架）' },
  electrician: { specialType: '01', name: '建筑电工' },
  signal: { specialType: '03', name: '建筑起重信号司索工' },
  craneDriver: { specialType: '0401', name: '建筑起重机械司机（塔机）' },
  erector: { specialType: '0501', name: '建筑起重机械安装拆卸工（塔机）' },
  welder: { specialType: '07', name: '建筑焊工' },
}
const skillCertOf: Partial<Record<Trade, [string, string]>> = {
  rebar: ['8', '钢筋工'],
  formwork: ['11', '模板工'],
  concrete: ['9', '混凝土工'],
  mason: ['5', '砌筑工'],
  plaster: ['7', '抹灰工'],
  pipe: ['16', '管道工'],
  paint: ['1', '建筑油漆工'],
  tile: ['30', '装饰镶贴工'],
  curtainWall: ['31', '装饰幕墙工'],
  waterproof: ['6', '防水工'],
  wiring: ['19', '工程电气设备安装调试工'],
  duct: ['20', '通风工'],
  craneDriver: ['17', '安装起重工'],
  scaffold: ['4', '架子工'],
}
export const isSpecialTrade = (trade: Trade) => specialCertOf[trade] !== undefined

/** Certificates required for a post: [certType, specialType, name, letters of the number]. */
const postCerts: Record<string, [string, string | null, string, string][]> = {
  '1009': [
    ['202', null, '安全生产考核合格证（B 类）', 'B'],
    ['5', '13', '一级注册建造师', 'J1'],
  ],
  '1029': [['205', null, '安全生产考核合格证（C3 类）', 'C3']],
  '1018': [['205', null, '安全生产考核合格证（C3 类）', 'C3']],
  '1011': [['4', null, '高级工程师', 'GG']],
  '1016': [['301', null, '施工员岗位证书', 'SG']],
  '1017': [['302', null, '质量员岗位证书', 'ZL']],
  '1020': [['305', null, '材料员岗位证书', 'CL']],
  '1021': [['306', null, '机械员岗位证书', 'JX']],
  '1022': [['307', null, '劳务员岗位证书', 'LW']],
  '1023': [['308', null, '资料员岗位证书', 'ZLY']],
  '1001': [['5', '15', '注册监理工程师', 'JL']],
  '1004': [['5', '15', '注册监理工程师', 'JL']],
}

/** Random days left of special certificates, where the story sets none. */
function daysLeft(random: Random, plan: ProjectPlan): number {
  if (plan.green) return random.int(120, 690)
  return random.weighted([
    [random.int(-20, -1), plan.key === 'hospital' ? 2 : 3],
    [random.int(2, 29), plan.key === 'hospital' ? 9 : 6],
    [random.int(31, 89), 10],
    [random.int(90, 700), 84],
  ])
}

export function certsOf(random: Random, stay: Stay, worker: Worker): WorkerCert[] {
  const { seed, today, plan } = stay
  const certs: WorkerCert[] = []
  const add = (
    certType: string,
    specialType: string | null,
    name: string,
    certNo: string,
    endDays: number | null,
    years: number,
    grantOrg: string,
    level: string | null,
  ) => {
    const validEnd = endDays === null ? null : addDays(today, endDays)
    const issueDate = validEnd ? addYears(validEnd, -years) : addDays(today, -random.int(400, 2400))
    certs.push({
      id: idOf(seed, 'cert', worker.workerId, certs.length),
      workerId: worker.workerId,
      certType,
      specialType,
      name,
      certNo,
      level,
      firstIssueDate: addYears(issueDate, -years * random.int(0, 2)),
      issueDate,
      validStart: issueDate,
      validEnd,
      grantOrg,
      status: endDays !== null && endDays < 0 ? '4' : '1',
      auditStatus: '1',
      files: [
        fileSeed(
          'certificate',
          name,
          [worker.name, certNo, grantOrg, `${issueDate} 至 ${validEnd ?? '长期'}`],
          worker.workerId,
          certs.length,
        ),
      ],
    })
  }
  const number = (letters: string, digits: number) => letters + Array.from({ length: digits }, () => random.int(0, 9)).join('')
  if (stay.post) {
    for (const [certType, specialType, name, letters] of postCerts[stay.post] ?? []) {
      const lasting = certType === '4' || certType.startsWith('30')
      add(
        certType,
        specialType,
        name,
        number(`鄂${letters}`, 11),
        lasting ? null : random.int(150, 1000),
        3,
        '湖北省住房和城乡建设厅',
        certType === '4' ? '3' : null,
      )
    }
    return certs
  }
  const special = specialCertOf[stay.trade]
  if (special) {
    const endDays = stay.named?.certDays ?? daysLeft(random, plan)
    const certNo =
      stay.named?.certNo ?? `鄂A${special.specialType.slice(0, 2)}${addYears(addDays(today, endDays), -2).slice(0, 4)}${number('', 6)}`
    add('7', special.specialType, special.name, certNo, endDays, 2, `${cityName}住房和城乡建设局`, null)
    if (stay.trade === 'craneDriver' && (stay.named || random.chance(0.3))) {
      add(
        '7',
        '03',
        '建筑起重信号司索工',
        `鄂A03${number('2025', 6)}`,
        stay.named?.name === '陈大勇' ? 210 : random.int(100, 600),
        2,
        `${cityName}住房和城乡建设局`,
        null,
      )
    }
  }
  const skill = skillCertOf[stay.trade]
  if (skill && (stay.named?.name === '陈大勇' || random.chance(0.42))) {
    const level = worker.skillLevel ?? '3'
    add('1', skill[0], `${skill[1]}职业技能等级证书`, number('S0000', 15), null, 3, `${cityName}职业技能鉴定中心`, level)
  }
  return certs
}
