import { codesFor, permissionModules } from '@zhugong/contract/access/codes'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'

const every = (verbs: string) => (module: string) => verbs.split(' ').map((verb) => `${module}.${verb}`)
const view = every('view')
const exporting = (...modules: string[]) => modules.map((module) => `${module}.export`)
const families = 'lifter unloading foundation-pit high-formwork meters weighbridge helmet vehicle vehicle-access video'.split(' ')
const monitoring = [
  'tower-crane.view',
  'environment.view',
  'alarm.view',
  'device-admin.view',
  'rules.view',
  ...families.map((family) => `${family}.view`),
  'vehicle.track',
  'vehicle.video',
  'video.play',
  'video.playback',
]
const reading = [
  'home.view',
  'export.run',
  'project.view',
  'corporation.view',
  'labour.view',
  'personnel.view',
  'attendance.view',
  ...monitoring,
]

/** The roles delivered with the product, per group type. `administrator` holds whatever its type can hold. */
const delivered: readonly { type: number; name: string; codes: readonly string[] | 'administrator'; remark: string }[] = [
  { type: 0, name: '平台管理员', codes: 'administrator', remark: '平台的全部功能' },
  {
    type: 0,
    name: '平台运维',
    codes: [...reading, ...every('view gateway frame library')('device-admin'), 'audit.view', 'rules.edit', 'rules.enable'],
    remark: '设备接入与规则',
  },
  { type: 1, name: '监管机构管理员', codes: 'administrator', remark: '机构的全部功能' },
  {
    type: 1,
    name: '监督员',
    codes: [
      ...reading,
      ...view('government'),
      'labour.stats',
      'labour.black',
      'project.state',
      'alarm.urge',
      'attendance.verify',
      'attendance.photo',
      'environment.report',
      ...exporting('alarm', 'environment', 'tower-crane', 'lifter'),
    ],
    remark: '查看辖区项目并督办',
  },
  { type: 2, name: '企业管理员', codes: 'administrator', remark: '企业的全部功能' },
  {
    type: 2,
    name: '企业安全员',
    codes: [
      ...reading,
      ...every('ack handle urge false close setting')('alarm'),
      ...every('edit enable delete template apply rehearse level')('rules'),
      ...exporting('alarm', 'tower-crane', 'environment', 'lifter', 'unloading', 'video'),
    ],
    remark: '各项目的设备、告警与规则模板',
  },
  {
    type: 2,
    name: '企业劳务员',
    codes: [
      ...reading,
      ...every('unit unitExit team teamExit entry exit black blackAudit blackAppeal stats export')('labour'),
      ...every('create edit import export formal contract cert')('personnel'),
      ...every('correct approve alarm close export photo')('attendance'),
    ],
    remark: '各项目的人员',
  },
  {
    type: 2,
    name: '企业设备员',
    codes: [
      ...reading,
      ...every('create edit transfer audit import export')('device-admin'),
      ...every('ack handle setting')('alarm'),
      ...every('track video download fence talk export')('vehicle'),
      ...exporting('weighbridge', 'meters', 'tower-crane', 'lifter', 'unloading', 'vehicle-access'),
    ],
    remark: '各项目的机械与监测设备',
  },
  {
    type: 2,
    name: '监理',
    codes: [
      ...reading,
      'labour.stats',
      'org.view',
      'attendance.approve',
      'attendance.photo',
      'personnel.certAudit',
      'alarm.handle',
      'alarm.close',
      'helmet.track',
    ],
    remark: '看项目全部；写自己的检查、审查与签字',
  },
  { type: 3, name: '项目管理员', codes: 'administrator', remark: '项目的全部功能' },
  {
    type: 3,
    name: '项目经理',
    codes: [
      ...reading,
      'alarm.ack',
      'alarm.handle',
      'alarm.close',
      'alarm.setting',
      'alarm.sim',
      ...every('approve alarm close export photo tempHandle')('attendance'),
      'personnel.export',
    ],
    remark: '查看全部并处置',
  },
  {
    type: 3,
    name: '劳务员',
    codes: [
      ...reading,
      ...every('unit unitExit team teamExit entry exit account black blackAppeal stats export')('labour'),
      ...every('create edit import export formal contract cert bad train')('personnel'),
      ...every('correct confirm alarm close setting export photo')('attendance'),
    ],
    remark: '人员、班组与考勤',
  },
  {
    type: 3,
    name: '安全员',
    codes: [
      ...reading,
      ...every('ack handle false close setting sim')('alarm'),
      'environment.spray',
      'tower-crane.warn',
      ...every('location track call group media')('helmet'),
      'vehicle-access.correct',
      'weighbridge.edit',
      'high-formwork.pour',
      'unloading.move',
      ...every('edit enable delete rehearse')('rules'),
      ...exporting('alarm', 'helmet', 'environment', 'tower-crane', 'lifter', 'unloading', 'vehicle-access', 'video'),
      ...every('bad health train')('personnel'),
      ...every('alarm tempSet tempHandle')('attendance'),
    ],
    remark: '设备、告警与规则',
  },
  {
    type: 3,
    name: '机械员',
    codes: [
      ...reading,
      ...every('view create edit gateway command export frame')('device-admin'),
      'alarm.ack',
      'alarm.handle',
      ...exporting('tower-crane', 'lifter', 'meters'),
    ],
    remark: '设备与网关',
  },
  { type: 3, name: '项目只读', codes: reading, remark: '只查看' },
]

/** The delivered role that holds whatever a group of this type can hold. */
export function administratorOf(type: number): string {
  const role = delivered.find((one) => one.type === type && one.codes === 'administrator')
  if (!role) throw new Error(`groups of type ${type} have no administrator`)
  return role.name
}

/** Brings the delivered roles up to the product's version: their codes follow it, a group's own roles are never touched. */
export async function deliverRoles(db: Db): Promise<void> {
  for (const role of delivered) {
    const possible = new Set(codesFor(role.type))
    const codes = role.codes === 'administrator' ? [...possible] : [...new Set(role.codes)].filter((code) => possible.has(code))
    await sql`insert into role (id, group_id, groups_type, name, codes, built_in, remark)
      values (${newId()}, null, ${role.type}, ${role.name}, ${codes}, true, ${role.remark})
      on conflict (coalesce(group_id, ''), groups_type, name) do update set codes = excluded.codes, remark = excluded.remark`.execute(db)
  }
}

/** The union of the codes of a member's roles that are in force, as far as its group type can hold them. */
export async function codesOfMember(db: Db, memberId: string, groupsType: number, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('memberRole as mr')
    .innerJoin('role as r', 'r.id', 'mr.roleId')
    .select(['r.codes', 'mr.deadline'])
    .where('mr.memberId', '=', memberId)
    .where('r.groupsType', '=', groupsType)
    .execute()
  const possible = new Set(codesFor(groupsType))
  const codes = new Set<string>()
  for (const row of rows) {
    if (row.deadline && Date.parse(`${row.deadline}T23:59:59+08:00`) < now) continue
    for (const code of row.codes) if (possible.has(code)) codes.add(code)
  }
  return [...codes]
}

/** The permission tree as the role editor shows it: what a group type can hold, and what the asker holds and may pass on. */
export function permissionTreeFor(groupsType: number, held: ReadonlySet<string>) {
  return permissionModules
    .map((m) => ({
      module: m.module,
      name: m.name,
      permissions: m.permissions
        .filter((p) => p.types.includes(groupsType))
        .map((p) => ({ code: p.code, name: p.name, sensitive: p.sensitive, held: held.has(p.code) })),
    }))
    .filter((m) => m.permissions.length > 0)
}
