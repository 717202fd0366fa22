import { OtherParent, SettingsParent } from './settings-parent.tsx'

const at = '/system/project'

/** All settings of one project, for groups above it. */
export default function ProjectSettingsPage() {
  return (
    <SettingsParent
      kind="project"
      thing="项目"
      param="projectCode"
      tabs={[
        { path: `${at}/information`, title: '项目信息', codes: ['setting.view'] },
        { path: `${at}/places`, title: '单体与部位', codes: ['setting.view'] },
        { path: `${at}/material`, title: '项目资料', codes: ['setting.view'] },
        { path: `${at}/dashboard`, title: '看板设置', codes: ['dashboard.lock'] },
        { path: `${at}/application`, title: '应用设置', codes: ['grant.pass'] },
        { path: `${at}/appPowerRange`, title: '应用授权范围', codes: ['appRange.edit'] },
        { path: `${at}/electronicFence`, title: '电子围栏', codes: ['project.view'] },
        { path: `${at}/screenSetting`, title: '大屏设置', codes: ['screens.set'] },
      ]}
      above={(groupType, code) =>
        groupType === 3 && <OtherParent to="/informationSettings" words="这里由上级管理，项目部在“信息设置”中维护。" code={code} />
      }
    />
  )
}
