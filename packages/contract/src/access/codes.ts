import { type PermissionModule, permissions } from '../kit/permissions.ts'

const platform = [0]
const above = [0, 1, 2]
const site = [2, 3]

/** Every permission code of the product, by module. Roles hold them, endpoints and menus ask for them. */
export const permissionModules: readonly PermissionModule[] = [
  permissions('home', '首页', { view: '查看首页' }),
  permissions('export', '导出', { run: '导出列表', sensitive: { name: '导出未脱敏列', sensitive: true } }),
  permissions('government', '监管机构', {
    view: { name: '查看监管机构', types: above },
    create: { name: '新增监管机构', types: [0, 1] },
    edit: { name: '修改监管机构', types: [0, 1] },
    remove: { name: '删除监管机构', types: platform, sensitive: true },
    switch: { name: '启停监管机构', types: platform, sensitive: true },
  }),
  permissions('corporation', '企业', {
    view: '查看企业',
    create: '新增企业',
    edit: '修改企业',
    remove: { name: '删除企业', types: platform, sensitive: true },
    switch: { name: '启停企业', types: platform, sensitive: true },
  }),
  permissions('project', '项目', {
    view: '查看项目',
    create: { name: '新建项目', types: above },
    edit: '修改项目',
    state: { name: '变更项目状态', types: above },
    assign: { name: '指定监督机构', types: [0, 1] },
    switch: { name: '启停项目', types: platform, sensitive: true },
    remove: { name: '删除项目', types: platform, sensitive: true },
  }),
  permissions('projectGroup', '项目组', { view: '查看项目组', edit: '维护项目组' }),
  permissions('org', '组织', { view: '查看组织', edit: '维护组织', member: '维护人员', set: '组织设置' }),
  permissions('labour', '劳务', {
    view: '查看参建单位与班组',
    unit: { name: '维护参建单位', types: site },
    unitExit: { name: '单位退场', types: site },
    team: { name: '维护班组', types: site },
    teamExit: { name: '班组退场', types: site },
    entry: { name: '人员进场', types: site },
    exit: { name: '人员退场', types: site },
    account: { name: '维护工资账户', types: site, sensitive: true },
    corp: '维护企业档案',
    stats: '查看统计表',
    export: '导出劳务数据',
  }),
  permissions('personnel', '人员', {
    view: '查看人员',
    create: { name: '登记人员', types: site },
    edit: { name: '修改人员', types: site },
    delete: { name: '删除人员', types: site, sensitive: true },
    import: { name: '导入人员', types: site },
    export: '导出人员',
    unmask: { name: '查看明文', sensitive: true },
    formal: { name: '转正式', types: site },
    contract: { name: '维护合同', types: site },
    cert: { name: '维护证书', types: site },
    certAudit: '审核证书',
    bad: '登记不良记录',
    badAudit: '审核不良记录',
    health: { name: '查看健康信息', sensitive: true },
    train: { name: '维护培训', types: site },
    grant: { name: '人员授权', types: site },
  }),
  permissions('attendance', '考勤', {
    view: '查看考勤',
    photo: { name: '查看抓拍照片', sensitive: true },
    correct: { name: '申请补正', types: site },
    approve: { name: '审批补正', types: site },
    setting: { name: '考勤设置', types: site },
    verify: '校验考勤账本',
    export: '导出考勤',
    close: { name: '月度封账', types: site },
  }),
  permissions('device-admin', '设备管理', {
    view: '查看设备',
    create: '新增设备',
    edit: '修改设备',
    delete: { name: '删除设备', sensitive: true },
    audit: { name: '审核设备', types: above },
    gateway: '维护网关',
    secret: { name: '查看或更换密钥', sensitive: true },
    command: { name: '下发指令', sensitive: true },
    export: '导出设备',
    library: { name: '维护厂商品牌型号', types: platform },
    frame: '查看报文',
    transfer: '调拨设备',
    import: '导入设备',
    gate: { name: '门禁人员', types: site },
  }),
  permissions('tower-crane', '塔式起重机', {
    view: '查看塔机',
    export: '导出塔机记录',
    video: '查看塔机视频',
    warn: { name: '驾驶室喊话', types: site },
    zone: { name: '维护禁吊区', types: site },
  }),
  permissions('environment', '环境监测', {
    view: '查看环境监测',
    spray: { name: '手动喷淋', types: site },
    linkage: { name: '喷淋联动', types: site },
    export: '导出环境记录',
    maintain: { name: '校准维护', types: site },
    report: '环境报表',
  }),
  permissions('alarm', '告警', {
    view: '查看告警',
    ack: { name: '接单', types: site },
    handle: { name: '处置告警', types: site },
    false: { name: '标记误报', types: site },
    close: { name: '关闭告警', types: site },
    urge: { name: '督办', types: [0, 1, 2] },
    setting: '告警设置',
    lock: { name: '锁定全局告警', types: platform },
    sim: '告警演练',
    export: '导出告警',
  }),
  permissions('rules', '规则', {
    view: '查看规则',
    edit: '编辑规则',
    enable: '启停规则',
    delete: '删除规则',
    level: { name: '风险等级', types: platform },
    rehearse: '规则试算',
  }),
  permissions('role', '角色', { view: '查看角色', edit: '维护角色', remove: { name: '删除角色', sensitive: true } }),
  permissions('user', '账号', {
    view: '查看账号',
    create: '新增账号',
    edit: '修改账号',
    switch: '启停账号',
    reset: { name: '重置密码', sensitive: true },
    unlock: '解除锁定',
  }),
  permissions('audit', '操作日志', { view: '查看操作日志' }),
  permissions('system', '系统', { set: { name: '系统设置', types: platform, sensitive: true } }),
]

/** The codes a group type can hold at all. */
export function codesFor(groupsType: number): string[] {
  return permissionModules.flatMap((m) => m.permissions.filter((p) => p.types.includes(groupsType)).map((p) => p.code))
}

const everyCode = new Map(permissionModules.flatMap((m) => m.permissions.map((p) => [p.code, p] as const)))
export const isPermissionCode = (code: string): boolean => everyCode.has(code)
export const permissionName = (code: string): string => everyCode.get(code)?.name ?? code
