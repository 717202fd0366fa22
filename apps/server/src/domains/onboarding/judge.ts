import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { clockMinutes, mayBeOff, quietDays, type StepKey, type StepState, silentHours, stepKeys } from '@zhugong/contract/onboarding/steps'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { formatInstant } from '#kit/clock'

/** Facts about one site from the database (`zg_onboarding_facts`). */
export interface Facts {
  projectCode: string
  prjStatus: string
  created: Date
  placed: boolean
  supervised: boolean
  licences: number
  /** The responsible parties present on the site. */
  parties: { type: string; code: string; name: string; at: string }[]
  groupEnabled: boolean
  members: number
  administrators: number
  firstMember: Date | null
  lastLogin: Date | null
  /** Expiry of an administrator's unused link. */
  linkUntil: Date | null
  gates: number
  gateSince: Date | null
  gateHeard: Date | null
  /** How far the gate's clock is behind ours, from the newest passage. */
  gateClockMs: number | null
  gateQuarantine: string | null
  people: number
  firstPassage: Date | null
  lastPassage: Date | null
  devices: number
  devicesOnline: number
  deviceSince: Date | null
  deviceHeard: Date | null
  /** The site's code on an upper platform. */
  upperCode: string | null
}

export interface Check {
  title: string
  ok: boolean
  evidence: string
  cause: string
  mend: { path: string; title: string } | null
}
export interface Step {
  key: StepKey
  state: StepState
  /** Time since which the state applies. */
  since: Date
  checks: Check[]
}
interface Judged {
  checks: Check[]
  /** Time since which it is done, if ever; and since when it is broken. */
  doneSince: Date | null
  brokenSince?: Date | null
}

const at = (time: Date | null) => (time ? formatInstant(time).slice(0, 16) : '')
const later = (...times: (Date | null)[]): Date | null => times.reduce((last, time) => (time && (!last || time > last) ? time : last), null)

/** The five responsible parties, by their part. */
export const fiveParties = { '008': '建设单位', '009': '施工总承包单位', '007': '监理单位', '010': '勘察单位', '011': '设计单位' } as const

const pages = {
  project: { path: '/system/project/information', title: '项目信息' },
  units: { path: '/unitListStock', title: '参建单位' },
  accounts: { path: '/system/organization', title: '组织管理' },
  devices: { path: '/administration', title: '设备管理' },
  people: { path: '/personList', title: '人员列表' },
  passages: { path: '/checkRecord', title: '考勤记录' },
} as const

/** One check; if it fails, with the cause and the page to fix it. */
const check = (title: string, ok: boolean, evidence: string, cause: string, mend: Check['mend'] = null): Check => ({
  title,
  ok,
  evidence,
  cause: ok ? '' : cause,
  mend: ok ? null : mend,
})

const judges: Record<StepKey, (facts: Facts, now: number) => Judged> = {
  register: (f) => ({
    checks: [
      check('项目位置', f.placed, f.placed ? '已标注坐标' : '没有坐标', '地图、围栏和气象都按坐标计算，请补项目位置', pages.project),
      check(
        '监督机构',
        f.supervised,
        f.supervised ? '已指定' : '未指定',
        '没有监督机构，区县看不到此项目，请由监管或平台指定',
        pages.project,
      ),
      check('施工许可证', f.licences > 0, f.licences ? `已登记 ${f.licences} 本` : '未登记', '缺施工许可证，不能确认开工', pages.project),
    ],
    doneSince: f.created,
  }),
  parties: (f) => ({
    checks: Object.entries(fiveParties).map(([type, title]) => {
      const there = f.parties.filter((one) => one.type === type)
      return check(
        title,
        there.length > 0,
        there.map((one) => one.name).join('、') || '未登记',
        `五方缺${title}，请办理单位进场`,
        pages.units,
      )
    }),
    doneSince: later(f.created, ...f.parties.map((one) => new Date(one.at))),
  }),
  accounts: (f, now) => {
    const waits = f.linkUntil !== null && f.linkUntil.getTime() > now
    const invited = waits ? `邀请链接已发出，${at(f.linkUntil)} 前有效，对方尚未打开` : ''
    return {
      checks: [
        check('项目账号组', f.groupEnabled, f.groupEnabled ? '已启用' : '已停用', '项目账号组未启用，谁也登录不了，请联系平台'),
        check(
          '项目管理员',
          f.administrators > 0,
          f.administrators ? `${f.administrators} 位，共 ${f.members} 个账号` : invited || '没有管理员',
          invited ? '请提醒对方打开链接设置密码，过期可重发' : '请发管理员邀请链接',
          pages.accounts,
        ),
        check(
          '已有人登录',
          f.lastLogin !== null,
          f.lastLogin ? `最近登录 ${at(f.lastLogin)}` : '还没有人登录过',
          '账号建了没有人用，请联系项目管理员登录',
          pages.accounts,
        ),
      ],
      doneSince: later(f.created, f.firstMember),
    }
  },
  gates: (f, now) => {
    const heardAgo = f.gateHeard ? now - f.gateHeard.getTime() : null
    const fresh = heardAgo !== null && heardAgo <= silentHours * hourMs
    const wrongMinutes = Math.round(Math.abs(f.gateClockMs ?? 0) / 60_000)
    const clockWrong = (f.gateQuarantine === 'clockAhead' || f.gateQuarantine === 'clockOffset') && wrongMinutes > clockMinutes
    const by = wrongMinutes >= 120 ? `${Math.round(wrongMinutes / 60)} 小时` : `${wrongMinutes} 分钟`
    return {
      checks: [
        check(
          '门禁已登记',
          f.gates > 0,
          f.gates ? `${f.gates} 台在用` : '没有门禁',
          '请登记门禁并填写接入方式；封闭不了的工地可标记不适用',
          pages.devices,
        ),
        check(
          '24 小时内有上报',
          fresh,
          f.gateHeard ? `最近一条门禁记录 ${at(f.gateHeard)}` : '从未上报',
          f.gateHeard
            ? `门禁已静默 ${Math.floor((heardAgo ?? 0) / hourMs)} 小时，请检查门禁的电源和网络`
            : f.gates
              ? '门禁登记了但没有连上，请核对设备编号和密钥'
              : '先登记门禁',
          pages.devices,
        ),
        check(
          '门禁时钟',
          !clockWrong,
          clockWrong ? `相差 ${by}` : f.gateHeard ? '与平台一致' : '尚无记录可核对',
          `门禁时钟相差 ${by}，记录已隔离、不计考勤，请给门禁校时（NTP）`,
          pages.passages,
        ),
      ],
      doneSince: later(f.created, f.gateSince),
      brokenSince: f.gateHeard && !fresh ? new Date(f.gateHeard.getTime() + silentHours * hourMs) : null,
    }
  },
  attendance: (f, now) => {
    const quiet = f.lastPassage ? now - f.lastPassage.getTime() > quietDays * dayMs : false
    // No attendance is expected on suspended or finished sites.
    const rests = f.prjStatus !== projectStates.building
    const counts = f.lastPassage !== null && (rests || !quiet)
    return {
      checks: [
        check(
          '人员已进场',
          f.people > 0,
          f.people ? `在册 ${f.people} 人` : '没有在册人员',
          '门禁只放行已进场的人，请登记或导入人员',
          pages.people,
        ),
        check(
          '考勤有记录',
          counts,
          f.lastPassage ? `最近一次有效通行 ${at(f.lastPassage)}` : '还没有有效通行',
          f.lastPassage ? `在建项目 ${quietDays} 天没有通行记录，停工请变更项目状态` : '有人刷过后自动完成；有隔离记录请先校时',
          pages.passages,
        ),
      ],
      doneSince: later(f.created, f.firstPassage),
      brokenSince: f.lastPassage && !counts ? new Date(f.lastPassage.getTime() + quietDays * dayMs) : null,
    }
  },
  devices: (f, now) => {
    const fresh = f.deviceHeard !== null && now - f.deviceHeard.getTime() <= silentHours * hourMs
    return {
      checks: [
        check(
          '设备已登记',
          f.devices > 0,
          f.devices ? `${f.devices} 台在用` : '没有设备',
          '请登记塔吊、扬尘等设备；没有监测设备的工地可标记不适用',
          pages.devices,
        ),
        check(
          '24 小时内有数据',
          fresh,
          f.deviceHeard ? `在线 ${f.devicesOnline} 台，最近数据 ${at(f.deviceHeard)}` : '从未上报',
          f.deviceHeard ? '全部设备已静默一天以上，请检查网关和网络' : f.devices ? '设备登记了但没有数据，请核对接入参数' : '先登记设备',
          pages.devices,
        ),
      ],
      doneSince: later(f.created, f.deviceSince),
      brokenSince: f.deviceHeard && !fresh ? new Date(f.deviceHeard.getTime() + silentHours * hourMs) : null,
    }
  },
  docking: (f) => ({
    checks: [check('上级平台编码', f.upperCode !== null, f.upperCode ?? '未登记', '请向上级平台报送项目并登记编码', pages.project)],
    doneSince: f.created,
  }),
}

/** Whether the site needs the docking step: sites that report to an upper platform have a code there. */
export const dockingApplies = (f: Pick<Facts, 'upperCode'>): boolean => f.upperCode !== null
const doesWithout = (key: StepKey, f: Facts): boolean => key === 'docking' && !dockingApplies(f)

/** The seven steps of a site at the given time. `off`: steps marked as not applicable. */
export function judge(facts: Facts, off: ReadonlySet<string>, now: number): Step[] {
  return stepKeys.map((key) => {
    const { checks, doneSince, brokenSince } = judges[key](facts, now)
    const since = doneSince ?? facts.created
    if (doesWithout(key, facts)) return { key, state: 'off', since: facts.created, checks: [noDocking] }
    if (off.has(key) && mayBeOff.includes(key)) return { key, state: 'off', since, checks }
    if (checks.every((one) => one.ok)) return { key, state: 'done', since, checks }
    if (brokenSince) return { key, state: 'broken', since: brokenSince, checks }
    return { key, state: 'open', since: key === 'register' || key === 'parties' ? facts.created : since, checks }
  })
}
const noDocking = check('上级平台', true, '项目未登记上级平台编码，不需要对接', '')

/** The first open step of a site, and for how many whole days it is open. */
export function stuckAt(steps: readonly Step[], now: number): { key: StepKey; days: number } | null {
  const first = steps.find((step) => step.state === 'open' || step.state === 'broken')
  return first ? { key: first.key, days: Math.max(0, Math.floor((now - first.since.getTime()) / dayMs)) } : null
}
