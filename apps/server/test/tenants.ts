import type { Subject } from '@zhugong/contract/kit/fields'
import type { City } from '@zhugong/simulator/city-types'
import type pg from 'pg'

/**
 * Who may see what, worked out from the invented city alone and by other means than the product's own: the oracle of the isolation tests.
 */
export interface Viewer {
  account: string
  kind: string
  /** Projects it may see at all. */
  projects: ReadonlySet<string>
  /** Projects where it sees everybody. */
  whole: ReadonlySet<string>
  /** Companies whose people it sees in the other projects. */
  corps: ReadonlySet<string>
  /** Type and code of its group; the platform sees every group's. */
  groupKey: string
}

const wholeTypes = new Set(['007', '008', '009'])

export function viewers(city: City): Viewer[] {
  const all = city.projects.map((p) => p.projectCode)
  const inArea = (front: string) => city.projects.filter((p) => p.areaCode.startsWith(front)).map((p) => p.projectCode)
  const company = (account: string, kind: string): Viewer => {
    const persona = city.personas.find((p) => p.account === account)
    const corp = persona?.corpCode ?? ''
    const parts = city.projectCorps.filter((c) => c.corpCode === corp)
    const corps = new Set([corp])
    // Everybody below in the chain of contracts, level by level.
    for (let grown = true; grown; ) {
      const below = city.projectCorps.filter(
        (c) =>
          c.parentCorpCode && corps.has(c.parentCorpCode) && parts.some((p) => p.projectCode === c.projectCode) && !corps.has(c.corpCode),
      )
      for (const c of below) corps.add(c.corpCode)
      grown = below.length > 0
    }
    return {
      account,
      kind,
      corps,
      groupKey: `2/${corp}`,
      projects: new Set(parts.map((p) => p.projectCode)),
      whole: new Set(parts.filter((p) => wholeTypes.has(p.corpType)).map((p) => p.projectCode)),
    }
  }
  const groupKeyOf = (account: string) => {
    const persona = city.personas.find((p) => p.account === account)
    return persona ? `${persona.groupType}/${persona.govCode ?? persona.corpCode ?? persona.projectCode}` : '0/platform'
  }
  const full = (account: string, kind: string, projects: string[]): Viewer => ({
    account,
    kind,
    projects: new Set(projects),
    whole: new Set(projects),
    corps: new Set(),
    groupKey: groupKeyOf(account),
  })
  const site = (account: string, kind: string) =>
    full(
      account,
      kind,
      city.personas.flatMap((p) => (p.account === account && p.projectCode ? [p.projectCode] : [])),
    )
  return [
    full('admin', '平台管理员', all),
    full('city-fang', '市级监管', inArea('4202')),
    full('bj-zhao', '区级监管', inArea('420202')),
    full('yd-wang', '另一区监管', inArea('420203')),
    company('yunze-lu', '总包企业'),
    company('chuyuan-li', '另一总包企业'),
    company('hospital-jl', '监理企业'),
    company('dingli-cheng', '劳务分包企业'),
    company('hengsheng-shi', '设备租赁企业'),
    site('hospital-pm', '项目管理员'),
    site('hospital-labour', '项目劳务员'),
    site('zhigu-pm', '另一项目管理员'),
    site('dongwan-officer', '相邻项目安全员'),
  ]
}

/** A row of a tenant: what it is, how it is called in calls, and who may see it. */
export interface Owned {
  subject: Subject
  id: string
  projectCode?: string
  corpCode?: string | null
  /** Only people's rows are narrowed to a subcontractor's own. */
  personal?: boolean
  /** Type and code of the group it belongs to, where that is not a project's. */
  groupKey?: string
}

const sources: readonly { subject: Subject; sql: string; personal?: boolean }[] = [
  { subject: 'project', sql: 'select project_code as id, project_code from project' },
  { subject: 'projectChange', sql: 'select id, project_code from project_change' },
  { subject: 'stateApply', sql: 'select id, project_code from project_state_apply' },
  { subject: 'projectWorker', sql: 'select id, project_code, corp_code from project_worker', personal: true },
  { subject: 'worker', sql: 'select worker_id as id, project_code, corp_code from project_worker', personal: true },
  { subject: 'team', sql: 'select id, project_code, corp_code from team', personal: true },
  { subject: 'projectTeam', sql: 'select id, project_code, corp_code from project_team', personal: true },
  {
    subject: 'certificate',
    sql: 'select c.id, pw.project_code, pw.corp_code from worker_cert c join project_worker pw on pw.worker_id = c.worker_id',
    personal: true,
  },
  { subject: 'contract', sql: 'select id, project_code, corp_code from worker_contract', personal: true },
  { subject: 'training', sql: 'select id, project_code, corp_code from training', personal: true },
  { subject: 'trainingTask', sql: 'select id, project_code, corp_code from worker_training', personal: true },
  { subject: 'badRecord', sql: 'select id, project_code, corp_code from worker_bad', personal: true },
  { subject: 'selfEntry', sql: 'select id, project_code, corp_code from self_entry', personal: true },
  { subject: 'personRequest', sql: 'select id, project_code, corp_code from person_request', personal: true },
  {
    subject: 'black',
    sql: `select e.id, e.source_project as project_code, w.corp_code from black_entry e
      join project_worker w on w.id_card_hash = e.id_card_hash and w.project_code = e.source_project`,
    personal: true,
  },
  { subject: 'correction', sql: 'select id, project_code, corp_code from attendance_correction', personal: true },
  { subject: 'todo', sql: 'select id, project_code, corp_code from work_item', personal: true },
  { subject: 'tempAlarm', sql: 'select id, project_code, corp_code from temp_alarm', personal: true },
  { subject: 'labourAlarm', sql: 'select id, project_code, corp_code from labor_alarm', personal: true },
  { subject: 'device', sql: 'select id, project_code from device' },
  { subject: 'gateway', sql: 'select id, project_code from gateway' },
  { subject: 'alarm', sql: 'select id, project_code from alarm' },
  { subject: 'trigger', sql: 'select id, project_code from rule_trigger where project_code is not null' },
  { subject: 'exec', sql: 'select id, project_code from rule_exec where project_code is not null' },
  { subject: 'execLog', sql: 'select id, project_code from exec_log' },
  { subject: 'duty', sql: 'select id, project_code from duty_shift' },
  { subject: 'linkageRun', sql: 'select id, project_code from linkage_run' },
  { subject: 'siteNotice', sql: 'select id, project_code from site_notice' },
  { subject: 'liftTest', sql: 'select id, project_code from lift_test' },
  { subject: 'liftStop', sql: 'select id, project_code from lift_stop' },
  { subject: 'pileWork', sql: 'select id, project_code from pile_work' },
  { subject: 'alarmReading', sql: 'select id, project_code from alarm_reading' },
  { subject: 'nightPermit', sql: 'select id, project_code from night_permit' },
  { subject: 'platformMove', sql: 'select id, project_code from platform_move' },
  { subject: 'suppress', sql: 'select id, project_code from device_suppress' },
  { subject: 'craneZone', sql: 'select id, project_code from crane_zone' },
  { subject: 'meterPrice', sql: 'select id, project_code from meter_price' },
  { subject: 'meterEntry', sql: 'select id, project_code from meter_entry' },
  { subject: 'meterMonth', sql: 'select id, project_code from meter_month' },
  { subject: 'vehicleFence', sql: 'select id, project_code from vehicle_fence' },
  { subject: 'vehicleRegistry', sql: 'select id, project_code from vehicle_registry' },
  { subject: 'pile', sql: 'select id, project_code from pile' },
  { subject: 'videoWall', sql: 'select id, project_code from video_wall' },
  { subject: 'videoMark', sql: 'select id, project_code from video_mark' },
  { subject: 'videoPatrol', sql: 'select id, project_code from video_patrol' },
  { subject: 'sprayPlan', sql: 'select id, project_code from spray_plan' },
  {
    subject: 'offlineSpan',
    sql: "select e.device_id || '-' || floor(extract(epoch from e.ts))::bigint as id, d.project_code from device_event e join device d on d.id = e.device_id where e.kind = 'offline'",
  },
  {
    subject: 'deviceRecord',
    sql: "select device_id || '.' || (extract(epoch from ts) * 1000)::bigint || '.' || left(md5(id), 8) as id, project_code from device_record",
  },
  // Owner, leader and supervisor are seen by everybody on the site.
  {
    subject: 'projectCorp',
    sql: `select id, project_code, corp_code from project_corp where corp_type not in ('007', '008', '009')`,
    personal: true,
  },
  { subject: 'teamNo', sql: 'select team_sys_no::text as id, project_code, corp_code from team', personal: true },
  { subject: 'due', sql: 'select id, project_code from device_due' },
  { subject: 'repair', sql: 'select id, project_code from device_repair' },
  { subject: 'openApp', sql: 'select id, project_code from open_app' },
  { subject: 'deviceSn', sql: 'select device_sn as id, project_code from device' },
  {
    subject: 'user',
    sql: `select m.user_id as id, null as project_code, t.type || '/' || t.code as group_key from member m join tenant t on t.id = m.group_id`,
  },
  {
    subject: 'org',
    sql: `select n.id, null as project_code, t.type || '/' || t.code as group_key from org_node n join tenant t on t.id = n.group_id`,
  },
  {
    subject: 'projectGroup',
    sql: `select n.id, null as project_code, t.type || '/' || t.code as group_key from project_group n join tenant t on t.id = n.group_id`,
  },
  {
    subject: 'member',
    sql: `select m.id, null as project_code, t.type || '/' || t.code as group_key from member m join tenant t on t.id = m.group_id`,
  },
  // What a project holds is seen by whoever sees the project whole.
  {
    subject: 'sightRule',
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from sight_rule x join tenant t on t.id = x.group_id`,
  },
  {
    subject: 'appGrant',
    sql: 'select g.id, t.code as project_code, null as corp_code from app_grant g join tenant t on t.id = g.group_id and t.type = 3',
    personal: true,
  },
  { subject: 'helmetGroup', sql: 'select id, project_code from helmet_group' },
  ...(['report_push', 'report_sending'] as const).map((table) => ({
    subject: table === 'report_push' ? ('reportPush' as const) : ('reportSending' as const),
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from ${table} x join tenant t on t.id = x.group_id`,
  })),
  {
    subject: 'screenTemplate',
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from screen_template x join tenant t on t.id = x.group_id`,
  },
  {
    subject: 'screenToken',
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from screen_token x join tenant t on t.id = x.group_id`,
  },
  {
    subject: 'adminLink',
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from admin_link x join tenant t on t.id = x.by_group`,
  },
  {
    subject: 'joinRequest',
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from join_request x join tenant t on t.id = x.by_group`,
  },
  {
    subject: 'opening',
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from opening x join tenant t on t.id = x.group_id`,
  },
  {
    subject: 'appApply',
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from app_apply x join tenant t on t.id = x.group_id`,
  },
  ...(['docking_platform', 'docking_key'] as const).map((table) => ({
    subject: table === 'docking_platform' ? ('dockingPlatform' as const) : ('dockingKey' as const),
    sql: `select x.id, null as project_code, t.type || '/' || t.code as group_key from ${table} x join tenant t on t.id = x.group_id`,
  })),
  { subject: 'dockingRecord', sql: 'select id, project_code, corp_code from docking_record', personal: true },
  { subject: 'material', sql: 'select id, project_code from project_material' },
  // What a company may build is told to whoever sees the company.
  { subject: 'qualification', sql: `select x.id, null as project_code, '2/' || x.corp_code as group_key from corp_qualification x` },
  {
    subject: 'corpMaterial',
    sql: `select x.id, null as project_code, '2/' || x.corp_code as group_key from corp_material x`,
  },
  {
    subject: 'workerImport',
    sql: `select i.id, null as project_code, t.type || '/' || t.code as group_key from worker_import i join tenant t on t.id = i.group_id`,
  },
]

export async function ownedRows(pool: pg.Pool): Promise<Owned[]> {
  const lists = await Promise.all(
    sources.map(async ({ subject, sql, personal }) => {
      const { rows } = await pool.query<{ id: string; project_code: string | null; corp_code?: string; group_key?: string }>(sql)
      return rows.map(
        (r): Owned => ({
          subject,
          id: r.id,
          ...(r.project_code ? { projectCode: r.project_code } : {}),
          ...(r.group_key ? { groupKey: r.group_key } : {}),
          corpCode: r.corp_code ?? null,
          ...(personal ? { personal } : {}),
        }),
      )
    }),
  )
  return lists.flat()
}

export function maySee(viewer: Viewer, row: Owned): boolean {
  if (row.groupKey) return viewer.groupKey === '0/platform' || viewer.groupKey === row.groupKey
  if (!row.projectCode || !viewer.projects.has(row.projectCode)) return false
  return (
    !row.personal ||
    viewer.whole.has(row.projectCode) ||
    (row.corpCode !== null && row.corpCode !== undefined && viewer.corps.has(row.corpCode))
  )
}
