import type { AnnouncementState } from '@zhugong/contract/announcements/model'

type Sender = 'city-fang' | 'bj-wu' | 'yd-wang' | 'yunze-lu' | 'hospital-pm' | 'admin'
export interface AnnouncementPlan {
  title: string
  /** Dictionary noticeType. */
  type: '1' | '2' | '3' | '4' | '5' | '6'
  by: Sender
  daysAgo: number
  about: readonly string[]
  /** Hours after publishing by which it is to be signed. */
  signWithinHours?: number
  signature?: true
  top?: true
  state?: AnnouncementState
  /** Only these roles. */
  roles?: readonly string[]
}

const [day, week] = [24, 168]
/** All are invented and say so. The first is the notice with the most recipients, of which the districts sign at different rates. */
export const announcementPlans: readonly AnnouncementPlan[] = [
  {
    title: '关于开展冬季施工安全大检查的通知',
    type: '1',
    by: 'city-fang',
    daysAgo: 2,
    signWithinHours: 3 * day,
    top: true,
    about: [
      '各区主管部门、各在建项目须于三日内完成自查。',
      '重点检查起重机械、深基坑、高支模和消防通道。',
      '自查结果由项目负责人签字后留存备查。',
    ],
  },
  { title: '关于元旦假期值班安排的通知', type: '1', by: 'city-fang', daysAgo: 1, about: ['各单位明确带班领导和值班人员，保持通讯畅通。'] },
  {
    title: '关于报送十二月份重大风险清单的通知',
    type: '1',
    by: 'bj-wu',
    daysAgo: 3,
    signWithinHours: week,
    about: ['请各项目更新危大工程清单和监测情况。'],
  },
  { title: '关于规范建筑工人实名制信息更新的通知', type: '1', by: 'yd-wang', daysAgo: 9, about: ['进退场信息应于当日更新。'] },
  {
    title: '关于组织塔式起重机司机复训的通知',
    type: '1',
    by: 'yunze-lu',
    daysAgo: 6,
    signWithinHours: week,
    signature: true,
    about: ['请各项目安排司机和信号工参加复训。'],
  },
  { title: '项目部周例会调整通知', type: '1', by: 'hospital-pm', daysAgo: 1, about: ['本周例会改为周四十四时，在项目部二楼会议室。'] },
  { title: '平台例行维护公告', type: '2', by: 'admin', daysAgo: 4, about: ['维护期间查询不受影响，上报数据会在维护后补传。'] },
  {
    title: '施工现场视频接入情况公告',
    type: '2',
    by: 'city-fang',
    daysAgo: 12,
    about: ['已接入项目名单见监管平台，未接入的请于本月完成。'],
  },
  { title: '建筑业企业安全生产许可证延期办理公告', type: '2', by: 'city-fang', daysAgo: 20, about: ['许可证到期前三个月可在线申请延期。'] },
  { title: '滨江片区夜间施工许可办理公告', type: '2', by: 'bj-wu', daysAgo: 8, about: ['夜间施工应提前办理许可，并在工地大门公示。'] },
  { title: '项目部食堂开放时间公告', type: '2', by: 'hospital-pm', daysAgo: 5, about: ['早餐六时至七时半，午餐十一时至十二时半。'] },
  {
    title: '危险性较大的分部分项工程管理办法（示例）',
    type: '3',
    by: 'city-fang',
    daysAgo: 25,
    signWithinHours: 2 * week,
    about: ['方案应经专家论证后实施。', '验收合格后方可进入下道工序。'],
    state: '4',
  },
  { title: '建筑工地扬尘防治技术导则（示例）', type: '3', by: 'city-fang', daysAgo: 16, about: ['工地出入口应设置冲洗设施。'] },
  { title: '集团安全生产奖惩办法（示例）', type: '3', by: 'yunze-lu', daysAgo: 18, about: ['隐患整改及时率计入项目考核。'] },
  { title: '区管项目监督检查频次规定（示例）', type: '3', by: 'yd-wang', daysAgo: 22, about: ['高风险项目每月至少检查一次。'] },
  { title: '项目部临时用电管理规定（示例）', type: '3', by: 'hospital-pm', daysAgo: 15, about: ['配电箱一机一闸，每日巡查并登记。'] },
  {
    title: '强冷空气与大风蓝色预警提示',
    type: '4',
    by: 'city-fang',
    daysAgo: 0,
    signWithinHours: day,
    about: ['未来二十四小时阵风可达八级，请停止高处和吊装作业。'],
    roles: ['项目管理员', '安全员', '监督员', '科室负责人'],
  },
  { title: '持续低温混凝土施工预警提示', type: '4', by: 'city-fang', daysAgo: 7, about: ['请落实保温养护和测温记录。'] },
  {
    title: '江水位上涨深基坑监测预警提示',
    type: '4',
    by: 'bj-wu',
    daysAgo: 10,
    signWithinHours: 2 * day,
    about: ['临江项目加密监测频次至每日两次。'],
    state: '4',
  },
  { title: '重污染天气应急响应提示', type: '4', by: 'yd-wang', daysAgo: 13, about: ['停止土石方作业，加密雾炮喷淋。'] },
  {
    title: '塔机防碰撞区域调整提示',
    type: '4',
    by: 'hospital-pm',
    daysAgo: 3,
    signWithinHours: 2 * week,
    signature: true,
    about: ['二号塔机回转限位已调整，请司机交接时确认。'],
  },
  {
    title: '三季度在建项目监督检查情况通报',
    type: '5',
    by: 'city-fang',
    daysAgo: 28,
    about: ['共检查项目十八个，发出整改通知书二十六份，均已复查。'],
  },
  {
    title: '关于一起高处坠落险情的通报',
    type: '5',
    by: 'city-fang',
    daysAgo: 14,
    signWithinHours: week,
    about: ['未造成人员伤亡，请各项目组织学习并排查临边防护。'],
  },
  { title: '滨江片区实名制考勤情况通报', type: '5', by: 'bj-wu', daysAgo: 11, about: ['关键岗位到岗率低于八成的项目应说明原因。'] },
  { title: '关于提高评优申报门槛的通报', type: '5', by: 'city-fang', daysAgo: 5, about: ['申报条件见附件。'], state: '3' },
  {
    title: '安全生产工作例会通知',
    type: '6',
    by: 'city-fang',
    daysAgo: 6,
    signWithinHours: 2 * week,
    about: ['请各区主管部门和重点项目负责人参加。'],
  },
  { title: '智慧工地应用培训会', type: '6', by: 'admin', daysAgo: 9, about: ['线上举行，内容为设备接入和告警处置。'] },
  {
    title: '集团月度安全视频会',
    type: '6',
    by: 'yunze-lu',
    daysAgo: -2,
    signWithinHours: week,
    about: ['各项目由项目经理和安全总监参加。'],
    state: '5',
  },
  {
    title: '停工防汛紧急通知',
    type: '4',
    by: 'city-fang',
    daysAgo: 0,
    signWithinHours: day,
    about: ['汛情达到橙色预警的区域立即停止室外作业。', '人员撤离低洼区域，断开临时用电。'],
    state: '0',
  },
  { title: '质量标准化观摩会通知', type: '6', by: 'bj-wu', daysAgo: 0, about: ['观摩地点另行通知。'], state: '1' },
]
