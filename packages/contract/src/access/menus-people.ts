import type { MenuTab } from './menu-tree.ts'

/** Of projects and the people who work there. */
export const peopleTabs: readonly MenuTab[] = [
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
          { path: '/selfEntry', title: '自助登记审核', code: 'personnel.create', buttons: ['personnel', 'labour'], types: [2, 3] },
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
]
