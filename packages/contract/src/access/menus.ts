/** What can stand before an entry; the web holds a drawing for each. */
export type MenuIcon =
  | 'home'
  | 'building'
  | 'briefcase'
  | 'people'
  | 'roster'
  | 'idcard'
  | 'helmet'
  | 'records'
  | 'calendar'
  | 'personClock'
  | 'clock'
  | 'crane'
  | 'pit'
  | 'formwork'
  | 'camera'
  | 'craneAlarm'
  | 'lift'
  | 'pile'
  | 'wind'
  | 'bell'
  | 'bars'
  | 'globe'
  | 'place'
  | 'sliders'
  | 'copies'
  | 'bolt'
  | 'layers'
  | 'ledger'
  | 'plug'
  | 'box'
  | 'monitor'
  | 'project'
  | 'alert'
  | 'device'
  | 'team'

/**
 * The delivered menu trees: at most nine tabs, at most eight entries a directory, every page within two clicks.
 * `code` opens the page; `buttons` names the modules whose codes its buttons ask for; `related` are the pages reached from it.
 */
export interface MenuPage {
  path: string
  title: string
  code: string
  /** Stands before the entry in the side menu; pages inside a directory are told apart by their titles. */
  icon?: MenuIcon
  buttons?: readonly string[]
  related?: readonly string[]
  /** Group types that see it; none = every type that holds the code. */
  types?: readonly number[]
}
export interface MenuTab {
  name: string
  title: string
  icon: MenuIcon
  entries: readonly ((MenuPage & { icon: MenuIcon }) | { title: string; icon: MenuIcon; pages: readonly MenuPage[] })[]
}

export const menuTabs: readonly MenuTab[] = [
  {
    name: 'home',
    title: '首页',
    icon: 'home',
    entries: [{ path: '/main', title: '首页', icon: 'home', code: 'home.view', related: ['/mainHs'] }],
  },
  {
    name: 'project',
    title: '项目',
    icon: 'project',
    entries: [
      { path: '/gov/project', title: '监管项目', icon: 'building', code: 'project.view', buttons: ['project'] },
      {
        path: '/projectNavigation',
        title: '项目导航',
        icon: 'place',
        code: 'projectNav.view',
        buttons: ['projectNav'],
        related: ['/projectNavigationDetails', '/projectOpening'],
      },
      {
        path: '/companySystem',
        title: '企业管理',
        icon: 'briefcase',
        code: 'corporation.view',
        buttons: ['corporation'],
        related: ['/companySystem/info/basic', '/companySystem/info/extra', '/companyCreateForm'],
      },
      {
        path: '/system/organProject',
        title: '组织项目',
        icon: 'layers',
        code: 'projectGroup.view',
        buttons: ['projectGroup'],
        types: [0, 1, 2],
      },
      {
        title: '水电管理',
        icon: 'plug',
        pages: [
          { path: '/electric', title: '电表监测', code: 'meters.view', buttons: ['meters', 'alarm'] },
          { path: '/electric/record', title: '电表记录', code: 'meters.view', buttons: ['meters'] },
          { path: '/electric/record_2', title: '水电结算', code: 'meters.view', buttons: ['meters'] },
          { path: '/electric/alarm', title: '电表告警记录', code: 'meters.view', buttons: ['alarm'] },
          { path: '/waterMeter', title: '水表监测', code: 'meters.view', buttons: ['meters', 'alarm'] },
          { path: '/waterMeterAlarm', title: '水表告警记录', code: 'meters.view', buttons: ['alarm'] },
        ],
      },
    ],
  },
  {
    name: 'labour',
    title: '人员',
    icon: 'team',
    entries: [
      {
        path: '/personList',
        title: '人员列表',
        icon: 'people',
        code: 'personnel.view',
        buttons: ['personnel', 'labour'],
        related: ['/personListEdit', '/personListDetails'],
      },
      {
        title: '登记与流动',
        icon: 'records',
        pages: [
          {
            path: '/personImport',
            title: '人员导入',
            code: 'personnel.import',
            buttons: ['personnel'],
            related: ['/personImportEdit'],
          },
          { path: '/mobilePerson', title: '移动端人员', code: 'personnel.create', buttons: ['personnel', 'labour'], types: [2, 3] },
          { path: '/flowPerson', title: '流动人员', code: 'personnel.view', buttons: ['personnel', 'labour'] },
        ],
      },
      {
        path: '/PersonRoster',
        title: '人员花名册',
        icon: 'roster',
        code: 'personnel.view',
        buttons: ['personnel'],
        related: ['/PersonDetails'],
      },
      {
        path: '/personnelSystem',
        title: '人员档案',
        icon: 'idcard',
        code: 'personnel.view',
        buttons: ['personnel'],
        related: [
          ...['basic', 'resume', 'bad', 'contract', 'certificate', 'virusProtect'].map((tab) => `/personnelSystem/info/${tab}`),
          '/person/idRenewal',
        ],
      },
      {
        title: '证书与培训',
        icon: 'ledger',
        pages: [
          { path: '/certificate/alarm', title: '证书预警', code: 'personnel.view', buttons: ['personnel'] },
          { path: '/person/certificate', title: '人员证书', code: 'personnel.view', buttons: ['personnel'] },
          {
            path: '/person/train',
            title: '人员培训',
            code: 'personnel.view',
            buttons: ['personnel'],
            related: ['/person/train/details'],
          },
        ],
      },
      {
        path: '/unitListStock',
        title: '单位库',
        icon: 'building',
        code: 'labour.view',
        buttons: ['labour'],
        related: ['/unitListEdit', '/unitListEditExtend', '/unitListEditDetails'],
      },
      {
        path: '/teamSystem',
        title: '班组管理',
        icon: 'helmet',
        code: 'labour.view',
        buttons: ['labour'],
        related: ['/teamSystem/info/basic', '/teamEdit', '/teamListEdit', '/teamListEditDetails'],
      },
      {
        title: '黑名单',
        icon: 'alert',
        pages: [
          {
            path: '/laborBlack',
            title: '劳务黑名单',
            code: 'labour.view',
            buttons: ['labour'],
            related: ['/LaborBlackDetail', '/laborBlackEdit'],
          },
          { path: '/laborBlacks', title: '劳务黑名单汇总', code: 'labour.view', buttons: ['labour'], types: [0, 1, 2] },
          { path: '/companyBlack', title: '企业黑名单', code: 'labour.view', buttons: ['labour'] },
        ],
      },
      {
        title: '劳务统计',
        icon: 'bars',
        pages: [
          { path: '/projectTable', title: '项目统计表', code: 'labour.stats', buttons: ['labour'] },
          { path: '/governmentTable', title: '政府机构统计表', code: 'labour.stats', buttons: ['labour'], types: [0, 1] },
          { path: '/enterpriseTable', title: '企业统计表', code: 'labour.stats', buttons: ['labour'] },
          { path: '/PersonnelTable', title: '人员统计表', code: 'labour.stats', buttons: ['labour'] },
          {
            path: '/personalServer/intenterprise',
            title: '综合企业库',
            code: 'labour.view',
            buttons: ['corporation'],
            related: ['/personalServer/intenterprise/details', '/personalServer/intenterprise/person'],
          },
        ],
      },
    ],
  },
  {
    name: 'attendance',
    title: '考勤',
    icon: 'clock',
    entries: [
      {
        path: '/checkingList',
        title: '考勤列表',
        icon: 'records',
        code: 'attendance.view',
        buttons: ['attendance'],
        related: ['/CheckingDetail'],
      },
      { path: '/attendance', title: '考勤管理', icon: 'calendar', code: 'attendance.view', buttons: ['attendance'] },
      { path: '/SingleAttendance', title: '个人考勤', icon: 'personClock', code: 'attendance.view', buttons: ['attendance'] },
      {
        title: '通行记录',
        icon: 'ledger',
        pages: [
          { path: '/checkRecord', title: '考勤记录', code: 'attendance.view', buttons: ['attendance'] },
          { path: '/signIn', title: '签到记录', code: 'attendance.view', buttons: ['attendance'] },
        ],
      },
      {
        title: '考勤统计',
        icon: 'bars',
        pages: [
          { path: '/checkAnalysis', title: '考勤分析', code: 'attendance.view', buttons: ['attendance'] },
          { path: '/statisticalUnit', title: '单位考勤统计', code: 'attendance.view', buttons: ['attendance'] },
          { path: '/statisticalTeam', title: '班组考勤统计', code: 'attendance.view', buttons: ['attendance'] },
        ],
      },
      {
        title: '体温与防疫',
        icon: 'helmet',
        pages: [
          { path: '/Novel/record', title: '人员体温监测', code: 'attendance.view', buttons: ['attendance'] },
          {
            path: '/tempAlarmRecord',
            title: '体温预警记录',
            code: 'attendance.view',
            buttons: ['attendance'],
            related: ['/tempAlarmRecord/detail'],
          },
          { path: '/Novel/manage', title: '疫情信息管理', code: 'attendance.view', buttons: ['attendance', 'personnel'] },
          { path: '/tempAlarmSet', title: '体温预警设置', code: 'attendance.view', buttons: ['attendance'] },
        ],
      },
      { path: '/alarmSet', title: '考勤预警设置', icon: 'alert', code: 'attendance.view', buttons: ['attendance'] },
      { path: '/workerCheck/checkTime', title: '工人考勤时间', icon: 'sliders', code: 'attendance.setting', types: [2, 3] },
    ],
  },
  {
    name: 'monitor',
    title: '设备监测',
    icon: 'monitor',
    entries: [
      {
        title: '塔式起重机',
        icon: 'crane',
        pages: [
          {
            path: '/tower/monitor',
            title: '塔机实时监测',
            code: 'tower-crane.view',
            buttons: ['tower-crane', 'alarm'],
            related: ['/tower/playing'],
          },
          { path: '/tower/alarm', title: '塔机告警记录', code: 'tower-crane.view', buttons: ['alarm'] },
          { path: '/tower/handling', title: '塔机吊装循环', code: 'tower-crane.view', buttons: ['tower-crane'] },
          { path: '/tower/monitoringRecord', title: '塔机监测记录', code: 'tower-crane.view', buttons: ['tower-crane'] },
          { path: '/tower/off', title: '塔机在线离线记录', code: 'tower-crane.view', buttons: ['tower-crane'] },
          { path: '/tower/analysis', title: '塔机数据分析', code: 'tower-crane.view', buttons: ['tower-crane'] },
        ],
      },
      {
        title: '塔机对比',
        icon: 'bars',
        pages: [
          { path: '/tower/monitoringRecord_2', title: '多塔监测记录', code: 'tower-crane.view', buttons: ['tower-crane'] },
          { path: '/tower/handling_2', title: '多塔吊装循环', code: 'tower-crane.view', buttons: ['tower-crane'] },
          { path: '/tower/analysis_2', title: '多塔数据分析', code: 'tower-crane.view', buttons: ['tower-crane'] },
        ],
      },
      {
        title: '施工升降机',
        icon: 'lift',
        pages: [
          { path: '/equipment/lifter', title: '升降机实时监测', code: 'lifter.view', buttons: ['lifter', 'alarm'] },
          { path: '/equipment/warn', title: '升降机告警记录', code: 'lifter.view', buttons: ['alarm'] },
          { path: '/equipment/handling', title: '升降机运行循环', code: 'lifter.view', buttons: ['lifter'] },
          { path: '/equipment/monitor', title: '升降机监测记录', code: 'lifter.view', buttons: ['lifter'] },
          { path: '/equipment/analyze', title: '升降机数据分析', code: 'lifter.view', buttons: ['lifter'] },
          { path: '/equipment/monitor_2', title: '多机监测记录', code: 'lifter.view', buttons: ['lifter'] },
          { path: '/equipment/handling_2', title: '运行循环汇总', code: 'lifter.view', buttons: ['lifter'] },
          { path: '/equipment/analyze_2', title: '多机数据分析', code: 'lifter.view', buttons: ['lifter'] },
        ],
      },
      {
        title: '桩基',
        icon: 'pile',
        pages: [
          { path: '/equipment/mechanicsMonitor/index', title: '桩基机械监测', code: 'foundation-pile.view', buttons: ['alarm'] },
          { path: '/foundation/monitor', title: '桩基监测', code: 'foundation-pile.view', buttons: ['foundation-pile'] },
        ],
      },
      {
        title: '智能安全帽',
        icon: 'helmet',
        pages: [
          { path: '/helmet/monitoring', title: '安全帽监测', code: 'helmet.view', buttons: ['helmet'] },
          { path: '/helmet/location', title: '安全帽实时定位', code: 'helmet.view', buttons: ['helmet', 'alarm'] },
          { path: '/helmet/track', title: '安全帽轨迹', code: 'helmet.track' },
          { path: '/helmet/photograph', title: '安全帽抓拍', code: 'helmet.view', buttons: ['helmet'] },
          { path: '/helmet/video', title: '安全帽视频', code: 'helmet.media', buttons: ['helmet'] },
          { path: '/helmet/alarm', title: '安全帽告警记录', code: 'helmet.view', buttons: ['alarm'] },
          { path: '/helmet/analyze', title: '安全帽数据分析', code: 'helmet.view', buttons: ['helmet'] },
          {
            path: '/baseStationHelmet',
            title: '基站安全帽定位',
            code: 'helmet.view',
            buttons: ['helmet'],
            related: ['/baseStationHelmet/track'],
          },
        ],
      },
      {
        title: '环境监测',
        icon: 'wind',
        pages: [
          { path: '/environmental', title: '环境监测总览', code: 'environment.view', buttons: ['environment'] },
          { path: '/monitor/environmental', title: '环境实时监测', code: 'environment.view', buttons: ['environment', 'alarm'] },
          { path: '/alarmrecord', title: '环境告警记录', code: 'environment.view', buttons: ['alarm'] },
          { path: '/sprayrecord', title: '喷淋记录', code: 'environment.view', buttons: ['environment'] },
          { path: '/sprayrecordto', title: '喷淋响应汇总', code: 'environment.view', buttons: ['environment'] },
          { path: '/analysisrecord', title: '环境数据分析', code: 'environment.view', buttons: ['environment'] },
          { path: '/analysisrecord_2', title: '多站数据分析', code: 'environment.view', buttons: ['environment'] },
        ],
      },
      {
        title: '深基坑',
        icon: 'pit',
        pages: [
          { path: '/foundationPit/monitor', title: '基坑实时监测', code: 'foundation-pit.view', buttons: ['foundation-pit', 'alarm'] },
          { path: '/foundationPit/monitor_1', title: '多基坑总览', code: 'foundation-pit.view', buttons: ['foundation-pit'] },
          { path: '/foundationPit/record', title: '基坑监测记录', code: 'foundation-pit.view', buttons: ['foundation-pit'] },
          { path: '/foundationPit/warning', title: '基坑告警记录', code: 'foundation-pit.view', buttons: ['alarm'] },
        ],
      },
      {
        title: '高支模',
        icon: 'formwork',
        pages: [
          { path: '/highFormwork/index', title: '高支模实时监测', code: 'high-formwork.view', buttons: ['high-formwork', 'alarm'] },
          { path: '/highFormwork/record', title: '高支模监测记录', code: 'high-formwork.view', buttons: ['high-formwork'] },
          { path: '/highFormwork/warning', title: '高支模告警记录', code: 'high-formwork.view', buttons: ['alarm'] },
          { path: '/highFormwork/analyze', title: '高支模数据分析', code: 'high-formwork.view', buttons: ['high-formwork'], types: [2, 3] },
        ],
      },
      {
        title: '视频监控',
        icon: 'camera',
        pages: [
          { path: '/monitorIndex', title: '监控首页', code: 'video.view', buttons: ['video'], types: [0, 2, 3] },
          { path: '/VideoSurveillance', title: '视频监控', code: 'video.play', buttons: ['video'] },
          { path: '/VideoSurveillances', title: '视频监控汇总', code: 'video.play', buttons: ['video'], types: [0, 1, 2] },
          { path: '/VideoPlayback', title: '视频回放', code: 'video.playback', buttons: ['video'] },
          { path: '/videoAI', title: 'AI 视频分析', code: 'video.view', buttons: ['video'], types: [2, 3] },
          { path: '/videoAIs', title: 'AI 视频分析汇总', code: 'video.view', buttons: ['video'], types: [0, 1, 2] },
          { path: '/AI', title: 'AI 识别记录', code: 'video.view', buttons: ['video'], related: ['/AI/detail'] },
        ],
      },
      {
        title: '卸料平台',
        icon: 'box',
        pages: [
          { path: '/unloading', title: '卸料平台监测', code: 'unloading.view', buttons: ['unloading', 'alarm'] },
          { path: '/unloading/alert', title: '卸料平台告警记录', code: 'unloading.view', buttons: ['alarm'] },
          { path: '/unloading/monitor', title: '卸料平台监测记录', code: 'unloading.view', buttons: ['unloading'] },
          { path: '/unloading/monitor_2', title: '卸料平台汇总', code: 'unloading.view', buttons: ['unloading'] },
        ],
      },
      {
        title: '车辆与地磅',
        icon: 'ledger',
        pages: [
          {
            path: '/loadometer/monitor',
            title: '地磅实时监测',
            code: 'weighbridge.view',
            buttons: ['weighbridge', 'alarm'],
          },
          {
            path: '/loadometer/record',
            title: '过磅记录',
            code: 'weighbridge.view',
            buttons: ['weighbridge'],
            related: ['/loadometer/detail', '/loadometer/edit'],
          },
          { path: '/loadometer/monitor_1', title: '多磅实时监测', code: 'weighbridge.view', buttons: ['weighbridge'] },
          { path: '/loadometer/warning', title: '地磅告警记录', code: 'weighbridge.view', buttons: ['alarm'] },
          {
            path: '/vehicleAccessRecord/list',
            title: '车辆出入记录',
            code: 'vehicle-access.view',
            buttons: ['vehicle-access'],
            related: ['/vehicleAccessRecord/details'],
          },
          { path: '/vehicle/location', title: '车辆实时定位', code: 'vehicle.view', buttons: ['vehicle'] },
          { path: '/vehicle/track', title: '车辆轨迹', code: 'vehicle.track', buttons: ['vehicle'] },
          {
            path: '/vehicle/video',
            title: '车辆实时视频',
            code: 'vehicle.video',
            buttons: ['vehicle'],
            related: ['/vehicle/video/history'],
          },
        ],
      },
    ],
  },
  {
    name: 'alarm',
    title: '告警',
    icon: 'alert',
    entries: [
      { path: '/alarm/record', title: '告警记录', icon: 'bell', code: 'alarm.view', buttons: ['alarm'] },
      { path: '/alarm/records', title: '告警记录汇总', icon: 'bars', code: 'alarm.view', buttons: ['alarm'], types: [0, 1, 2] },
      { path: '/alarm/global', title: '全局告警', icon: 'globe', code: 'alarm.view', buttons: ['alarm', 'rules'], types: [0, 2] },
      { path: '/notice', title: '现场通知', icon: 'records', code: 'alarm.view', buttons: ['alarm'] },
      { path: '/alarm/project', title: '项目告警', icon: 'place', code: 'alarm.view', buttons: ['alarm', 'rules'], types: [0, 2, 3] },
      {
        path: '/reg2_regulationManage',
        title: '规则管理',
        icon: 'sliders',
        code: 'rules.view',
        buttons: ['rules'],
        related: ['/reg2_createRegView'],
      },
      { path: '/reg2_template', title: '规则模板', icon: 'copies', code: 'rules.view', buttons: ['rules'] },
      {
        path: '/reg2_execManage',
        title: '执行动作管理',
        icon: 'bolt',
        code: 'rules.view',
        buttons: ['rules'],
        related: ['/reg2_createActionView'],
      },
      { path: '/reg2_riskLevelManage', title: '风险等级管理', icon: 'layers', code: 'rules.view', buttons: ['rules'] },
    ],
  },
  {
    name: 'device',
    title: '设备管理',
    icon: 'device',
    entries: [
      {
        title: '设备台账',
        icon: 'ledger',
        pages: [
          {
            path: '/administration',
            title: '设备管理',
            code: 'device-admin.view',
            buttons: ['device-admin'],
            related: ['/administrationDetails'],
          },
          { path: '/administrationAll', title: '全部设备', code: 'device-admin.view', buttons: ['device-admin'], types: [0, 1, 2] },
          { path: '/toExamine', title: '设备审核', code: 'device-admin.audit', buttons: ['device-admin'] },
          { path: '/iot-due-notice', title: '设备到期提醒', code: 'device-admin.view', buttons: ['device-admin'] },
        ],
      },
      {
        title: '接入',
        icon: 'plug',
        pages: [
          {
            path: '/equipmentList',
            title: '设备列表',
            code: 'device-admin.view',
            buttons: ['device-admin'],
            related: ['/equipmentDetail/:id'],
          },
          {
            path: '/gateway',
            title: '网关管理',
            code: 'device-admin.gateway',
            buttons: ['device-admin'],
            related: ['/gateway/edit', '/gateway/details'],
          },
          {
            path: '/gatewayEnv',
            title: '环境网关',
            code: 'device-admin.gateway',
            buttons: ['device-admin'],
            related: ['', '/information', '/modelMatch', '/projectMatch'].map((tab) => `/gatewayEnv/details${tab}`),
          },
          {
            path: '/gatewayOther',
            title: '第三方网关管理',
            code: 'device-admin.gateway',
            buttons: ['device-admin'],
            related: ['/gatewayOther/edit', '/gatewayOther/details'],
            types: [0],
          },
          { path: '/equipmentThird', title: '第三方设备', code: 'device-admin.gateway', buttons: ['device-admin'], types: [0] },
        ],
      },
      {
        title: '设备库',
        icon: 'box',
        pages: [
          {
            path: '/manufactor1.1.0',
            title: '厂商管理',
            code: 'device-admin.view',
            buttons: ['device-admin'],
            related: ['/manufactor1.1.0/details', '/manufactor1.1.0/edit'],
          },
          {
            path: '/brand',
            title: '品牌管理',
            code: 'device-admin.view',
            buttons: ['device-admin'],
            related: ['/brand/details', '/brand/edit'],
          },
          {
            path: '/model',
            title: '型号管理',
            code: 'device-admin.view',
            buttons: ['device-admin'],
            related: ['/model/details', '/model/edit'],
          },
          { path: '/manufactor', title: '设备厂商', code: 'device-admin.view', buttons: ['device-admin'] },
          { path: '/equipmentBrand', title: '设备品牌', code: 'device-admin.view', buttons: ['device-admin'] },
          { path: '/equipmentProvider', title: '设备供应商', code: 'device-admin.view', buttons: ['device-admin'] },
        ],
      },
    ],
  },
  {
    name: 'system',
    title: '综合管理',
    icon: 'sliders',
    entries: [
      {
        path: '/workbench/approval',
        title: '审批列表',
        icon: 'records',
        code: 'approval.view',
        buttons: ['approval'],
        related: ['/workbench/approvalDetail'],
      },
      { path: '/workbench/approvalSettings', title: '审批设置', icon: 'bars', code: 'approval.set', buttons: ['approval'] },
      { path: '/reportPushSet', title: '报表推送设置', icon: 'calendar', code: 'report.set', buttons: ['report'] },
      { path: '/RegulatoryDocking', title: '监管对接', icon: 'globe', code: 'docking.view', buttons: ['docking'] },
      { path: '/system/organization', title: '组织管理', icon: 'team', code: 'org.view', buttons: ['org'] },
      { path: '/organizationSettings', title: '组织设置', icon: 'copies', code: 'org.set', buttons: ['org'] },
      { path: '/organizationList', title: '机构列表', icon: 'ledger', code: 'government.view', buttons: ['government'], types: [0, 1] },
      {
        path: '/institutionalFramework',
        title: '组织架构',
        icon: 'layers',
        code: 'government.view',
        buttons: ['government'],
        types: [0, 1],
      },
      {
        title: '设置',
        icon: 'sliders',
        pages: [
          {
            path: '/system/personal',
            title: '个人设置',
            code: 'home.view',
            related: ['user', 'certificate', 'record', 'poorRecord', 'contract', 'material', 'request'].map(
              (tab) => `/system/personal/${tab}`,
            ),
          },
          {
            path: '/informationSettings',
            title: '信息设置',
            code: 'setting.view',
            buttons: ['setting', 'dashboard', 'project'],
            related: ['project/information', 'material', 'dashboard', 'orgLogoSetting', 'electronicFence'].map(
              (tab) => `/informationSettings/${tab}`,
            ),
            types: [3],
          },
          {
            path: '/system/project',
            title: '项目设置',
            code: 'setting.view',
            buttons: ['setting', 'dashboard', 'project'],
            related: ['information', 'material', 'dashboard', 'screenSetting', 'electronicFence'].map((tab) => `/system/project/${tab}`),
            types: [0, 1, 2],
          },
          {
            path: '/system/electronicFence',
            title: '围栏总览',
            code: 'project.view',
            buttons: ['project'],
            types: [0, 1, 2],
          },
          {
            path: '/system/enterprise',
            title: '企业设置',
            code: 'setting.view',
            buttons: ['corporation', 'setting'],
            related: ['message', 'material', 'aptitude', 'history', 'projectList', 'screenSetting'].map(
              (tab) => `/system/enterprise/${tab}`,
            ),
            types: [0, 1, 2],
          },
          {
            path: '/system/govemment',
            title: '政府机构设置',
            code: 'government.view',
            buttons: ['government'],
            related: ['information', 'projectList', 'screenSetting'].map((tab) => `/system/govemment/${tab}`),
            types: [0, 1],
          },
          {
            path: '/system/orgInfo',
            title: '机构信息',
            code: 'org.set',
            buttons: ['org', 'brand'],
            related: ['/system/orgInfo/orgLogoSetting', '/system/orgInfo/orgInfoSetting'],
            types: [0, 1, 2],
          },
          { path: '/system/set', title: '系统设置', code: 'dict.edit', buttons: ['dict', 'system', 'audit'], types: [0, 1, 2] },
        ],
      },
      {
        title: '账号与权限',
        icon: 'idcard',
        pages: [
          {
            path: '/system/jurisdiction',
            title: '权限管理',
            code: 'role.view',
            buttons: ['role', 'tempRole'],
            related: ['/system/jurisdictionSet'],
            types: [1, 2, 3],
          },
          { path: '/accountList', title: '账号列表', code: 'user.view', buttons: ['user'] },
          { path: '/administratorList', title: '管理员列表', code: 'adminGrant.view', buttons: ['adminGrant'] },
          {
            path: '/rolePermissionList',
            title: '角色权限列表',
            code: 'role.view',
            buttons: ['role', 'tempRole', 'roleGroup'],
            related: ['/rolePermissionEdit'],
            types: [0],
          },
          { path: '/functionList', title: '功能列表', code: 'function.view', buttons: ['function'] },
          { path: '/authoritySettings', title: '授权设置', code: 'delegation.set', buttons: ['delegation'] },
          { path: '/system/visable', title: '可见范围设置', code: 'visible.view', buttons: ['visible'] },
        ],
      },
      {
        title: '应用',
        icon: 'box',
        pages: [
          { path: '/applyCentre', title: '应用中心', code: 'app.view', buttons: ['app'], related: ['/iframePath'] },
          { path: '/grantCenter', title: '授权中心', code: 'grant.view', buttons: ['grant'] },
          { path: '/applyAuthorization', title: '应用授权', code: 'grant.view', buttons: ['grant'], types: [0] },
          { path: '/system/appEmpower', title: '应用授权设置', code: 'grant.pass', buttons: ['grant'] },
          { path: '/system/mulitiAppEmpower', title: '批量应用授权', code: 'grant.batch', buttons: ['grant'] },
          { path: '/informationSettings/application', title: '应用设置', code: 'app.order', buttons: ['app'], types: [3] },
          {
            path: '/system/enterprise/appPowerRange',
            title: '应用授权范围',
            code: 'appRange.edit',
            buttons: ['appRange'],
            types: [2],
          },
          { path: '/system/govemment/appPowerRange', title: '人员应用范围', code: 'appRange.edit', buttons: ['appRange'], types: [1] },
        ],
      },
      {
        title: '应用与菜单维护',
        icon: 'plug',
        pages: [
          { path: '/appGroupManage', title: '应用分组管理', code: 'appCategory.edit', buttons: ['app', 'appCategory'] },
          { path: '/applicationSchema', title: '应用方案', code: 'appPackage.edit', buttons: ['appPackage', 'grant'] },
          { path: '/projectAppModule', title: '项目默认应用', code: 'appDefault.edit', buttons: ['appDefault', 'grant'] },
          { path: '/system/project/application', title: '项目应用', code: 'grant.pass', buttons: ['grant'] },
          { path: '/system/project/appPowerRange', title: '项目应用范围', code: 'appRange.edit', buttons: ['appRange'] },
          { path: '/menuList', title: '菜单列表', code: 'menu.view', buttons: ['menu'] },
          { path: '/menuMatching', title: '菜单匹配', code: 'menu.view', buttons: ['menu', 'uiRule'] },
        ],
      },
      { path: '/huangshiScreen/main', title: '数据大屏', icon: 'monitor', code: 'screens.view', buttons: ['screens'], types: [1, 2, 3] },
    ],
  },
]
