/** What people ask and complain of in the demonstration, and how it was answered. */
export interface AdvicePlan {
  by: string
  /** Account whose group it is put to. */
  to: string
  type: '1' | '2' | '3' | '4' | '9'
  title: string
  text: string
  /** Hours ago it was put. */
  age: number
  /** An account of the site it is about; without one it is about the platform at large. */
  about?: string
  anonymous?: true
  /** Hours until the answer, and what it says. */
  reply?: readonly [by: string, hours: number, text: string]
  /** Hours until it was asked again, after the answer, and what was said. */
  reask?: readonly [hours: number, text: string]
  /** Forwarded before it was answered, to the group of this account. */
  forward?: readonly [by: string, to: string, why: string]
  note?: readonly [by: string, text: string]
  /** Closed by whoever put it, as content as this. */
  closed?: 1 | 2 | 3
}

const [operator, district, other] = ['admin', 'bj-zhao', 'yd-wang']

export const advicePlans: readonly AdvicePlan[] = [
  {
    by: 'hospital-officer',
    to: district,
    type: '4',
    about: 'hospital-officer',
    title: '附着式升降脚手架提升前是否需要报监督机构',
    text: '下周计划提升第 6 层，检测报告已出，请问除监理审批外是否还需提前告知监督机构？',
    age: 6,
  },
  {
    by: 'dongwan-pm',
    to: district,
    type: '4',
    about: 'dongwan-pm',
    title: '雨季深基坑监测频率如何调整',
    text: '连续降雨 4 天，监测方案为每日一次，是否需要加密到每日两次？',
    age: 30,
  },
  {
    by: 'jiangtan-pm',
    to: district,
    type: '2',
    about: 'jiangtan-pm',
    title: '项目总建筑面积与施工许可证不一致',
    text: '平台显示 8.6 万平方米，施工许可证为 8.9 万平方米，请核对后更正。',
    age: 90,
    note: ['bj-qian', '已调许可证底档，待内勤核对'],
  },
  {
    by: 'yunze-lu',
    to: operator,
    type: '1',
    title: '希望批量导出多个项目的月考勤表',
    text: '集团在建 6 个项目，目前只能逐个项目导出，建议支持一次选择多个项目。',
    age: 20,
  },
  {
    by: 'hospital-labour',
    to: operator,
    type: '2',
    about: 'hospital-labour',
    title: '闸机抓拍照片偏暗',
    text: '东门 2 号闸机早上 6 点前抓拍的照片太暗，识别率低，能否调整补光？',
    age: 110,
  },
  {
    by: 'hospital-labour',
    to: district,
    type: '3',
    about: 'hospital-labour',
    anonymous: true,
    title: '夜间违规吊装',
    text: '本周三晚上 11 点以后 2 号塔吊仍在吊运钢筋，没有看到夜间施工许可，噪声很大。',
    age: 40,
    note: ['bj-zhao', '调取 2 号塔吊当晚工作循环核实'],
  },
  {
    by: 'dingli-cheng',
    to: district,
    type: '3',
    about: 'hospital-pm',
    title: '进度款拖欠影响工人工资',
    text: '总包 9 月、10 月劳务进度款未付，班组工资无法按月发放，请协调处理。',
    age: 200,
    note: ['bj-wu', '与劳务监察联系，约谈总包'],
    reply: ['bj-zhao', 50, '已约谈总包单位，责令 5 日内补足专户资金，请关注专户到账情况。'],
  },
  {
    by: 'bj-zhao',
    to: 'hospital-pm',
    type: '2',
    about: 'hospital-pm',
    title: '2 号塔吊连续三天没有上传数据',
    text: '监管平台显示 2 号塔吊自周一起离线，请说明原因和恢复时间。',
    age: 26,
    reply: ['hospital-pm', 5, '黑匣子电源模块损坏，厂家今天到场更换，预计下午恢复。'],
  },
  {
    by: 'yd-wang',
    to: 'zhigu-pm',
    type: '4',
    about: 'zhigu-pm',
    title: '请说明扬尘在线监测连续超标的原因',
    text: '西南角监测点本周四次超标，请说明作业内容和降尘措施。',
    age: 12,
  },
  {
    by: 'zhigu-pm',
    to: other,
    type: '4',
    about: 'zhigu-pm',
    title: '整改回复照片数量是否有上限',
    text: '一个问题涉及 14 处，照片超过 9 张，如何提交？',
    age: 130,
    reply: ['yd-wang', 20, '每个问题最多 9 张，可按楼层拼图，或拆成多个问题分别回复。'],
    closed: 3,
  },
  {
    by: 'tunnel-pm',
    to: district,
    type: '4',
    about: 'tunnel-pm',
    title: '盾构始发条件验收由谁组织',
    text: '始发验收是建设单位组织还是监理组织，监督机构是否到场？',
    age: 260,
    reply: ['bj-sun', 18, '由建设单位组织，监理、设计、勘察参加，提前 3 日告知监督机构，届时派员到场。'],
    closed: 3,
  },
  {
    by: 'school-pm',
    to: other,
    type: '9',
    about: 'school-pm',
    title: '校园施工时段限制',
    text: '学校要求上课时间停止噪声作业，工期压力较大，能否协调错峰？',
    age: 170,
    reply: ['yd-wang', 40, '已与教育部门沟通，中午 12 点至 14 点、16 点以后可安排噪声作业。'],
    reask: [60, '周末是否也按这个时段执行？'],
  },
  {
    by: 'hospital-pm',
    to: operator,
    type: '1',
    about: 'hospital-pm',
    title: '大屏希望显示当日动火作业',
    text: '建议在项目大屏增加当日动火作业数量和位置。',
    age: 330,
    reply: ['admin', 30, '已列入下个版本计划，上线后另行通知。'],
    closed: 2,
  },
  {
    by: 'hengsheng-shi',
    to: operator,
    type: '2',
    title: '租赁设备调拨后历史记录看不到',
    text: '塔吊从东湾项目调到医院项目后，原项目的维保记录查不到了。',
    age: 400,
    reply: ['admin', 26, '记录随设备保留，可在设备详情“历次项目”中查看，已补充说明。'],
    closed: 3,
  },
  {
    by: 'dongwan-officer',
    to: district,
    type: '4',
    about: 'dongwan-officer',
    title: '危大工程专项方案修改后是否重新论证',
    text: '模板支撑体系立杆间距由 900 调整为 800，是否需要重新组织专家论证？',
    age: 150,
    forward: ['bj-qian', 'city-fang', '涉及专家论证口径，请市局答复'],
    reply: ['city-fang', 70, '属加强性调整，由总监审核同意即可，不需重新论证。'],
  },
  {
    by: 'chuyuan-li',
    to: operator,
    type: '9',
    title: '企业证照到期提醒希望提前 60 天',
    text: '目前提前 30 天提醒，续办周期较长，希望可以自行设置。',
    age: 500,
    reply: ['admin', 48, '企业设置中已支持自定义提前天数，最长 90 天。'],
    closed: 3,
  },
  {
    by: 'hospital-officer',
    to: district,
    type: '4',
    about: 'hospital-officer',
    title: '停工整改期间能否进行其他部位施工',
    text: '局部停工通知只列了 5 号楼，其他楼栋是否可以正常施工？',
    age: 96,
    reply: ['bj-sun', 10, '未列入通知的部位可以施工，请加强全面排查，复查时一并检查。'],
  },
  {
    by: 'dongwan-pm',
    to: operator,
    type: '1',
    about: 'dongwan-pm',
    title: '移动端希望支持离线填写',
    text: '地下室没有信号，希望可以先填写，有网络后再提交。',
    age: 620,
    reply: ['admin', 60, '已记录需求，正在评估离线方案。'],
    closed: 1,
  },
  {
    by: 'jiangtan-pm',
    to: district,
    type: '4',
    about: 'jiangtan-pm',
    title: '竣工前监督检查需要准备哪些资料',
    text: '计划下月竣工预验收，请问监督机构需要核查哪些资料？',
    age: 210,
    reply: ['bj-zheng', 16, '准备工程质量控制资料、主体结构检测报告、整改闭合台账及消防、节能专项验收意见。'],
    closed: 3,
  },
  {
    by: 'yunze-lu',
    to: district,
    type: '2',
    about: 'hospital-pm',
    title: '项目经理变更后平台仍显示原项目经理',
    text: '变更手续已于上月办结，平台信息没有更新。',
    age: 280,
    reply: ['bj-qian', 22, '已按备案信息更正。'],
    closed: 3,
  },
]
